import Foundation

extension Redaction {
    /// Masks members of a JSON text; nil where there is nothing to mask, so that the text stays as it was.
    func json(_ text: String) -> String? {
        guard mayHide(text) else { return nil }
        if let tree = Redaction.tree(text) { return maskedText(of: tree) }
        if let lines = lines(text) { return lines == text ? nil : lines }
        // Too damaged to be told apart: an object or an array is hidden whole.
        return text.contains { $0 == "{" || $0 == "[" } ? Redaction.mask : self.text(text)
    }

    /// JSON texts a line each, masked one by one; nil where a line is none. Servers send them as `application/json`, too.
    private func lines(_ text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return nil }
        var shown: [String] = []
        for line in lines {
            if line.allSatisfy(\.isWhitespace) {
                shown.append(line)
            } else {
                guard let tree = Redaction.tree(line) else { return nil }
                shown.append(maskedText(of: tree) ?? line)
            }
        }
        return shown.joined(separator: "\n")
    }

    private static func tree(_ text: String) -> JSONValue? { try? JSONValue(parsing: Data(text.utf8)) }

    /// The tree as it may be shown, as text; nil where nothing in it is masked.
    private func maskedText(of tree: JSONValue) -> String? {
        let masked = masked(tree)
        guard masked != tree else { return nil }
        guard let data = try? JSONEncoder.stable.encode(masked) else { return Redaction.mask }
        return String(decoding: data, as: UTF8.self)
    }

    /// Whether a look at the tree is due. A name may be written with escapes: then only the tree tells.
    private func mayHide(_ text: String) -> Bool {
        if !jsonPaths.isEmpty || !rules.isEmpty || text.contains("\\u") || holdsMore(text) {
            return true
        }
        let folded = RedactedNames.fold(text)
        return wordNames.isPart(of: folded) || keyNames.isPart(of: folded)
    }

    /// The tree as it may be shown.
    func masked(_ value: JSONValue) -> JSONValue { masked(value, path: []) }

    private func masked(_ value: JSONValue, path: [String]) -> JSONValue {
        switch value {
        case .array(let elements):
            return .array(elements.map { masked($0, path: path + ["[]"]) })
        case .object(let members):
            return .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, member(name, value, path: path + [name]))
                    }))
        case .string(let text):
            if let name = path.last, let ruled = ruled(.json, Redaction.text(of: path), text), !name.isEmpty {
                return .string(ruled)
            }
            return holdsMore(text) ? .string(self.text(text)) : value
        default:
            return value
        }
    }

    private func member(_ name: String, _ value: JSONValue, path: [String]) -> JSONValue {
        let folded = RedactedNames.fold(name)
        if keyNames.contains(folded) || jsonPaths.contains(where: { Redaction.matches($0, path) }) {
            return .string(Redaction.mask)
        }
        if wordNames.isPart(of: folded) {
            switch value {
            case .string, .array, .object: return .string(Redaction.mask)
            default: break
            }
        }
        return masked(value, path: path)
    }

    /// Whether a string may be a URL or a credential.
    private func holdsMore(_ text: String) -> Bool {
        text.contains("://") || text.contains("earer ") || text.contains("asic ")
    }

    private static func text(of path: [String]) -> String {
        path.reduce(into: "") { text, part in
            text += part == "[]" || text.isEmpty ? part : "." + part
        }
    }

    /// Whether a pattern names the path.
    private static func matches(_ pattern: String, _ path: [String]) -> Bool {
        let parts = pattern.replacingOccurrences(of: "[", with: ".[").split(separator: ".")
        guard parts.count == path.count else { return false }
        return zip(parts, path).allSatisfy { part, name in
            part == "*" || HTTPHeaders.equal(String(part), name)
                || (name == "[]" && part.first == "[" && part.last == "]")
        }
    }
}
