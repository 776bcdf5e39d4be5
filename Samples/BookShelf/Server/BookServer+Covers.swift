import TrunklineTesting

/// The covers, made when they are asked for.
extension BookServer {
    /// Slow enough for a progress bar to be seen.
    private static let bytesPerSecond = 600_000

    static func addCovers(to server: LoopbackServer) {
        server.route(.get, "/v1/books/{id}/cover") { request in
            guard reader(of: request) != nil else { return tokenRefusal }
            guard let id = request["id"].flatMap({ Int($0) }), BookData.catalogue.contains(where: { $0.id == id })
            else { return .json(ServerMessage(message: "There is no such book."), status: 404) }
            return LoopbackResponse.data(CoverPainter.bitmap(for: id), contentType: "image/bmp")
                .header("Content-Disposition", "attachment; filename=\"cover-\(id).bmp\"")
                .header("ETag", "\"cover-\(id)\"")
                .throttled(bytesPerSecond: bytesPerSecond)
        }
    }
}
