/// Where a response came from.
public enum ResponseSource: Hashable, Sendable {
    /// The network, in this exchange.
    case network
    /// The cache, without asking the server; with the entry's age.
    case cache(age: Duration)
}
