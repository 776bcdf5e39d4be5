/// The trailer fields of a streamed response and the last of its figures, which come after the response was handed out.
package final class StreamTrailers: Sendable {
    private let fields = Protected(HTTPHeaders())
    private let figures = Protected<TransportMetrics?>(nil)

    /// The fields; empty before the end of the content.
    package var current: HTTPHeaders { fields.withLock { $0 } }

    /// The figures of the whole exchange; nil before the end of the content.
    var metrics: TransportMetrics? { figures.withLock { $0 } }

    func set(_ headers: HTTPHeaders, _ metrics: TransportMetrics? = nil) {
        fields.withLock { $0 = headers }
        figures.withLock { $0 = metrics }
    }
}
