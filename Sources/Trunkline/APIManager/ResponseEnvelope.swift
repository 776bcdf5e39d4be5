/// What a service wraps its answers in: `{"code": 0, "message": "", "data": …}`, the members wherever they are.
///
/// ```swift
/// override var responseEnvelope: ResponseEnvelope? {
///     ResponseEnvelope(code: "code", message: "msg", data: "data", tokenErrorCodes: [401], loginCodes: [402])
/// }
/// ```
///
/// The envelope is read before the validator is asked. In an answer with a status of success
///
/// - a code among ``successCodes`` is a success, and goes on to the validator;
/// - any other is a failure, ``APIErrorType/businessError(code:)`` with the envelope's message for the user;
/// - no code where one should be is ``APIErrorType/invalidContent``.
///
/// In an answer with another status the load is a ``APIErrorType/serverError(status:body:)`` with the envelope's message.
/// Codes that mean an invalid token or a missing log-in do so whatever the status. Answers without content have no
/// envelope.
public struct ResponseEnvelope: Hashable, Sendable {
    /// Where the code is; by default `code`.
    public var code: ContentPath
    /// Where the words for the user are; nil for nowhere; by default `message`.
    public var message: ContentPath?
    /// Where the content proper is; nil for the whole answer; by default `data`. Typed and paging managers look there.
    public var data: ContentPath?
    /// The codes of success; by default 0.
    public var successCodes: Set<ResponseCode>
    /// The codes that say the token is invalid, `.tokenError`; by default none.
    public var tokenErrorCodes: Set<ResponseCode>
    /// The codes that say the user has to log in, `.needLogin`; by default none.
    public var loginCodes: Set<ResponseCode>

    /// Makes an envelope; what is left out keeps its default.
    public init(
        code: ContentPath = "code", message: ContentPath? = "message", data: ContentPath? = "data",
        successCodes: Set<ResponseCode> = [0], tokenErrorCodes: Set<ResponseCode> = [],
        loginCodes: Set<ResponseCode> = []
    ) {
        self.code = code
        self.message = message
        self.data = data
        self.successCodes = successCodes
        self.tokenErrorCodes = tokenErrorCodes
        self.loginCodes = loginCodes
    }
}

extension ResponseEnvelope {
    /// What an envelope says.
    enum Verdict: Equatable {
        case success
        case noCode
        case failure(APIErrorType, code: ResponseCode, message: String?)
    }

    /// Reads the envelope of an answer with content.
    func verdict(on json: JSONValue) -> Verdict {
        guard let code = json.value(at: code).flatMap({ ResponseCode($0) }) else { return .noCode }
        if successCodes.contains(code) { return .success }
        let words = message.flatMap { json.value(at: $0)?.string }.flatMap { $0.isEmpty ? nil : $0 }
        let type: APIErrorType =
            if tokenErrorCodes.contains(code) {
                .tokenError
            } else if loginCodes.contains(code) {
                .needLogin
            } else {
                .businessError(code: code)
            }
        return .failure(type, code: code, message: words)
    }
}
