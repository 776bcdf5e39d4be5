/// How redirect responses (301, 302, 303, 307, 308) are answered.
public enum RedirectPolicy: Hashable, Sendable {
    /// Follow up to `limit` redirects; by default 20. Credentials are dropped when the origin changes.
    case follow(limit: Int = 20)
    /// Follow only to the same scheme, host and port; another origin's redirect is returned as it came.
    case sameOrigin(limit: Int = 20)
    /// Return the redirect response as it came.
    case refuse
    /// Ask a rule of the app's about each redirect.
    case custom(RedirectRule)
}
