import Foundation

/// Writes one parameter tree as JSON. Foundation's writer can keep neither all digits of a decimal nor the order, and on
/// Apple platforms it raises an Objective-C exception for what it can't hold.
struct JSONWriter {
    let format: JSONParameterEncoder
    private(set) var output: [UInt8] = []
    private var path = ParameterPath()

    init(format: JSONParameterEncoder) { self.format = format }

    /// Appends one value.
    mutating func write(_ value: ParameterValue) throws(RequestFailure) {
        switch value {
        case .null: append("null")
        case .bool(let truth): append(truth ? "true" : "false")
        case .int(let number): append(String(number))
        case .uint(let number): append(String(number))
        case .double(let number):
            guard let text = NumberText.text(number) else {
                throw path.failure("JSON has no \(number) (RFC 8259, section 6)")
            }
            append(text)
        case .decimal(let number):
            guard let text = NumberText.text(number) else {
                throw path.failure("JSON has no NaN (RFC 8259, section 6)")
            }
            append(text)
        case .string(let text): JSONText.append(text, to: &output)
        case .date(let date): try write(format.dates.value(of: date, at: path))
        case .data(let bytes): JSONText.append(try format.data.text(of: bytes, at: path), to: &output)
        case .array(let elements): try write(elements)
        case .object(let members): try write(members)
        case .unencodable(let reason): throw path.failure(reason)
        }
    }

    private mutating func write(_ elements: [ParameterValue]) throws(RequestFailure) {
        try checkDepth()
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            path.push(index)
            try write(element)
            path.pop()
        }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ members: [String: ParameterValue]) throws(RequestFailure) {
        try checkDepth()
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, member) in try format.keys.ordered(members, at: path) {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONText.append(key, to: &output)
            output.append(UInt8(ascii: ":"))
            path.push(key)
            try write(member)
            path.pop()
        }
        output.append(UInt8(ascii: "}"))
    }

    private func checkDepth() throws(RequestFailure) {
        guard path.count <= ParameterValue.maximumDepth else {
            throw path.failure("nested deeper than \(ParameterValue.maximumDepth) levels")
        }
    }

    private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }
}
