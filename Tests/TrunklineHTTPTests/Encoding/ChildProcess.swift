import Foundation

/// Programs that tests run.
enum ChildProcess {
    /// The program of this package with this name, built next to the test bundle.
    static func tool(_ name: String) -> URL? {
        let starts = [Bundle.main.bundleURL, Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])]
        for start in starts.compactMap({ $0 }) {
            var directory = start
            for _ in 0..<5 {
                let candidate = directory.appendingPathComponent(name)
                if isProgram(candidate) { return candidate }
                directory = directory.deletingLastPathComponent()
            }
        }
        return nil
    }

    /// The Python of the system, where there is one.
    static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .map { URL(fileURLWithPath: $0) }.first(where: isProgram)

    private static func isProgram(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
            && FileManager.default.isExecutableFile(atPath: url.path)
    }

    struct Failure: Error {
        let status: Int32
    }

    /// Runs a program to its end and gives what it printed.
    static func run(_ program: URL, _ arguments: [String] = []) throws -> Data {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return printed
    }

    /// Runs a Python script on a file with these lines and gives the lines it printed.
    static func python(_ script: String, lines: [String]) throws -> [String]? {
        guard let python else { return nil }
        let input = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: input) }
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        let printed = try run(python, ["-c", script, input.path])
        return String(decoding: printed, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
}

extension Data {
    /// The bytes as hex digits.
    var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
