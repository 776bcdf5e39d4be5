import Foundation

/// Where a transport puts the response body.
public enum BodyDelivery: Hashable, Sendable {
    /// Into memory; the response is complete when it arrives.
    case data
    /// Straight into a file beside this one, which takes its place when the response is complete and accepted. After a
    /// failure whatever was there before is there still; a refused response carries its content in memory, up to 1 MB.
    ///
    /// (A transport on its own writes into the file it is given.)
    case file(URL)
    /// As a stream with backpressure; the response arrives as soon as its head is there.
    case stream
}
