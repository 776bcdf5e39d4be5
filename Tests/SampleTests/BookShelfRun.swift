/// One run of the built `BookShelf`.
struct BookShelfRun {
    private let run: SampleRun

    init(_ arguments: [String] = []) async throws { run = try await SampleRun("BookShelf", arguments) }

    var exitStatus: Int32 { run.exitStatus }
    var output: String { run.output }
    var complaints: String { run.complaints }
    var lines: [String] { run.lines }
}
