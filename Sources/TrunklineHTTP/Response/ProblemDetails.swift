import Foundation

/// A server's own account of what went wrong, `application/problem+json` (RFC 9457).
///
/// ```swift
/// do {
///     let order = try await session.send(.post("https://example.com/orders", json: cart)).decode(Order.self)
/// } catch {
///     if let problem = error.problem { show(problem.title ?? "The order was refused.") }
/// }
/// ```
public struct ProblemDetails: Error, Hashable, Sendable, CustomStringConvertible {
    /// A URI that names the kind of problem; `about:blank` when the status says it all.
    public var type: String
    /// A short summary of the kind.
    public var title: String?
    /// The status the server generated; advisory, an intermediary may have changed the answer's.
    public var status: Int?
    /// What happened this time.
    public var detail: String?
    /// A URI that names this occurrence.
    public var instance: String?
    /// All other members.
    public var extensions: [String: JSONValue]

    /// Makes a problem from its parts.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil,
        instance: String? = nil, extensions: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }

    /// Reads a problem document; nil when it is no JSON object. Members of the wrong type are ignored (section 3.1).
    public init?(parsing data: Data) {
        guard case .object(var members)? = try? JSONValue(parsing: data) else { return nil }
        func take(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }
        self.init(
            type: take("type")?.string ?? "about:blank", title: take("title")?.string, status: take("status")?.int,
            detail: take("detail")?.string, instance: take("instance")?.string)
        extensions = members
    }

    /// The title, and the detail where there is one.
    public var description: String {
        let summary = title ?? (type == "about:blank" ? nil : type) ?? status.map { "Status \($0)" } ?? "A problem"
        return Redaction.standard.text(detail.map { "\(summary): \($0)" } ?? summary)
    }
}

extension HTTPResponse {
    /// The problem the content describes, where its media type is `application/problem+json`.
    public var problem: ProblemDetails? {
        guard MediaType(headers["Content-Type"] ?? "")?.essence == "application/problem+json" else { return nil }
        return (try? wholeContent()).flatMap(ProblemDetails.init(parsing:))
    }
}

extension HTTPError {
    /// The problem the server's answer describes; see ``HTTPResponse/problem``.
    public var problem: ProblemDetails? { response?.problem }
}
