import Foundation

/// Where a transport puts the response body.
public enum BodyDelivery: Hashable, Sendable {
    /// Into memory; the response is complete when it arrives.
    case data
    /// Straight into the file, which is created or emptied first; the response arrives when the file is complete.
    case file(URL)
    /// As a stream with backpressure; the response arrives as soon as its head is there.
    case stream
}
