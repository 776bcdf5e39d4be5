import TestSupport
import Testing

/// One run of a built sample, its output in pipes as a script would read it.
struct SampleRun {
    let exitStatus: Int32
    let output: String
    let complaints: String
    /// The time from launch to end.
    let took: Duration

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The lines of a part of the output, from its heading to the empty line after it; none where there is no such part.
    func part(_ heading: String) -> [String] {
        Array(lines.drop { $0 != heading }.prefix { !$0.isEmpty })
    }

    /// Runs the program and waits for its end; a run of more than 50 s is ended, and its exit status says so.
    ///
    /// - Parameter environment: put over this process's.
    init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        let executable = try #require(ChildProcess.tool(program), "\(program) is not next to the tests")
        let (result, took) = try await HeavyWork.run {
            let start = ContinuousClock.now
            let result = try ChildProcess.run(executable, arguments, environment: environment, limit: 50)
            return (result, ContinuousClock.now - start)
        }
        exitStatus = result.exitStatus
        output = result.output
        complaints = result.complaints
        self.took = took
    }
}
