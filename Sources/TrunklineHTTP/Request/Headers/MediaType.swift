import Foundation

/// A media type with its parameters, as in `Content-Type` (RFC 9110, section 8.3.1).
///
/// Type, subtype and parameter names compare without case; parameter values keep theirs.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// One parameter.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public var name: String
        /// The value, without quotes and escapes.
        public var value: String

        /// Makes a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    /// The type, in lower case: `text`.
    public var type: String
    /// The subtype, in lower case: `html`.
    public var subtype: String
    /// The parameters in order.
    public var parameters: [Parameter]

    /// Makes a media type from its parts.
    public init(type: String, subtype: String, parameters: [Parameter] = []) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Reads a field value, `text/html; Charset="utf-8"`. White space around delimiters, empty and broken parameters are
    /// tolerated, as servers send them; of a repeated name the first counts. Nil when there is no `type/subtype`.
    public init?(_ text: String) {
        var reader = FieldReader(text)
        guard let type = reader.token(), reader.skip("/"), let subtype = reader.token() else { return nil }
        self.init(type: type, subtype: subtype)
        reader.skipSpace()
        guard reader.isAtEnd || reader.isAt(";") || reader.isAt(",") else { return nil }
        while reader.skip(";") {
            reader.skipSpace()
            if let name = reader.token()?.lowercased(), reader.skip("="), let value = reader.tokenOrQuoted(),
                self[name] == nil
            {
                parameters.append(Parameter(name, value))
            }
            reader.skipToDelimiter()
        }
    }

    /// `type/subtype` without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter, its name in any case.
    public subscript(_ name: String) -> String? {
        parameters.first { HTTPHeaders.equal($0.name, name) }?.value
    }

    /// The `charset` parameter.
    public var charset: String? { self["charset"] }

    /// The structured-syntax suffix (RFC 6838, section 4.2.8): `json` of `application/problem+json`.
    public var suffix: String? {
        guard let plus = subtype.lastIndex(of: "+") else { return nil }
        return String(subtype[subtype.index(after: plus)...])
    }

    /// Whether the content is JSON, plain or by suffix.
    public var isJSON: Bool { essence == "application/json" || essence == "text/json" || suffix == "json" }

    /// Whether this type is within a range like `text/*`, `*/*` or `application/json`. Parameters don't count.
    public func matches(_ range: MediaType) -> Bool {
        (range.type == "*" || range.type == type) && (range.subtype == "*" || range.subtype == subtype)
    }

    /// The type as a field value; values that are no tokens in quotes.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += "; \(parameter.name)="
            if HTTPToken.isToken(parameter.value) {
                text += parameter.value
            } else {
                let escaped = parameter.value.replacingOccurrences(of: "\\", with: "\\\\")
                    .replacingOccurrences(of: "\"", with: "\\\"")
                text += "\"\(escaped)\""
            }
        }
    }
}
