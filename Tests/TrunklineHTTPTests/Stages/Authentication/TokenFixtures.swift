import Foundation
import TrunklineTesting

@testable import TrunklineHTTP

/// A token with a number: the server of the tests makes it count.
struct Token: Hashable, Sendable {
    var text: String
    var isDue = false

    static let old = Token(text: "old")
    static let new = Token(text: "new")
}

/// Refreshes by `POST /refresh`, whose answer is the new token's text.
struct TokenAuthenticator: Authenticator {
    typealias Work = @Sendable (Token, HTTPResponse?, AuthenticationSender) async throws -> Token

    var field = "Authorization"
    let work: Work

    var credentialFields: [String] { [field] }

    init(field: String = "Authorization", _ work: @escaping Work) {
        self.field = field
        self.work = work
    }

    init(_ server: LoopbackServer) {
        self.init { _, _, sender in
            let response = try await sender.send(.post("\(server.baseURL)/refresh"))
            return Token(text: try response.string())
        }
    }

    func apply(_ token: Token, to request: inout HTTPRequest) { request.headers.set(field, "Bearer \(token.text)") }
    func needsRefresh(_ token: Token, now: Date) -> Bool { token.isDue }
    func refresh(_ token: Token, after rejection: HTTPResponse?, using sender: AuthenticationSender) async throws
        -> Token
    {
        try await work(token, rejection, sender)
    }
}

/// A server whose `/data` wants the token "new", and whose `/refresh` gives it.
struct TokenServer {
    let server: LoopbackServer

    /// - Parameters:
    ///   - gate: holds the answers to requests with another token.
    ///   - refresh: the answer to `/refresh`.
    init(gate: LoopbackGate? = nil, refresh: LoopbackResponse = .text("new").delayed(by: .milliseconds(200))) throws {
        server = try LoopbackServer { server in
            server.route(nil, "/data") { request in
                if request.headers["Authorization"] == "Bearer new" { return .text("data") }
                let refusal = LoopbackResponse.text("no", status: 401, headers: ["WWW-Authenticate": "Bearer"])
                return gate.map { refusal.held(by: $0) } ?? refusal
            }
            server.route(.post, "/refresh", respond: refresh)
        }
    }

    var origin: Origin { Origin(server.baseURL) }
    var data: String { "\(server.baseURL)/data" }
    var refreshes: Int { server.requestCount(path: "/refresh") }

    /// The tokens of the requests to `/data`, in their order.
    var tokens: [String] {
        server.requests.filter { $0.path == "/data" }.map { $0.headers["Authorization"] ?? "none" }
    }

    func authentication(
        _ credential: Token? = .old, limits: RefreshLimits = RefreshLimits(),
        onEvent: (@Sendable (AuthenticationEvent<Token>) -> Void)? = nil
    ) -> RefreshingAuthentication<TokenAuthenticator> {
        RefreshingAuthentication(
            TokenAuthenticator(server), credential: credential, origins: [origin], limits: limits, onEvent: onEvent)
    }
}

extension SessionManager {
    /// A session with this authentication.
    static func with(
        _ authentication: any Authentication, transport: (any Transport)? = nil, retry: RetryPolicy = .never,
        interceptors: [any Interceptor] = []
    ) -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(retry: retry, authentication: authentication), transport: transport,
            interceptors: interceptors)
    }

    /// Sends so many requests at once and gives their ends in the order they came.
    func outcomes(of count: Int, _ url: String) async -> [DataRequest.Outcome] {
        let heard = Collector<DataRequest.Outcome>()
        for _ in 0..<count { request(url).onResponse(on: .global()) { heard.add($0) } }
        _ = await eventually(within: .seconds(60)) { heard.count >= count }
        // A second call of a handler would come now.
        try? await Task.sleep(for: .milliseconds(5))
        return heard.all
    }

    /// How the request ends, where that is in failure.
    func failure(of request: some RequestConvertible) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}

extension HTTPError {
    /// What is wrong with the credential, where that is the failure.
    var authenticationFailure: AuthenticationFailure? {
        if case .authentication(let failure) = self { failure } else { nil }
    }
}
