import Foundation

/// A path written as a string literal. What is interpolated is escaped, so that a value stays a value:
///
/// ```swift
/// let path: RoutePath = "films/\(title)/cast?page=\(page)"
/// ```
///
/// In the path a value becomes text inside one segment, `/` escaped; one that is null, empty or a dot segment is refused
/// when the path is used (see ``PathTemplate``). After a `?` it becomes one query value. The literal text stays as it is
/// written. Text from elsewhere that is a path already goes through ``init(_:)``.
public struct RoutePath: Hashable, Sendable {
    fileprivate enum Piece: Hashable, Sendable {
        case literal(String)
        case value(ParameterValue)
    }

    private var pieces: [Piece]

    /// Makes a path of text that is taken as it is, delimiters and escapes included.
    public init(_ path: String) { pieces = [.literal(path)] }

    /// The path as text, ready for ``URLBuilder``.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` for an interpolated value that can't stand there, and for braces in the
    ///   literal text: write them as `%7B` and `%7D`.
    public func text() throws(HTTPError) -> String {
        var template = ""
        var query: String?
        var values = Parameters()
        for piece in pieces {
            switch piece {
            case .literal(let text):
                // Cut by bytes: a combining character must not hide the question mark.
                if query == nil, let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) {
                    template += text[..<mark]
                    query = String(text[mark...])
                } else if query == nil {
                    template += text
                } else {
                    query? += text
                }
            case .value(let value) where query == nil:
                let name = "value \(values.count + 1)"
                template += "{\(name)}"
                values[name] = value
            case .value(let value):
                var place = ParameterPath()
                place.push(description)
                do throws(RequestFailure) {
                    query? += PercentEncoding.escape(try URLParameterEncoder().text(of: value, at: place))
                } catch {
                    throw .invalidRequest(error)
                }
            }
        }
        return try PathTemplate(template).fill(from: &values) + (query ?? "")
    }
}

extension RoutePath: ExpressibleByStringInterpolation {
    /// The pieces of a literal while the compiler puts them together.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Takes literal text as it is.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
        }

        /// Takes a value of any type a parameter may have: text, numbers, raw-value enums, dates, UUIDs.
        public mutating func appendInterpolation(_ value: Any?) {
            pieces.append(.value(ParameterValue(converting: value)))
        }
    }

    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }
}

extension RoutePath: CustomStringConvertible {
    /// The path for a log, values as they were given.
    public var description: String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .literal(let literal): text += literal
            case .value(let value): text += (try? URLParameterEncoder().text(of: value, at: ParameterPath())) ?? "?"
            }
        }
    }
}
