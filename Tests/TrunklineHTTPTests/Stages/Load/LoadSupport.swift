import Foundation
import TrunklineTesting

@testable import TrunklineHTTP

/// What the suites about load share.
enum Load {
    static func url(_ host: String = "h", _ path: String = "/") -> URL {
        URL(string: "http://\(host)\(path)") ?? URL(fileURLWithPath: "/")
    }

    static func exchange(
        _ host: String = "h", method: HTTPMethod = .get, options: RequestOptions = RequestOptions()
    ) -> Exchange {
        Exchange(request: HTTPRequest(method: method, url: url(host), options: options))
    }

    /// A pipeline of these stages.
    static func next(_ stages: [any Interceptor], _ transport: any Transport) -> Next {
        Next(stages: stages, transport: transport)
    }
}

/// Counts how many are in at the same time.
final class Crowd: Sendable {
    private let state = Protected((now: 0, most: 0, all: 0))

    var now: Int { state.current.now }
    var most: Int { state.current.most }
    var all: Int { state.current.all }

    func enter() {
        state.withLock { state in
            state.now += 1
            state.all += 1
            state.most = max(state.most, state.now)
        }
    }

    func leave() { state.withLock { $0.now -= 1 } }
}

/// Remembers the pauses of a request's time.
final class RecordingTimer: RequestTimer {
    private let state = Protected((paused: 0, resumed: 0))

    var paused: Int { state.current.paused }
    var resumed: Int { state.current.resumed }
    var isPaused: Bool { state.withLock { $0.paused > $0.resumed } }

    func pause() { state.withLock { $0.paused += 1 } }
    func resume() { state.withLock { $0.resumed += 1 } }
}

extension Result where Failure == any Error {
    /// The library's error, where there is one.
    var httpError: HTTPError? {
        if case .failure(let error) = self { error as? HTTPError } else { nil }
    }
}

extension HTTPError {
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
    var isOffline: Bool { if case .offline = self { true } else { false } }
}
