/// A rule of the app's for redirects; see ``RedirectPolicy/custom(_:)``.
///
/// ```swift
/// let noDowngrade = RedirectRule { redirect, response in redirect.url.scheme == "https" ? redirect : nil }
/// ```
///
/// Rules are equal when one is a copy of the other.
public struct RedirectRule: Hashable, Sendable {
    /// Chooses what is sent next, or nil to have the redirect response as it came.
    ///
    /// - Parameters:
    ///   - redirect: the request the library would send: by the method and body rules of RFC 9110, section 15.4, with
    ///     credentials dropped where the origin changes. It may be changed.
    ///   - response: the redirect response; its `request` is the one that was answered.
    public typealias Choice = @Sendable (_ redirect: HTTPRequest, _ response: HTTPResponse) -> HTTPRequest?

    private final class Identity: Sendable {}

    /// The most redirects that are followed.
    public let limit: Int
    let choose: Choice
    private let identity = Identity()

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - limit: the most redirects to follow; by default 20. One more is ``HTTPError/tooManyRedirects(limit:_:)``.
    ///   - choose: called once for each redirect, on a thread of the pipeline; must return at once.
    public init(limit: Int = 20, _ choose: @escaping Choice) {
        self.limit = limit
        self.choose = choose
    }

    public static func == (left: RedirectRule, right: RedirectRule) -> Bool { left.identity === right.identity }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
