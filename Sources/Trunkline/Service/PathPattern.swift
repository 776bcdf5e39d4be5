import Foundation

/// A pattern for the paths of a service's requests, below its base URL and version.
///
/// - A path is compared segment by segment: `/items/new` matches itself.
/// - `*` in a segment stands for any run of characters, also none, but a segment of `*` alone for a whole one, which is
///   never empty: `/items/*` matches `/items/7` and neither `/items` nor `/items/7/parts`; `/files/*.json` matches
///   `/files/a.json`.
/// - `**` as a segment stands for any number of segments, also none: `/items/**` matches `/items` and `/items/7/parts`.
///
/// Leading, trailing and doubled slashes don't count, nor does the query. Case does. Escapes in a path are resolved segment
/// by segment, so `%2F` is part of one.
public struct PathPattern: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The pattern as it was written.
    public let description: String
    private let segments: [[Character]]

    /// Reads a pattern; every text is one.
    public init(_ text: String) {
        description = text
        segments = text.split(separator: "/").map { Array($0) }
    }

    /// Reads a pattern.
    public init(stringLiteral value: String) { self.init(value) }

    /// Whether the pattern matches a path, escaped as in a URL.
    public func matches(_ path: String) -> Bool {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/").map { part in
            Array(String(part).removingPercentEncoding ?? String(part))
        }
        return Self.matches(segments[...], parts[...], isMany: { $0 == ["*", "*"] }, isOne: Self.segment)
    }

    private static func segment(_ pattern: [Character], _ part: [Character]) -> Bool {
        if pattern == ["*"] { return !part.isEmpty }
        return matches(pattern[...], part[...], isMany: { $0 == "*" }, isOne: ==)
    }

    /// Whether the elements follow the pattern, in which some stand for many. The last of those is the only one that has to
    /// be tried again, so the time is at most the product of the lengths.
    private static func matches<Element>(
        _ pattern: ArraySlice<Element>, _ elements: ArraySlice<Element>, isMany: (Element) -> Bool,
        isOne: (Element, Element) -> Bool
    ) -> Bool {
        var rest = (pattern: pattern, elements: elements)
        var retry: (pattern: ArraySlice<Element>, elements: ArraySlice<Element>)?
        while true {
            if let first = rest.pattern.first, isMany(first) {
                rest.pattern.removeFirst()
                retry = rest
            } else if let first = rest.pattern.first, let element = rest.elements.first, isOne(first, element) {
                rest.pattern.removeFirst()
                rest.elements.removeFirst()
            } else if rest.pattern.isEmpty, rest.elements.isEmpty {
                return true
            } else if var again = retry, !again.elements.isEmpty {
                again.elements.removeFirst()
                retry = again
                rest = again
            } else {
                return false
            }
        }
    }
}
