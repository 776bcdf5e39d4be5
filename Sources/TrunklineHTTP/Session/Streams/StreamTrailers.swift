/// The trailer fields of a streamed response, which come after the response was handed out.
final class StreamTrailers: Sendable {
    private let fields = Protected(HTTPHeaders())

    /// The fields; empty before the end of the content.
    var current: HTTPHeaders { fields.withLock { $0 } }

    func set(_ headers: HTTPHeaders) { fields.withLock { $0 = headers } }
}
