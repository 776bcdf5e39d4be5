import Foundation
import Testing

@Suite("The samples of the value-style front doors, as a user runs them")
struct DoorSampleTests {
    private func output(of program: String) async throws -> String {
        let run = try await SampleRun(program)
        #expect(run.exitStatus == 0)
        #expect(run.complaints == "")
        #expect(run.lines.allSatisfy { $0.count <= 120 && $0.last != " " })
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.took < .seconds(20))
        return run.output
    }

    @Test("Posts: list, upload, download with progress, a failure, a cancel")
    func posts() async throws {
        #expect(
            try await output(of: "Posts") == """
                5 posts
                  1  On the shortness of days
                  2  A walk along the harbour
                  3  Three ways to brew tea
                  4  Letters nobody sent
                  5  The clock in the hall
                Added post 6: Rain over the islands
                Cover  [####################]  3000000 bytes in a .png file
                Post 99: This could not be found. The server says: There is no post 99.
                Under way: archive
                Archive: The request was cancelled.
                Cancelled 1, under way 0

                """)
    }

    @Test("Films: routers, composed builders, parsers")
    func films() async throws {
        #expect(
            try await output(of: "Films") == """
                Films before 1964
                  1927  Metropolis: Brigitte Helm, Gustav Fröhlich
                  1931  M: Peter Lorre
                  1963  8½: Marcello Mastroianni, Claudia Cardinale
                Films in all: 4
                8½ is from 1963
                8½ has five stars now
                Alien: The server answered with status 404.
                Rating without a token: The server answered with status 403.

                """)
    }

    @Test("TopAlbums: a view model over HTTP, over a stand-in, and where things go wrong")
    func topAlbums() async throws {
        #expect(
            try await output(of: "TopAlbums") == """
                Top albums: 4 albums this week
                  1  Kind of Blue, Miles Davis
                  2  Blue, Joni Mitchell
                  3  Clube da Esquina, Milton Nascimento and Lô Borges
                  4  Homogenic, Björk
                In a preview: Preview
                  1  Any, Anyone
                Feed is gone: This could not be found.
                  (The server answered GET /feed/top-albums.json.old with status 404.)
                Wrong address: The request could not be made.
                  (The URL "top-albums" can't be used: it is not absolute; write the scheme and host, https://host/path.)

                """)
    }

    @Test("Each sample is less than 150 lines", arguments: ["Posts", "Films", "TopAlbums"])
    func size(program: String) throws {
        let samples = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Samples/\(program)")
        let sources = try FileManager.default.contentsOfDirectory(at: samples, includingPropertiesForKeys: nil)
        let lines = try sources.map { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n").count }
        #expect(!lines.isEmpty && lines.reduce(0, +) < 150)
    }
}
