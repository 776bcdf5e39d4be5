import Foundation
import TrunklineHTTP

/// Programs that tests run. All of it blocks, so it belongs into `HeavyWork.run` or `onThread`.
package enum ChildProcess {
    /// How a program ended.
    package struct Result: Sendable {
        /// The exit status; the negated number of the signal where one ended it, so that a trap does not look like an
        /// exit.
        package let exitStatus: Int32
        package let output: String
        package let complaints: String

        /// The lines of the output, with the empty one after a final line feed.
        package var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    package struct Failure: Error {
        package let status: Int32
        package let complaints: String
    }

    /// The program of this package with this name.
    package static func tool(_ name: String) -> URL? {
        productDirectories.map { $0.appendingPathComponent(name) }.first(where: isProgram)
    }

    /// Where SwiftPM has put what it built: the directory of the test bundle, wherever the scratch path is. On Linux the
    /// bundle is the running program; on Apple platforms it is loaded by one of Xcode's.
    package static var productDirectories: [URL] {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let programs = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }]
        return (bundles + programs.compactMap(\.self)).map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }
    }

    /// The Python of the system, where there is one.
    package static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .map { URL(fileURLWithPath: $0) }.first(where: isProgram)

    private static func isProgram(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
            && FileManager.default.isExecutableFile(atPath: url.path)
    }

    private static let launching = Protected(0)

    /// A pipe for a program's output that no other program gets hold of: a server that is started meanwhile would keep it
    /// open, and its reader waiting, for as long as it runs.
    package static func pipe() -> Pipe {
        launching.withLock { _ in
            let pipe = Pipe()
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            return pipe
        }
    }

    /// Starts a process, one at a time and never while a pipe is made.
    package static func launch(_ process: Process) throws {
        try launching.withLock { count in
            try process.run()
            count += 1
        }
    }

    /// Runs a program to its end; one that takes longer than the limit, in seconds, is ended.
    ///
    /// - Parameter environment: put over this process's.
    package static func run(
        _ program: URL, _ arguments: [String] = [], environment: [String: String] = [:], limit: Double = 120
    ) throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
            .merging(environment) { $1 }
        let (output, complaints) = (pipe(), pipe())
        process.standardOutput = output
        process.standardError = complaints
        try launch(process)
        // Not SIGTERM: the threads of Dispatch block it, and a child inherits that.
        let watchdog = DispatchWorkItem { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        // Both pipes are read while it runs: a full one would stop it.
        let complaintsRead = DispatchGroup()
        let complaintsText = Protected("")
        complaintsRead.enter()
        let complaintsFile = complaints.fileHandleForReading
        Thread.detachNewThread {
            let data = complaintsFile.readDataToEndOfFile()
            complaintsText.withLock { $0 = String(decoding: data, as: UTF8.self) }
            complaintsRead.leave()
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        complaintsRead.wait()
        process.waitUntilExit()
        watchdog.cancel()
        return Result(
            exitStatus: process.terminationStatus * (process.terminationReason == .exit ? 1 : -1),
            output: String(decoding: data, as: UTF8.self), complaints: complaintsText.current)
    }

    /// A program that runs beside the test until it is killed.
    package final class Running {
        private let process: Process

        fileprivate init(_ process: Process) { self.process = process }

        /// Ends it with SIGKILL, which no program can do anything about, and waits until it is gone.
        package func kill() {
            if process.isRunning { _ = signal(process.processIdentifier) }
            process.waitUntilExit()
        }
    }

    /// Starts a program; what it prints is dropped.
    package static func start(_ program: URL, _ arguments: [String] = []) throws -> Running {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try launch(process)
        return Running(process)
    }

    /// The SHA-256 of a file, by the system's program where there is one: the library's own is slow in debug builds.
    package static func sha256(of file: URL) throws -> String {
        let programs = [("/usr/bin/sha256sum", [String]()), ("/usr/bin/shasum", ["-a", "256"])]
        for (path, options) in programs where FileManager.default.isExecutableFile(atPath: path) {
            let line = try lines(URL(fileURLWithPath: path), options + [file.path]).first ?? ""
            return String(line.prefix { $0 != " " })
        }
        return SHA256Digest.hex(of: Array(try Data(contentsOf: file)))
    }

    /// Runs a program that must succeed and gives the lines it printed.
    package static func lines(_ program: URL, _ arguments: [String] = []) throws -> [String] {
        let result = try run(program, arguments)
        guard result.exitStatus == 0 else { throw Failure(status: result.exitStatus, complaints: result.complaints) }
        return Array(result.lines.dropLast())
    }

    /// Runs a Python script on a file with these lines and gives the lines it printed.
    package static func python(_ script: String, lines: [String]) throws -> [String]? {
        guard let python else { return nil }
        let input = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: input) }
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        return try self.lines(python, ["-c", script, input.path])
    }
}

/// Under another name than the method it is called in.
private func signal(_ process: Int32) -> Int32 { kill(process, SIGKILL) }
