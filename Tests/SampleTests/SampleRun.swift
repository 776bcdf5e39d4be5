import Foundation
import Testing

/// One run of a built sample, its output in pipes as a script would read it.
struct SampleRun {
    let exitStatus: Int32
    let output: String
    let complaints: String

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// Runs the program and waits for its end; a run of more than 30 s is ended, and its exit status says so.
    init(_ program: String, _ arguments: [String] = []) async throws {
        let process = Process()
        let executable = try #require(Self.executable(program), "\(program) is not next to the tests")
        process.executableURL = executable
        process.arguments = arguments
        let output = Pipe()
        let complaints = Pipe()
        process.standardOutput = output
        process.standardError = complaints

        // Read while it runs: a full pipe would stop the program.
        async let outputText = Self.text(of: output)
        async let complaintsText = Self.text(of: complaints)
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: watchdog)
        exitStatus = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                // A signal, such as that of a trap, must not look like an exit status.
                let status = process.terminationStatus
                continuation.resume(returning: process.terminationReason == .exit ? status : -status)
            }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        watchdog.cancel()
        self.output = await outputText
        self.complaints = await complaintsText
    }

    private static func text(of pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// SwiftPM puts the program into the directory of the test bundle, wherever the scratch path is. On Linux the bundle
    /// is the running program; on Apple platforms it is loaded by one of Xcode's.
    private static func executable(_ program: String) -> URL? {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let programs = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }]
        return (bundles + programs.compactMap(\.self))
            .map { $0.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
