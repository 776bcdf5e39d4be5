import TrunklineTesting

/// The sample's own backend on 127.0.0.1: an app has a real one.
enum AlbumServer {
    static func start() throws -> LoopbackServer {
        try LoopbackServer { server in
            let albums = [
                AlbumFeed.Album(name: "Kind of Blue", artist: "Miles Davis"),
                AlbumFeed.Album(name: "Blue", artist: "Joni Mitchell"),
                AlbumFeed.Album(name: "Clube da Esquina", artist: "Milton Nascimento and Lô Borges"),
                AlbumFeed.Album(name: "Homogenic", artist: "Björk"),
            ]
            let feed = AlbumFeed(feed: AlbumFeed.Feed(title: "4 albums this week", entries: albums))
            server.route(.get, "/feed/top-albums.json", respond: .json(feed))
        }
    }
}
