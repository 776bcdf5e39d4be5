/// A value at a path inside what a decoder reads. The decoder sees only the value's own part, so it works with every
/// format, and the coding paths of errors start at the top.
struct EnvelopedValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try Self.value(in: decoder, at: EnvelopePath.current.steps[...])
    }

    private static func value(in decoder: any Decoder, at steps: ArraySlice<ContentPath.Step>) throws -> Value {
        // Through a container, so that the decoder's strategies for dates and data count.
        guard let step = steps.first else { return try decoder.singleValueContainer().decode(Value.self) }
        let rest = steps.dropFirst()
        switch step {
        case .key(let name):
            let container = try decoder.container(keyedBy: EnvelopeKey.self)
            let key = EnvelopeKey(stringValue: name)
            guard container.contains(key) else {
                if rest.isEmpty, let absent = Optional<Value>.nilValue { return absent }
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(codingPath: container.codingPath, debugDescription: "There is no such key"))
            }
            return try rest.isEmpty
                ? container.decode(Value.self, forKey: key) : value(in: container.superDecoder(forKey: key), at: rest)
        case .index(let index):
            var container = try decoder.unkeyedContainer()
            while container.currentIndex < index, !container.isAtEnd { _ = try container.superDecoder() }
            guard !container.isAtEnd else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: container.codingPath,
                        debugDescription: "there are \(container.currentIndex) elements, and no [\(index)]"))
            }
            return try rest.isEmpty
                ? container.decode(Value.self) : value(in: container.superDecoder(), at: rest)
        }
    }
}

/// The path the ``EnvelopedValue`` of this thread looks at. Not in the decoder's `userInfo`: decoders are shared.
enum EnvelopePath {
    @TaskLocal static var current = ContentPath(steps: [])
}

private struct EnvelopeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Optional {
    /// `nil` as a value of the wrapped type, where that is an optional itself.
    static var nilValue: Wrapped? {
        (Wrapped.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Wrapped
    }
}
