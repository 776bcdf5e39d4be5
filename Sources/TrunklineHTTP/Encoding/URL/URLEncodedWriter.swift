import Foundation

/// Writes one parameter tree as URL-encoded pairs.
struct URLEncodedWriter {
    let format: URLParameterEncoder
    private(set) var output: [UInt8] = []
    private var path = ParameterPath()
    private let spaceAsPlus: Bool

    init(format: URLParameterEncoder) {
        self.format = format
        spaceAsPlus = format.spaces == .plus
    }

    /// Writes every pair.
    mutating func write(_ parameters: Parameters) throws(RequestFailure) {
        for (key, value) in try topLevel(parameters) {
            path.push(key)
            switch value {
            case .null, .array, .object:
                var name: [UInt8] = []
                PercentEncoding.append(key, to: &name, spaceAsPlus: spaceAsPlus)
                try write(value, name: name)
            default:
                // Nearly every parameter: written where it stays, without an array for its name.
                if !output.isEmpty { output.append(UInt8(ascii: "&")) }
                PercentEncoding.append(key, to: &output, spaceAsPlus: spaceAsPlus)
                output.append(UInt8(ascii: "="))
                PercentEncoding.append(try format.text(of: value, at: path), to: &output, spaceAsPlus: spaceAsPlus)
            }
            path.pop()
        }
    }

    private func topLevel(_ parameters: Parameters) throws(RequestFailure) -> [(key: String, value: ParameterValue)] {
        guard format.order == .asGiven else { return try format.keys.ordered(parameters.values, at: path) }
        var members: [(key: String, value: ParameterValue)] = []
        for key in parameters.keysAsGiven {
            if let value = parameters[key] { members.append((format.keys.apply(key), value)) }
        }
        if !format.keys.changesNothing { try ParameterKeyStrategy.refuseRepeats(members, at: path) }
        return members
    }

    private mutating func write(_ value: ParameterValue, name: [UInt8]) throws(RequestFailure) {
        guard path.count <= ParameterValue.maximumDepth else {
            throw path.failure("nested deeper than \(ParameterValue.maximumDepth) levels")
        }
        switch value {
        case .null:
            if format.nils != .dropKey { try writePair(name, value) }
        case .array(let elements):
            if format.arrays == .commaSeparated {
                try writeCommaSeparated(elements, name: name)
            } else {
                try writeElements(elements, name: name)
            }
        case .object(let members):
            for (key, member) in try format.keys.ordered(members, at: path) {
                path.push(key)
                try write(member, name: nested(name, key))
                path.pop()
            }
        default: try writePair(name, value)
        }
    }

    private mutating func writeElements(_ elements: [ParameterValue], name: [UInt8]) throws(RequestFailure) {
        for (index, element) in elements.enumerated() {
            path.push(index)
            switch format.arrays {
            case .brackets: try write(element, name: name + URLEncodedWriter.emptyBrackets)
            case .indices: try write(element, name: nested(name, String(index), .brackets))
            case .noBrackets, .commaSeparated: try write(element, name: name)
            }
            path.pop()
        }
    }

    private mutating func writeCommaSeparated(_ elements: [ParameterValue], name: [UInt8]) throws(RequestFailure) {
        var line: [UInt8] = []
        var isFirst = true
        for (index, element) in elements.enumerated() {
            if element == .null, format.nils == .dropKey { continue }
            path.push(index)
            let text = try format.text(of: element, at: path)
            path.pop()
            if !isFirst { line.append(UInt8(ascii: ",")) }
            isFirst = false
            PercentEncoding.append(text, to: &line, spaceAsPlus: spaceAsPlus)
        }
        if !isFirst { appendPair(name, line) }
    }

    private mutating func writePair(_ name: [UInt8], _ value: ParameterValue) throws(RequestFailure) {
        let text = try format.text(of: value, at: path)
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        output.append(contentsOf: name)
        output.append(UInt8(ascii: "="))
        PercentEncoding.append(text, to: &output, spaceAsPlus: spaceAsPlus)
    }

    private mutating func appendPair(_ name: [UInt8], _ value: [UInt8]) {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        output.append(contentsOf: name)
        output.append(UInt8(ascii: "="))
        output.append(contentsOf: value)
    }

    private func nested(_ name: [UInt8], _ key: String) -> [UInt8] { nested(name, key, format.nesting) }

    private func nested(
        _ name: [UInt8], _ key: String, _ nesting: URLParameterEncoder.NestingStrategy
    ) -> [UInt8] {
        var result = name
        switch nesting {
        case .brackets:
            result.append(contentsOf: URLEncodedWriter.opening)
            PercentEncoding.append(key, to: &result, spaceAsPlus: spaceAsPlus)
            result.append(contentsOf: URLEncodedWriter.closing)
        case .dots:
            result.append(UInt8(ascii: "."))
            PercentEncoding.append(key, to: &result, spaceAsPlus: spaceAsPlus)
        }
        return result
    }

    private static let opening = Array("%5B".utf8)
    private static let closing = Array("%5D".utf8)
    private static let emptyBrackets = Array("%5B%5D".utf8)
}
