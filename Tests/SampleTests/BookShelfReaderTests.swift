import Foundation
import Testing

@Suite("The BookShelf sample: what a reader does with the books")
struct BookShelfReaderTests {
    @Test("Seven letters, two pauses, two searches")
    func search() async throws {
        let run = try await SampleRun("BookShelf", ["--pages", "1"])
        #expect(
            run.part("Search as you type") == [
                "Search as you type",
                "In the field  The reader then  Books shown",
                "d             types on",
                "di            types on",
                "dic           types on",
                "dick          pauses           6: Oliver Twist, A Christmas Carol, David Copper…",
                "dicke         types on",
                "dicken        types on",
                "dickens       pauses           5: Oliver Twist, A Christmas Carol, David Copper…",
                "The server was asked 2 times: \"dick\", \"dickens\"",
            ])
    }

    @Test("Favourites wait for the network, then arrive in order and each once, though one is sent twice")
    func favourites() async throws {
        let run = try await SampleRun("BookShelf", ["--pages", "1"])
        #expect(
            run.part("Favourites, marked without a network") == [
                "Favourites, marked without a network",
                "Emma               waits in the outbox",
                "Candide            waits in the outbox",
                "Anna Karenina      waits in the outbox",
                "The list           You are offline. Check your connection and try again.",
                "After a restart 3 changes wait, and the server has 0",
            ])
        #expect(
            run.part("The network is back") == [
                "The network is back",
                "Emma               sent",
                "Candide            no answer to rely on (status 504): again, same key",
                "Candide            sent",
                "Anna Karenina      sent",
                "The list           Emma, Candide, Anna Karenina",
                "0 changes wait; the server got 4 requests and made 3 changes",
            ])
    }

    @Test("The cover comes with progress, a line for each quarter where nobody watches")
    func cover() async throws {
        let run = try await SampleRun("BookShelf", ["--pages", "1"])
        #expect(
            run.part("The cover of Candide") == [
                "The cover of Candide",
                "[#####...............]  25 %",
                "[##########..........]  50 %",
                "[###############.....]  75 %",
                "[####################] 100 %",
                "cover-74.bmp, 294966 bytes",
            ])
    }

    @Test("After a switch of readers nothing of the first is shown: neither from the cache nor what was on its way")
    func readers() async throws {
        let run = try await SampleRun("BookShelf", ["--pages", "1"])
        #expect(
            run.part("Two readers, one screen") == [
                "Two readers, one screen",
                "Logged in  Load                    Ends with  On the screen",
                "ada        her favourites          success    Emma, Candide, Anna Karenina",
                "ben        what the cache has      noContent  nothing",
                "ben        his favourites          success    Don Quixote",
                "ada        his, still on its way   cancelled  nothing",
                "ada        her favourites again    success    Emma, Candide, Anna Karenina",
            ])
    }

    @Test("A run leaves nothing on the disk")
    func disk() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("BookShelfTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let places = Dictionary(
            uniqueKeysWithValues: ["TMPDIR", "HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map { ($0, home.path) })
        let run = try await SampleRun("BookShelf", ["--pages", "1"], environment: places)
        #expect(run.exitStatus == 0)
        #expect(run.part("The cover of Candide").last == "cover-74.bmp, 294966 bytes")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    }
}
