/// What is wrong with a JSON text.
struct JSONSyntaxError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
