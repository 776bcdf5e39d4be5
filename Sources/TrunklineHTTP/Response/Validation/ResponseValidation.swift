/// What counts as an acceptable response: checks run in order, the first refusal ends the request with
/// ``HTTPError/validation(_:)``. A value, so a session, a service or one request can carry it.
public struct ResponseValidation: Sendable {
    /// One check: nil accepts, a reason refuses.
    public typealias Check = @Sendable (HTTPResponse) -> ValidationFailure.Reason?

    /// The checks in order.
    public var checks: [Check]

    /// Makes a validation of its checks.
    public init(checks: [Check] = []) { self.checks = checks }

    /// Accepts every response.
    public static let acceptAny = ResponseValidation()

    /// Accepts status 200 to 299, the default of a session.
    public static let success = ResponseValidation.status(200..<300)

    /// Accepts the status codes of the range.
    public static func status(_ accepted: Range<Int>) -> ResponseValidation {
        ResponseValidation(checks: [{ accepted.contains($0.statusCode) ? nil : .unacceptableStatus($0.statusCode) }])
    }

    /// These checks, then those of `other`.
    public func and(_ other: ResponseValidation) -> ResponseValidation {
        ResponseValidation(checks: checks + other.checks)
    }

    /// Throws the first refusal.
    public func validate(_ response: HTTPResponse) throws(HTTPError) {
        for check in checks {
            if let reason = check(response) {
                let serverError = response.request.options.serverError?.error(in: response)
                throw .validation(ValidationFailure(reason: reason, response: response, serverError: serverError))
            }
        }
    }
}
