/// Lets a script wait until a delegate has been called. An app needs none of this: its run loop goes on by itself.
@MainActor
final class Callback {
    private var waiting: CheckedContinuation<Void, Never>?

    /// Starts something and returns once `arrived()` was called.
    func wait(for start: () -> Void) async {
        await withCheckedContinuation {
            waiting = $0
            start()
        }
    }

    func arrived() {
        waiting?.resume()
        waiting = nil
    }
}
