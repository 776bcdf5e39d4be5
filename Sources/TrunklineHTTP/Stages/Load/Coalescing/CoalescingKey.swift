import Foundation

/// What makes two requests the same exchange: everything that can change the bytes sent or the way they are answered.
/// All header fields count, so requests with other credentials are other requests.
///
/// Left out is what concerns the one who asks and not the exchange: validation, tags, priority and the total limit.
struct CoalescingKey: Hashable, Sendable {
    private let method: HTTPMethod
    private let url: String
    private let fields: [HTTPHeaders.Field]
    private let partition: CachePartition
    private let cache: CachePolicy?
    private let cacheKey: CacheKey?
    private let cacheTurn: CacheTurn
    private let redirects: RedirectPolicy?
    private let retry: RetryPolicy?
    private let hedging: HedgingPolicy?
    private let connectivity: ConnectivityPolicy?
    private let timeouts: Timeouts
    private let isAuthenticated: Bool

    /// The key, or nil for a request that is sent for itself: anything but GET and HEAD without a body, delivered as data,
    /// and what brings an authentication or a signature of its own.
    init?(_ exchange: Exchange) {
        let request = exchange.request
        guard request.method == .get || request.method == .head, request.body == nil,
            request.options.delivery == .data, !request.options.isSigned
        else { return nil }
        method = request.method
        url = request.url.absoluteString
        fields = request.headers.fields
        partition = request.options.cachePartition
        cache = request.options.cache
        cacheKey = request.options.cacheKey
        cacheTurn = request.options.cacheTurn
        redirects = request.options.redirects
        retry = request.options.retry
        hedging = request.options.hedging
        connectivity = request.options.connectivity
        timeouts = exchange.timeouts.withoutTotal
        switch request.options.authentication {
        case .inherit: isAuthenticated = true
        case .none: isAuthenticated = false
        case .use: return nil
        }
    }
}

extension Timeouts {
    /// The limits of single attempts.
    var withoutTotal: Timeouts { Timeouts(connect: connect, idle: idle, total: nil) }
}
