/// Signs a request each time it goes out: in every attempt, and for every redirect within its origin.
///
/// ```swift
/// var options = RequestOptions()
/// options.signing = RequestSigner { request in
///     let text = "\(request.method) \(request.url) \(Date().timeIntervalSince1970)"
///     request.headers["X-Signature"] = HMACSHA256.hexadecimal(of: Data(text.utf8), key: secret)
/// }
/// ```
///
/// The closure is the last stage before the transport, off the main actor: it sees the URL, header fields and body that go
/// out, credential and cookies included, and nothing changes them afterwards but the transport's framing fields. It may
/// change the request, usually by a header field or a query parameter; each time it begins with the unsigned request, so a
/// time or a nonce is new in every attempt. What it throws ends the request like any failure of the attempt.
///
/// A redirect to another origin, or an upload that goes on at one, is not signed.
public struct RequestSigner: Sendable {
    /// Signs a request.
    public typealias Sign = @Sendable (_ request: inout HTTPRequest) async throws -> Void

    private let signature: Sign
    /// Whether the signature is over the body's bytes. Where it is, the default, a body that is not in memory, a file or a
    /// stream, ends the request with ``HTTPError/invalidRequest(_:)``, and nothing is sent.
    public let requiresBodyInMemory: Bool

    /// Makes a signer of a closure.
    ///
    /// - Parameters:
    ///   - requiresBodyInMemory: see ``requiresBodyInMemory``; by default true.
    ///   - sign: signs a request.
    public init(requiresBodyInMemory: Bool = true, _ sign: @escaping Sign) {
        self.requiresBodyInMemory = requiresBodyInMemory
        signature = sign
    }

    func sign(_ request: inout HTTPRequest) async throws {
        if requiresBodyInMemory, let body = request.body, body.data == nil {
            throw HTTPError.invalidRequest(
                .body(
                    reason: "the request is signed with its content, which takes a body in memory; use "
                        + "RequestBody.data, or a signing that does not require it"))
        }
        try await signature(&request)
    }
}
