/// Errors that several kinds of streams share.
enum StreamFailures {
    static let secondConsumer = HTTPError.unsupported(
        feature: "A second consumer of a response stream", platform: "any platform")
}
