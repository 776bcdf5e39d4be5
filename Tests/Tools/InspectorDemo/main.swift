import Foundation
import TrunklineHTTP
import TrunklineInspector
import TrunklineTesting

// An inspector with a session's requests in it, for `.ci/inspector` and for whoever wants to see the page:
//
//     swift run InspectorDemo
//
// Prints the URL of the page. `more` on standard input sends one more request; the end of input ends the program.

/// A line at once: `print` would keep it while standard output is a pipe.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let server = try DemoServer()
let inspector = try Inspector()
var configuration = SessionConfiguration(eventMonitors: [inspector])
configuration.retry = RetryPolicy(limit: 2, baseDelay: .milliseconds(60))
let session = SessionManager(configuration: configuration, cache: ResponseCache())
await DemoRequests(session: session, base: server.baseURL).send()
tell(inspector.url.absoluteString)

let lines = AsyncStream<String> { reader in
    Thread.detachNewThread {
        while let line = readLine() { reader.yield(line) }
        reader.finish()
    }
}
for await line in lines where line == "more" {
    _ = try? await session.send(.get("\(server.baseURL)/books", parameters: ["later": true]))
    tell("sent")
}
