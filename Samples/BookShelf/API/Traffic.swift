/// Counts what the app's endpoints do. One place sees them all: their common interceptor, `LibraryRules`.
@MainActor
final class Traffic {
    static let shared = Traffic()

    var requestsSent = 0
    var answersFromCache = 0
}
