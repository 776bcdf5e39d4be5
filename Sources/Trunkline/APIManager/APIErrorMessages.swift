import Foundation

/// The sentences users read about failures: the app's own where it has them, English ones otherwise.
///
/// ```swift
/// APIErrorMessages.use(table: "Errors")                 // Errors.strings: "timeout" = "Das hat zu lange gedauert.";
/// APIErrorMessages.use { type in type == .noNetwork ? NSLocalizedString("offline", comment: "") : nil }
/// ```
///
/// Set at start-up, from any thread; the last call counts. A message is made with the error it belongs to and doesn't
/// change afterwards. What a validator, an envelope or a server's own error says goes before all of these.
public enum APIErrorMessages {
    /// Gives the sentence for a kind of failure, or nil for the English one. Called on the thread where the error is made.
    public typealias Provider = @Sendable (APIErrorType) -> String?

    private static let provider = Protected<Provider?>(nil)

    /// Takes the sentences from a closure.
    public static func use(_ provide: @escaping Provider) { provider.withLock { $0 = provide } }

    /// Takes the sentences from a table of localised strings, by ``APIErrorType/messageKey``; kinds the table doesn't have
    /// keep the English sentence.
    public static func use(bundle: Bundle = .main, table: String) {
        let path = bundle.bundlePath
        use { type in
            // Asked for by its path: a bundle is not Sendable on every platform.
            guard let bundle = Bundle(path: path) else { return nil }
            let text = bundle.localizedString(forKey: type.messageKey, value: "", table: table)
            return text.isEmpty || text == type.messageKey ? nil : text
        }
    }

    /// Goes back to the English sentences.
    public static func useDefaults() { provider.withLock { $0 = nil } }

    /// The sentence for the kind.
    static func message(for type: APIErrorType) -> String {
        // Called outside the lock, since it may make errors of its own.
        provider.current?(type) ?? type.defaultMessage
    }
}

extension APIErrorType {
    /// A sentence for the user: the app's own (``APIErrorMessages``), or ``defaultMessage``.
    public var userMessage: String { APIErrorMessages.message(for: self) }

    /// The key of the sentence in a table of localised strings: the kind's name; for a server error
    /// `serverError.notFound` (404), `serverError.forbidden` (401 and 403), `serverError.server` (500 and above) and
    /// `serverError` for the rest; for an envelope's failure `businessError.` and its code.
    public var messageKey: String {
        switch self {
        case .serverError(let status, _) where status >= 500: "serverError.server"
        case .serverError(let status, _) where status == 404: "serverError.notFound"
        case .serverError(let status, _) where status == 401 || status == 403: "serverError.forbidden"
        case .serverError: "serverError"
        case .businessError(let code): "businessError.\(code)"
        default: description
        }
    }

    /// The English sentence for the user.
    public var defaultMessage: String {
        switch self {
        case .default: "Nothing has been loaded yet."
        case .success: "Everything was loaded."
        case .noContent: "There is nothing to show."
        case .paramsError: "Please check what you entered."
        case .timeout: "The server took too long to answer. Please try again."
        case .noNetwork: "You are offline. Check your connection and try again."
        case .tokenError: "Your session has expired. Please log in again."
        case .needLogin: "Please log in first."
        case .cancelled: "The request was cancelled."
        case .serverError(let status, _) where status >= 500: "The server has a problem. Please try again later."
        case .serverError(let status, _) where status == 404: "This could not be found."
        case .serverError(let status, _) where status == 401 || status == 403: "You are not allowed to see this."
        case .serverError, .businessError: "The server refused the request."
        case .vetoed: "This is not possible right now."
        case .serviceError, .requestError: "The request could not be made."
        case .invalidContent: "The server's answer could not be read."
        case .connectionError: "The server could not be reached. Please try again."
        case .other: "Something went wrong. Please try again."
        }
    }
}
