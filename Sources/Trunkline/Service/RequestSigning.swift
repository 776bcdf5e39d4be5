/// Signs the requests of a service, when nothing about them changes any more.
///
/// ```swift
/// override var signing: RequestSigning? {
///     RequestSigning { request, keys in
///         let text = "\(request.method) \(request.url) " + HMACSHA256.contentHash(of: request.body?.data ?? Data())
///         request.headers["X-Signature"] = HMACSHA256.hexadecimal(
///             of: Data(text.utf8), key: Data(keys.privateKey.utf8))
///     }
/// }
/// ```
///
/// The closure runs off the main actor, last before the transport, each time a request goes out: in every retry, after a
/// credential was renewed, and for every redirect within the request's origin. It sees the URL, header fields and body bytes
/// that go out, credential and cookies included, and begins with the unsigned request each time, so that a time or a nonce is
/// new in every attempt. It may change the request, usually by a header field or a query parameter. The keys are those of
/// the environment the load was made in. What it throws ends the load. See `RequestSigner`.
///
/// A body that is not in memory, a file or a stream, can't be hashed: its load ends with `.requestError`
/// (`HTTPError.invalidRequest`), and nothing is sent, unless the signing is made with `requiresBodyInMemory: false`.
public struct RequestSigning: Sendable {
    /// Signs a request with the keys of the environment it was made in.
    public typealias Sign = @Sendable (_ request: inout HTTPRequest, _ keys: ServiceKeys) async throws -> Void

    private let sign: Sign
    private let requiresBodyInMemory: Bool

    /// Makes a signing of a closure.
    ///
    /// - Parameters:
    ///   - requiresBodyInMemory: whether a body that is not in memory ends the load; by default true. With false the closure
    ///     is called with such a body too, whose `data` is nil: for services whose signature leaves it out.
    ///   - sign: signs a request.
    public init(requiresBodyInMemory: Bool = true, _ sign: @escaping Sign) {
        self.requiresBodyInMemory = requiresBodyInMemory
        self.sign = sign
    }

    /// What signs the requests with these keys.
    func signer(keys: ServiceKeys) -> RequestSigner {
        RequestSigner(requiresBodyInMemory: requiresBodyInMemory) { [sign] request in try await sign(&request, keys) }
    }
}

extension Service {
    /// What signs the requests made now, with the keys of the environment in use; nil when nothing does.
    func currentSigner() throws(ServiceError) -> RequestSigner? {
        guard let signing else { return nil }
        let environment = try environment()
        return signing.signer(
            keys: ServiceKeys(publicKey: environment.publicKey, privateKey: environment.privateKey))
    }
}
