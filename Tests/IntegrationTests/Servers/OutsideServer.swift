import Foundation
import TestSupport
import Testing

/// A server of somebody else's that runs beside the tests, on a port of its own, and ends with this process.
final class OutsideServer: Sendable {
    /// Where it answers.
    let base: URL
    private let process: Process
    /// Whose end tells the shell around the server that this process is gone.
    private let lifeline: Pipe

    /// Starts a program under a shell that ends it as soon as this process does, however that happens.
    ///
    /// - Parameters:
    ///   - command: what the shell starts; `$0` is `argument`.
    ///   - port: reads the server's port, once it is there.
    init(_ command: String, argument: String = "", port: (_ log: String) -> Int?) throws {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-log-\(UUID().uuidString)")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let output = try FileHandle(forWritingTo: log)
        let process = Process()
        let lifeline = ChildProcess.pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\(command) & server=$!; cat >/dev/null; kill -9 $server", argument]
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        try ChildProcess.launch(process)
        (self.process, self.lifeline) = (process, lifeline)

        let deadline = ContinuousClock.now + .seconds(60)
        var text = ""
        while ContinuousClock.now < deadline {
            text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            if let port = port(text), let url = URL(string: "http://127.0.0.1:\(port)") {
                base = url
                return
            }
            usleep(20_000)
        }
        process.terminate()
        throw OutsideServerFailure(log: text)
    }

    deinit { try? lifeline.fileHandleForWriting.close() }
}

/// A server that did not come up, with what it said.
struct OutsideServerFailure: Error {
    let log: String
}
