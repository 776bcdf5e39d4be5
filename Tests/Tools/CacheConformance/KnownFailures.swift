/// Cases that are not passed on purpose, and why.
enum KnownFailures {
    static let reasons: [String: String] = [:]
}
