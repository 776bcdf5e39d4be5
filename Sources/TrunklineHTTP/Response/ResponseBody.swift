import Foundation

/// The content of a response, as the request's ``BodyDelivery`` asked for it.
public enum ResponseBody: Sendable {
    /// The chunks of a streamed body, in order; pulling one makes room for the next. One consumer only.
    public typealias Chunks = AsyncThrowingStream<Data, any Error>

    /// The whole body in memory; empty when there was none.
    case data(Data)
    /// A file that holds the whole body.
    case file(URL)
    /// A stream that is still arriving. Ends with an error when the body was cut short.
    case stream(Chunks)
}
