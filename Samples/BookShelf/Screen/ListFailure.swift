/// The list could not be shown; with what the reader is told.
struct ListFailure: Error, CustomStringConvertible {
    let description: String
}
