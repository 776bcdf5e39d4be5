import Foundation

/// The system's side of reachability.
protocol PathMonitor: Sendable {
    /// The path as the system tells it when asked; nil where only a running monitor knows it.
    func snapshot() -> NetworkPath?

    /// Begins to call back on the queue, with the path now and after changes, repeated ones perhaps. Called on the queue,
    /// as ``stop()`` is, and in turns with it.
    func start(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NetworkPath) -> Void)

    /// Ends it and gives back what it used.
    func stop()
}

/// The platform's monitor.
enum PlatformPathMonitor {
    static func make() -> any PathMonitor {
        #if os(Linux)
            NetlinkPathMonitor()
        #elseif canImport(Network)
            AppleNetworkPathMonitor()
        #else
            NoPathMonitor()
        #endif
    }
}

/// Knows nothing: for platforms without a way to ask.
struct NoPathMonitor: PathMonitor {
    func snapshot() -> NetworkPath? { .unknown }
    func start(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NetworkPath) -> Void) { onPath(.unknown) }
    func stop() {}
}
