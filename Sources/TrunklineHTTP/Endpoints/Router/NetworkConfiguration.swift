import Foundation

/// Where routers find the base URL they don't name themselves. May be read and set from any thread, at any time.
public final class NetworkConfiguration: Sendable {
    /// The configuration of routers that name none.
    public static let shared = NetworkConfiguration()

    private let url: Protected<URL?>

    /// Makes a configuration of its own: for a second backend, or a test.
    public init(baseURL: URL? = nil) { url = Protected(baseURL) }

    /// The base URL, or nil while none is set. Requests made from then on see a change.
    public var currentURL: URL? {
        get { url.current }
        set { url.withLock { $0 = newValue } }
    }

    /// Sets the base URL of the ``shared`` configuration; nil takes it away.
    public static func setCurrentURL(_ url: URL?) { shared.currentURL = url }

    /// The base URL.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` while none is set.
    public func baseURL() throws(HTTPError) -> URL {
        guard let url = currentURL else {
            throw .invalidRequest(
                .url(
                    "",
                    reason: "no base URL is set; call NetworkConfiguration.setCurrentURL(_:) at start-up, or give the "
                        + "router a baseURL of its own"))
        }
        return url
    }
}
