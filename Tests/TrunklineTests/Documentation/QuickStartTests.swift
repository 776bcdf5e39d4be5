import Foundation
import Testing
import Trunkline
import TrunklineTesting

private final class LocalLibrary: Service {
    var base = ""
    let ownSession = SessionManager(cache: ResponseCache())
    override var environments: [ServiceEnvironment] {
        [ServiceEnvironment(.production, baseURL: base, apiVersion: "v1")]
    }
    override var session: SessionManager { ownSession }
    override var timeouts: Timeouts { .patient }
}

/// The README's code is what is compiled here, and it does what it says.
@Suite @MainActor struct QuickStartTests {
    @Test func `the README shows the compiled quick start word for word`() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: here.appendingPathComponent("QuickStart.swift"), encoding: .utf8)
        let readme = try String(
            contentsOf: here.appendingPathComponent("../../../README.md").standardizedFileURL, encoding: .utf8)
        let blocks = source.components(separatedBy: "// readme:begin\n").dropFirst()
        #expect(blocks.count == 2)
        for block in blocks {
            let code = try #require(block.components(separatedBy: "// readme:end").first)
            // A block inside a function stands in the README without the function's indentation.
            let indentation = code.prefix { $0 == " " }.count
            let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(indentation) }
            #expect(readme.contains("```swift\n" + lines.joined(separator: "\n") + "```"))
        }
    }

    @Test func `the quick start loads a book over HTTP`() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/v1/books/{id}") { request in .json(#"{"title":"Emma \#(request["id"] ?? "")"}"#) }
        }
        let library = LocalLibrary()
        library.base = server.baseURL.absoluteString
        let factory = ServiceFactory()
        factory.register("library") { library }
        let screen = BookScreen()
        screen.api.serviceFactory = factory

        screen.api.loadData()
        #expect(await eventually { screen.text == "Emma 42" })
        #expect(try await screen.api.loadValue().title == "Emma 42")
        #expect(server.requestCount == 1, "the second load is answered from the cache")

        server.stop()
        await library.clearCache()
        screen.api.loadData()
        #expect(await eventually { screen.text == "The server could not be reached. Please try again." })
    }
}
