/// A limit on a request's time that rests while the request waits for its turn: in a queue, for a token, for the network.
///
/// Pauses nest: the time counts again when every ``pause()`` had its ``resume()``.
protocol RequestTimer: Sendable {
    func pause()
    func resume()
}
