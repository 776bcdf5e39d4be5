import Foundation

/// A path with placeholders, `/users/{id}/files/{name}`, filled from parameters.
///
/// Each value becomes text inside one segment: everything but unreserved characters is escaped, `/` included. A value
/// that would make a dot segment is refused, because escaping a dot is no cure: servers and clients resolve `%2E%2E`
/// like `..` (RFC 3986, section 5.2.4). The host, the query and the literal parts of the path are left alone.
public struct PathTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The template: a path or a whole URL.
    public let description: String

    /// Makes a template; it is checked when it is filled.
    public init(_ template: String) { description = template }

    /// The names of the placeholders, in order, each once.
    public var names: [String] {
        var names: [String] = []
        for case .placeholder(let name) in (try? pieces(of: URLReference(description).path)) ?? []
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Fills the placeholders and takes the parameters that were used out of `parameters`.
    ///
    /// - Parameters:
    ///   - parameters: where the values come from.
    ///   - format: how numbers, booleans and dates become text.
    /// - Returns: the template as text with every placeholder replaced; ready for ``URLBuilder``.
    /// - Throws: ``HTTPError/invalidRequest(_:)``: ``RequestFailure/pathTemplate(_:reason:)`` for placeholders without a
    ///   value (all are listed), unbalanced braces, or a placeholder in the query;
    ///   ``RequestFailure/parameter(path:reason:)`` for a value that is null, empty, an array, an object or a dot segment.
    public func fill(
        from parameters: inout Parameters, format: URLParameterEncoder = URLParameterEncoder()
    ) throws(HTTPError) -> String {
        do {
            return try filled(from: &parameters, format: format)
        } catch {
            throw .invalidRequest(error)
        }
    }

    private func filled(
        from parameters: inout Parameters, format: URLParameterEncoder
    ) throws(RequestFailure) -> String {
        var reference = URLReference(description)
        try refusePlaceholders(in: reference.query, of: parameters)
        let pieces = try pieces(of: reference.path)
        guard pieces.contains(where: { if case .placeholder = $0 { true } else { false } }) else { return description }
        try refuseMissing(pieces, in: parameters)

        var used: [String] = []
        var path: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes): path.append(contentsOf: bytes)
            case .placeholder(let name):
                guard let value = parameters[name] else { continue }
                let text = try segment(of: value, name: name, format: format)
                PercentEncoding.append(text, to: &path, allowed: .segment)
                used.append(name)
            }
        }
        for name in used { parameters.remove(name) }
        reference.path = path
        return reference.text
    }

    private enum Piece {
        case literal(ArraySlice<UInt8>)
        case placeholder(String)
    }

    private func pieces(of path: [UInt8]) throws(RequestFailure) -> [Piece] {
        var pieces: [Piece] = []
        var rest = path[...]
        while let open = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            let inside = rest[(open + 1)...]
            guard rest[open] == UInt8(ascii: "{"), let close = inside.firstIndex(of: UInt8(ascii: "}")) else {
                throw failure("a brace has no partner; write a literal brace as %7B or %7D")
            }
            let name = String(decoding: inside[..<close], as: UTF8.self)
            guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "{")), !name.utf8.contains(UInt8(ascii: "/")) else {
                throw failure("\"{\(name)}\" is not a placeholder name")
            }
            pieces.append(.literal(rest[..<open]))
            pieces.append(.placeholder(name))
            rest = rest[(close + 1)...]
        }
        pieces.append(.literal(rest))
        return pieces
    }

    /// The text of one value. As no value is empty or only one or two dots, neither is any segment made of values.
    private func segment(
        of value: ParameterValue, name: String, format: URLParameterEncoder
    ) throws(RequestFailure) -> String {
        var path = ParameterPath()
        path.push(name)
        if value == .null { throw path.failure("the path needs a value, not null") }
        let text = try format.text(of: value, at: path)
        if text.isEmpty { throw path.failure("the path needs a value, not an empty text") }
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == 0x5C }
        for part in parts where part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
            throw path.failure("a path value may not be or hold the dot segment \"\(String(part) ?? "..")\"")
        }
        return text
    }

    private func refuseMissing(_ pieces: [Piece], in parameters: Parameters) throws(RequestFailure) {
        var missing: [String] = []
        for case .placeholder(let name) in pieces where parameters[name] == nil && !missing.contains(name) {
            missing.append(name)
        }
        guard missing.isEmpty else {
            throw failure("there is no parameter for \(missing.map { "{\($0)}" }.joined(separator: ", "))")
        }
    }

    /// A placeholder in the query would be sent as it stands, which is surely not meant when there is such a parameter.
    private func refusePlaceholders(in query: [UInt8]?, of parameters: Parameters) throws(RequestFailure) {
        guard let query, query.contains(UInt8(ascii: "{")) else { return }
        for name in parameters.keys where String(decoding: query, as: UTF8.self).contains("{\(name)}") {
            throw failure(
                "{\(name)} is in the query; leave it out there, the parameter is added to the query by itself")
        }
    }

    private func failure(_ reason: String) -> RequestFailure { .pathTemplate(description, reason: reason) }
}
