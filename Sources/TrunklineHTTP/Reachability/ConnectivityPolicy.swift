/// What happens to a request while there is no network.
public enum ConnectivityPolicy: Hashable, Sendable {
    /// It is sent, and fails as it does: a session's default.
    case fail
    /// It waits for a network, this long in all; then it fails with ``HTTPError/offline``.
    ///
    /// A request waits before it is sent while the path is known to be unsatisfied. One that failed with
    /// ``HTTPError/offline``, ``HTTPError/nameResolution(host:)`` or ``HTTPError/connectionFailed(reason:)`` although
    /// there seemed to be a network waits, too, if the path is unsatisfied now, and is sent again: nothing had reached
    /// the server, so any method may. A body that can be read only once is not sent again.
    ///
    /// Requests to the device itself (`localhost`, 127.0.0.0/8, `::1`) never wait, and nobody waits while the path is
    /// unknown. The wait counts towards no limit of ``Timeouts``, and every attempt of a ``RetryPolicy`` may wait anew.
    case wait(atMost: Duration)
}
