/// The trailer fields of a streamed response, which come after the response was handed out.
package final class StreamTrailers: Sendable {
    private let fields = Protected(HTTPHeaders())

    /// The fields; empty before the end of the content.
    package var current: HTTPHeaders { fields.withLock { $0 } }

    func set(_ headers: HTTPHeaders) { fields.withLock { $0 = headers } }
}
