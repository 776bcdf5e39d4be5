/// The device's way to the network, as far as the system knows it: whether there is one, not whether a host answers.
public struct NetworkPath: Hashable, Sendable {
    /// Whether there is a way to the network.
    public enum Status: String, Hashable, Sendable {
        /// There is.
        case satisfied
        /// There is none.
        case unsatisfied
        /// There is none, and a connection attempt may make one (a VPN on demand). Apple platforms only.
        case requiresConnection
        /// The system has not said so, or can't be asked.
        case unknown
    }

    /// What an interface is.
    public enum Interface: String, Hashable, Sendable, CaseIterable {
        case wifi
        case wired
        case cellular
        case loopback
        /// A tunnel, or something the system doesn't describe.
        case other
    }

    /// Whether there is a way to the network.
    public var status: Status
    /// What kinds of interfaces it goes through.
    public var interfaces: Set<Interface>
    /// Whether it costs the user money (cellular, a hotspot); nil where the system doesn't tell.
    public var isExpensive: Bool?
    /// Whether the user asked to save data; nil where the system doesn't tell.
    public var isConstrained: Bool?

    /// Makes a path.
    public init(
        status: Status, interfaces: Set<Interface> = [], isExpensive: Bool? = nil, isConstrained: Bool? = nil
    ) {
        self.status = status
        self.interfaces = interfaces
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }

    /// A path nothing is known about.
    public static let unknown = NetworkPath(status: .unknown)

    /// Whether there is a way to the network for sure.
    public var isSatisfied: Bool { status == .satisfied }
}
