import Foundation

/// What `ResourceProbe` found in a process of its own.
package struct ResourceFindings: Sendable {
    private let values: [String: Int]

    /// Runs the measurement.
    package init(_ measurement: String, _ arguments: [String] = []) async throws {
        guard let tool = ChildProcess.tool("ResourceProbe") else { throw NoTool() }
        let lines = try await HeavyWork.run { try ChildProcess.lines(tool, [measurement] + arguments) }
        var values: [String: Int] = [:]
        for line in lines {
            let words = line.split(separator: " ")
            if words.count == 2, let value = Int(words[1]) { values[String(words[0])] = value }
        }
        self.values = values
    }

    /// The finding of this name; nil where the system does not tell.
    package subscript(_ name: String) -> Int? { values[name] }

    private struct NoTool: Error, CustomStringConvertible {
        var description: String { "the ResourceProbe program is not next to the tests" }
    }
}
