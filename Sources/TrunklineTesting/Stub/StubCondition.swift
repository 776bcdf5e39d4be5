import Foundation
import TrunklineHTTP

/// What a request must have besides method and URL for a ``Stub`` to answer it.
///
/// ```swift
/// stubs.when(.post, "/items", .header("Accept", "application/json"), .json(containing: ["title": "Emma"]),
///     answer: .status(201))
/// ```
public struct StubCondition: Sendable, CustomStringConvertible {
    /// The condition in words.
    public let description: String
    private let part: StubMismatch.Part
    private let difference: @Sendable (StubRequest) -> String?

    private init(
        _ part: StubMismatch.Part, _ description: String, _ difference: @escaping @Sendable (StubRequest) -> String?
    ) {
        self.part = part
        self.description = description
        self.difference = difference
    }

    /// What differs; nil where the condition holds.
    func mismatch(_ request: StubRequest) -> StubMismatch? { difference(request).map { StubMismatch(part, $0) } }

    // MARK: Query

    /// The query has the item, with this value among its values; nil for an item without `=`.
    public static func query(_ name: String, _ value: String?) -> StubCondition {
        StubCondition(.query, "query \(name)=\(value ?? "")") { queryDifference($0, name, value) }
    }

    /// The query has the item, whatever its value.
    public static func hasQuery(_ name: String) -> StubCondition {
        StubCondition(.query, "query \(name)") { request in
            request.queryItems.contains { $0.name == name } ? nil : "the query item \"\(name)\" is missing"
        }
    }

    /// The query has no such item.
    public static func noQuery(_ name: String) -> StubCondition {
        StubCondition(.query, "no query \(name)") { request in
            request.queryItems.contains { $0.name == name } ? "there is a query item \"\(name)\", wanted none" : nil
        }
    }

    /// The query has these items and no others, in any order.
    public static func exactQuery(_ items: [String: String]) -> StubCondition {
        StubCondition(.query, "query exactly \(items.sorted { $0.key < $1.key })") { request in
            let found = request.queryItems.map { "\($0.name)=\($0.value ?? "")" }.sorted()
            let wanted = items.map { "\($0.key)=\($0.value)" }.sorted()
            guard found != wanted else { return nil }
            return "the query is \"\(shown(found))\", wanted exactly \"\(shown(wanted))\""
        }
    }

    static func queryDifference(_ request: StubRequest, _ name: String, _ value: String?) -> String? {
        let found = request.queryItems.filter { $0.name == name }
        if found.contains(where: { $0.value == value }) { return nil }
        let wanted = value.map { "\"\($0)\"" } ?? "none"
        guard let first = found.first else { return "the query item \"\(name)\" is missing, wanted \(wanted)" }
        let text = shown(["\(name)=\(first.value ?? "")"]).dropFirst(name.count + 1)
        return "the query item \"\(name)\" is \"\(text)\", wanted \(wanted)"
    }

    /// Pairs with credentials masked.
    private static func shown(_ pairs: [String]) -> String {
        Redaction.standard.text(
            of: Data(pairs.joined(separator: "&").utf8), contentType: "application/x-www-form-urlencoded") ?? ""
    }

    // MARK: Header fields

    /// The header field has this value: joined where it has several lines, or one of the lines.
    public static func header(_ name: String, _ value: String) -> StubCondition {
        StubCondition(.header, "header \(name): \(Redaction.standard.value(value, ofHeader: name))") { request in
            guard let found = request.headers[name] else { return "the header field \"\(name)\" is missing" }
            if found == value || request.headers.values(for: name).contains(value) { return nil }
            let rule = Redaction.standard
            return "the header field \"\(name)\" is \"\(rule.value(found, ofHeader: name))\", "
                + "wanted \"\(rule.value(value, ofHeader: name))\""
        }
    }

    /// The header field is there, whatever its value.
    public static func hasHeader(_ name: String) -> StubCondition {
        StubCondition(.header, "header \(name)") {
            $0.headers.contains(name) ? nil : "the header field \"\(name)\" is missing"
        }
    }

    /// The header field is not there.
    public static func noHeader(_ name: String) -> StubCondition {
        StubCondition(.header, "no header \(name)") {
            $0.headers.contains(name) ? "there is a header field \"\(name)\", wanted none" : nil
        }
    }

    // MARK: Content

    /// The content is this JSON; spacing, the order of members and the spelling of numbers make no difference.
    public static func json(_ value: JSONValue) -> StubCondition {
        StubCondition(.body, "JSON \(JSONDifference.text(value))") { JSONDifference.find(in: $0, value, exact: true) }
    }

    /// The content is the JSON of this text.
    public static func json(_ text: String) -> StubCondition { parsed(text) { json($0) } }

    /// The content is JSON that has these members, in objects at any depth others too. Arrays have as many elements.
    public static func json(containing value: JSONValue) -> StubCondition {
        StubCondition(.body, "JSON containing \(JSONDifference.text(value))") {
            JSONDifference.find(in: $0, value, exact: false)
        }
    }

    /// The content is JSON that has the members of this text; see ``json(containing:)``.
    public static func json(containing text: String) -> StubCondition { parsed(text) { json(containing: $0) } }

    private static func parsed(_ text: String, _ make: (JSONValue) -> StubCondition) -> StubCondition {
        do {
            return make(try JSONValue(parsing: Data(text.utf8)))
        } catch {
            return StubCondition(.body, "JSON") { [error] _ in "the stub's own JSON can't be read: \(error)" }
        }
    }

    /// The content is a form with these fields, and others too unless it must be `exact`.
    public static func form(_ fields: [String: String], exact: Bool = false) -> StubCondition {
        StubCondition(.body, "form \(shown(fields.map { "\($0.key)=\($0.value)" }.sorted()))") { request in
            let found = request.formItems
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                let values = found.filter { $0.name == name }
                if values.contains(where: { $0.value == value }) { continue }
                guard let first = values.first else { return "the form field \"\(name)\" is missing" }
                let pairs = [shown(["\(name)=\(first.value ?? "")"]), shown(["\(name)=\(value)"])]
                return "the form has \(pairs[0]), wanted \(pairs[1])"
            }
            guard exact, let other = found.first(where: { fields[$0.name] == nil }) else { return nil }
            return "the form has a field \"\(other.name)\", wanted none of that name"
        }
    }

    /// The content is these bytes.
    public static func body(_ data: Data) -> StubCondition {
        StubCondition(.body, "\(data.count) bytes") { request in
            guard request.body != data else { return nil }
            let place = zip(request.body, data).enumerated().first { $1.0 != $1.1 }?.offset
            return "the body has \(request.body.count) bytes, wanted \(data.count); they differ from byte "
                + "\(place ?? min(data.count, request.body.count)) on"
        }
    }

    /// The content is this text in UTF-8.
    public static func text(_ text: String) -> StubCondition { body(Data(text.utf8)) }

    /// There is no content.
    public static var noBody: StubCondition {
        StubCondition(.body, "no body") {
            $0.body.isEmpty ? nil : "the body has \($0.body.count) bytes, wanted none"
        }
    }

    /// A condition of the test's own.
    ///
    /// - Parameters:
    ///   - description: what it asks for, for the message when it does not hold.
    ///   - holds: whether a request meets it.
    public static func matching(
        _ description: String, _ holds: @escaping @Sendable (StubRequest) -> Bool
    ) -> StubCondition {
        StubCondition(.custom, description) { holds($0) ? nil : "it is not \"\(description)\"" }
    }
}
