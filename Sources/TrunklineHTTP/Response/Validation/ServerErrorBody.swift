import Foundation

/// How an endpoint's error answers are read: the type its server writes into them.
///
/// ```swift
/// struct Refusal: Decodable, Error { var code: Int; var message: String }
///
/// var login = try Endpoint.post("https://example.com/login", json: form)
/// login.options.serverError = .json(Refusal.self)
/// do {
///     let user = try await session.request(login).value(of: User.self)
/// } catch {
///     if let refusal = error.serverError(as: Refusal.self) { show(refusal.message) }
/// }
/// ```
///
/// Read once, when a response is refused, off the caller's executor. Content that is no such error is no failure of its
/// own: the refusal stands, without it.
public struct ServerErrorBody: Sendable {
    private let read: @Sendable (HTTPResponse) -> (any Error)?

    /// Reads error answers with a closure; nil where the answer is no such error.
    public init(_ read: @escaping @Sendable (HTTPResponse) -> (any Error)?) { self.read = read }

    /// Reads error answers as this type.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - path: where in the content it is; by default all of it.
    ///   - decoder: by default a plain `JSONDecoder`.
    public static func json<Body: Decodable & Error>(
        _ type: Body.Type, at path: ContentPath? = nil, using decoder: any DataDecoder = JSONDecoder()
    ) -> ServerErrorBody {
        ServerErrorBody { try? $0.decode(type, at: path, using: decoder) }
    }

    func error(in response: HTTPResponse) -> (any Error)? { read(response) }
}

extension HTTPError {
    /// What the server wrote into the answer that was refused, read as ``RequestOptions/serverError`` says; nil where
    /// there is none of this type.
    public func serverError<Body: Error>(as type: Body.Type = Body.self) -> Body? {
        if case .validation(let failure) = self { failure.serverError as? Body } else { nil }
    }
}
