import TrunklineHTTP

/// A member of a group made of an async closure.
public struct GroupTask<Output: Sendable>: GroupMember {
    private let work: @Sendable () async throws -> Output

    /// Makes a member of a closure; it runs once each time the group does, and should end soon after its task was
    /// cancelled.
    public init(_ work: @escaping @Sendable () async throws -> Output) { self.work = work }

    /// Makes a member that sends a request and decodes the answer.
    ///
    /// - Parameters:
    ///   - request: an `Endpoint` or any other description of a request.
    ///   - type: what the answer's content is decoded as.
    ///   - session: sends it; by default the shared session.
    public init(_ request: some RequestConvertible, of type: Output.Type, on session: SessionManager = .default)
    where Output: Decodable {
        work = { try await session.request(request).resume().value(of: type) }
    }

    /// Makes a member that sends a request and gives the response as it is.
    ///
    /// - Parameters:
    ///   - request: an `Endpoint` or any other description of a request.
    ///   - session: sends it; by default the shared session.
    public init(_ request: some RequestConvertible, on session: SessionManager = .default)
    where Output == HTTPResponse {
        work = { try await session.send(request) }
    }

    /// Runs the closure.
    public func runInGroup() async throws -> Output { try await work() }
}
