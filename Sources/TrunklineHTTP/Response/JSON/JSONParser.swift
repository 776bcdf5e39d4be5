import Foundation

/// A JSON parser (RFC 8259) with a stack of its own, so that no input can exhaust the thread's. Every byte is looked at
/// once; nothing is guessed, repaired or rounded that fits a number type exactly.
struct JSONParser {
    /// What was wrong, and where.
    struct Failure: Error {
        let path: String
        let reason: String
    }

    static let maximumDepth = 512

    /// An array or object that is still open. What it holds so far lies on the flat stacks from its starts on, so that
    /// nothing is copied before it is complete.
    private struct Open {
        let isObject: Bool
        let firstValue: Int
        let firstKey: Int
    }

    private var reader: JSONByteReader
    private var open: [Open] = []
    private var values: [JSONValue] = []
    private var keys: [String] = []

    init(_ data: Data) { reader = JSONByteReader(data) }

    /// The whole document.
    mutating func parse() throws(Failure) -> JSONValue {
        do {
            return try document()
        } catch {
            throw Failure(path: path, reason: error.reason)
        }
    }

    private mutating func document() throws(JSONSyntaxError) -> JSONValue {
        reader.skipByteOrderMark()
        reader.skipSpace()
        guard !reader.isAtEnd else { throw JSONSyntaxError("there is no content") }
        while true {
            // A value begins here, and unless it is a container with content, it ends here too.
            var finished = try begin()
            while let value = finished {
                guard let container = open.last else {
                    reader.skipSpace()
                    guard reader.isAtEnd else { throw reader.unexpected("after the end of the value") }
                    return value
                }
                values.append(value)
                finished = try goOn(in: container)
            }
        }
    }

    private mutating func begin() throws(JSONSyntaxError) -> JSONValue? {
        reader.skipSpace()
        let isObject = reader.current == UInt8(ascii: "{")
        guard isObject || reader.current == UInt8(ascii: "[") else { return try reader.scalar() }
        guard open.count < JSONParser.maximumDepth else {
            throw JSONSyntaxError("it is nested deeper than \(JSONParser.maximumDepth) levels")
        }
        reader.advance()
        reader.skipSpace()
        if isObject {
            if reader.skip(UInt8(ascii: "}")) { return .object([:]) }
        } else if reader.skip(UInt8(ascii: "]")) {
            return .array([])
        }
        open.append(Open(isObject: isObject, firstValue: values.count, firstKey: keys.count))
        if isObject { try readKey() }
        return nil
    }

    /// After a value: on to the next, or the container closed.
    private mutating func goOn(in container: Open) throws(JSONSyntaxError) -> JSONValue? {
        reader.skipSpace()
        if reader.skip(UInt8(ascii: ",")) {
            if container.isObject {
                reader.skipSpace()
                try readKey()
            }
            return nil
        }
        guard reader.skip(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw reader.unexpected(
                container.isObject ? "where \",\" or \"}\" is needed" : "where \",\" or \"]\" is needed")
        }
        return close(container)
    }

    private mutating func close(_ container: Open) -> JSONValue {
        open.removeLast()
        let count = values.count - container.firstValue
        defer {
            values.removeLast(count)
            if container.isObject { keys.removeLast(keys.count - container.firstKey) }
        }
        // No slice outlives its line: a second reference would make the removal copy the whole stack.
        guard container.isObject else { return .array(Array(values[container.firstValue...])) }
        var members = [String: JSONValue](minimumCapacity: count)
        for index in 0..<count { members[keys[container.firstKey + index]] = values[container.firstValue + index] }
        return .object(members)
    }

    private mutating func readKey() throws(JSONSyntaxError) {
        guard reader.current == UInt8(ascii: "\"") else { throw reader.unexpected("where a name in quotes is needed") }
        keys.append(try reader.string())
        reader.skipSpace()
        guard reader.skip(UInt8(ascii: ":")) else { throw reader.unexpected("where \":\" is needed") }
    }

    /// The place the parser is at.
    private var path: String {
        var path = ParameterPath()
        for (level, container) in open.enumerated() {
            let end = level + 1 < open.count ? open[level + 1].firstValue : values.count
            let count = end - container.firstValue
            if !container.isObject {
                path.push(count)
            } else if keys.indices.contains(container.firstKey + count) {
                path.push(keys[container.firstKey + count])
            }
        }
        return path.text
    }
}
