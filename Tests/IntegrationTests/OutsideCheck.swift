import Testing

/// One thing that must hold against a server of somebody else's.
struct OutsideCheck: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (OutsideContext) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (OutsideContext) async throws -> Void) {
        self.name = name
        self.run = run
    }

    var testDescription: String { name }

    static let all: [OutsideCheck] = [
        requests, bodies, contents, statuses, authentication, redirects, cookies, streams, limits, files,
    ].flatMap { $0 }
}
