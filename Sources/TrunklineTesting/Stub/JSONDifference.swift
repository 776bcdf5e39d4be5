import Foundation
import TrunklineHTTP

/// Where two JSON trees differ, in words.
enum JSONDifference {
    /// What differs in the request's content; nil when nothing does.
    static func find(in request: StubRequest, _ wanted: JSONValue, exact: Bool) -> String? {
        let found: JSONValue
        do {
            found = try JSONValue(parsing: request.body)
        } catch {
            guard !request.body.isEmpty else { return "there is no body, wanted JSON" }
            return "the body is no JSON"
        }
        return difference(found, wanted, at: "", exact: exact)
    }

    private static func difference(_ found: JSONValue, _ wanted: JSONValue, at path: String, exact: Bool) -> String? {
        switch (found, wanted) {
        case (.object(let found), .object(let wanted)):
            for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
                let place = path.isEmpty ? name : "\(path).\(name)"
                guard let other = found[name] else { return "the body has no \"\(place)\"" }
                if let result = difference(other, value, at: place, exact: exact) { return result }
            }
            guard exact, let extra = found.keys.sorted().first(where: { wanted[$0] == nil }) else { return nil }
            return "the body has a member \"\(path.isEmpty ? extra : "\(path).\(extra)")\" that is not wanted"
        case (.array(let found), .array(let wanted)):
            guard found.count == wanted.count else {
                return "\(name(path)) has \(found.count) elements, wanted \(wanted.count)"
            }
            for (index, pair) in zip(found, wanted).enumerated() {
                if let result = difference(pair.0, pair.1, at: "\(path)[\(index)]", exact: exact) { return result }
            }
            return nil
        default:
            guard found != wanted else { return nil }
            let shown = hides(path) ? Redaction.mask : text(found)
            return "\(name(path)) is \(shown), wanted \(hides(path) ? Redaction.mask : text(wanted))"
        }
    }

    private static func name(_ path: String) -> String { path.isEmpty ? "the body" : "the body's \"\(path)\"" }

    private static func hides(_ path: String) -> Bool {
        let names = path.lowercased().split { ".[]".contains($0) }.map(String.init)
        return Redaction.standard.jsonKeys.contains { names.contains($0.lowercased()) }
    }

    /// The value as short JSON, credentials masked.
    static func text(_ value: JSONValue) -> String {
        guard let data = try? JSONEncoder.stable.encode(value) else { return "a value that can't be written" }
        let text = Redaction.standard.text(of: data, contentType: "application/json") ?? ""
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}
