/// Where a response came from.
public enum ResponseSource: Hashable, Sendable {
    /// The network, in this exchange.
    case network
    /// The cache, without asking the server; with the entry's age.
    case cache(age: Duration)
    /// The cache, after the server has said in this exchange that the entry is still right (304); with the entry's age.
    case revalidated(age: Duration)
    /// The cache, although the server's word makes the entry stale: the policy or the server allowed it, since the server
    /// could not be reached or while it is asked in the background; with the entry's age.
    case stale(age: Duration)
}

extension ResponseSource {
    /// Whether the content came from the cache and the server had no say in this exchange: ``cache(age:)`` or
    /// ``stale(age:)``.
    public var isCache: Bool {
        switch self {
        case .cache, .stale: true
        case .network, .revalidated: false
        }
    }

    /// How old the answer is where it came from the cache, nil where it came from the network.
    public var age: Duration? {
        switch self {
        case .network: nil
        case .cache(let age), .revalidated(let age), .stale(let age): age
        }
    }
}
