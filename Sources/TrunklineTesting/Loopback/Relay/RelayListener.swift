import Foundation

/// Accepts connections on a free port of 127.0.0.1 and gives each a thread: for servers that only pass bytes on.
final class RelayListener: Sendable {
    fileprivate struct State {
        var open: Set<Int32> = []
        var isStopped = false
    }

    let port: Int
    private let state: Protected<State>
    /// The ends of the pipe that wakes the listener's thread; closed last, as a pipe without a reader raises SIGPIPE.
    private let wake: (reading: Int32, writing: Int32)
    private let threads: DispatchGroup

    /// - Parameter serve: serves one connection, blocking; it may register more descriptors, and closes none.
    init(name: String, serve: @escaping @Sendable (Connections, Int32) -> Void) throws {
        let (listener, number) = try SystemSocket.listen(host: "127.0.0.1", port: 0, backlog: 256)
        do {
            wake = try SystemSocket.makePipe()
        } catch {
            SystemSocket.close(listener)
            throw error
        }
        port = Int(number)
        let reading = wake.reading
        let state = Protected(State())
        let threads = DispatchGroup()
        self.state = state
        self.threads = threads
        threads.enter()
        let thread = Thread {
            while !state.withLock({ $0.isStopped }) {
                switch SystemSocket.accept(listener) {
                case .connection(let descriptor):
                    threads.enter()
                    let worker = Thread {
                        let connections = Connections(state)
                        if connections.register(descriptor) { serve(connections, descriptor) }
                        connections.closeAll()
                        threads.leave()
                    }
                    worker.name = "\(name)-connection"
                    worker.start()
                case .none: SystemSocket.wait(for: [(listener, .read), (reading, .read)])
                case .exhausted: SystemSocket.wait(for: [(reading, .read)], milliseconds: 50)
                }
            }
            SystemSocket.close(listener)
            threads.leave()
        }
        thread.name = name
        thread.start()
    }

    deinit {
        stop()
        SystemSocket.close(wake.reading)
        SystemSocket.close(wake.writing)
    }

    /// Ends the listener and all connections, and waits for their threads.
    func stop() {
        let first = state.withLock { state in
            defer { state.isStopped = true }
            // Under the lock: no thread closes a descriptor meanwhile, whose number another would get.
            for descriptor in state.open { SystemSocket.shutDown(descriptor) }
            return !state.isStopped
        }
        if first { SystemSocket.poke(wake.writing) }
        threads.wait()
    }

    /// The descriptors of one connection's thread.
    final class Connections {
        private let state: Protected<State>
        private var mine: [Int32] = []

        fileprivate init(_ state: Protected<State>) { self.state = state }

        /// Takes a descriptor over; false when everything is being stopped.
        func register(_ descriptor: Int32) -> Bool {
            mine.append(descriptor)
            return state.withLock { state in
                state.open.insert(descriptor)
                return !state.isStopped
            }
        }

        fileprivate func closeAll() {
            for descriptor in mine {
                state.withLock { state in
                    state.open.remove(descriptor)
                    SystemSocket.close(descriptor)
                }
            }
        }
    }
}
