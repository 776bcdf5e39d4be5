import Foundation

/// The named values of a request: made from what the caller has, held as a typed tree, written by a
/// ``ParameterEncoding``.
///
/// ```swift
/// let parameters: Parameters = ["q": "tea & cake", "page": 2, "tags": ["a", "b"], "owner": user.id]
/// ```
///
/// Values of any type are converted at once, so that the struct is `Sendable` and means the same to every encoder:
/// optionals are unwrapped, raw-value enums give their raw value, `Encodable` models their encoding. A value that can't
/// be carried does not fail here; the encoder refuses it with its key path before anything is sent.
public struct Parameters: Sendable {
    /// The values by name.
    public private(set) var values: [String: ParameterValue]
    /// The names in the order they were first set, for encoders that keep it.
    public private(set) var keysAsGiven: [String]

    /// Makes empty parameters.
    public init() {
        values = [:]
        keysAsGiven = []
    }

    /// Makes parameters from a dictionary of any values.
    public init(_ dictionary: [String: Any?]) {
        self.init(values: dictionary.mapValues { ParameterValue(converting: $0) })
    }

    /// Makes parameters from pairs, in their order; of a repeated name the last value stays.
    public init(_ pairs: [(String, Any)]) {
        self.init()
        for (key, value) in pairs { set(key, value) }
    }

    /// Makes parameters from values that are typed already.
    public init(values: [String: ParameterValue]) {
        self.values = values
        keysAsGiven = values.keys.sorted(by: UTF8Order.precedes)
    }

    /// Makes parameters from a model, by its own `encode(to:)`. Dates, data and decimals stay typed; nil gives empty
    /// parameters.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` when the model is not keyed at its top level or refuses to encode,
    ///   naming the place.
    public init(encoding value: some Encodable) throws(HTTPError) {
        let tree: ParameterValue
        do {
            tree = try ParameterTreeEncoder.encode(value)
        } catch {
            throw ParameterTreeEncoder.failure(error)
        }
        switch tree {
        case .object(let values): self.init(values: values)
        case .null: self.init()
        default:
            throw .invalidRequest(
                .parameter(path: "", reason: "\(type(of: value)) does not encode to named values at its top level"))
        }
    }

    /// The value of `key`, or nil when there is none. Setting nil removes it; to send an explicit null, set
    /// ``ParameterValue/null``.
    public subscript(_ key: String) -> ParameterValue? {
        get { values[key] }
        set {
            guard let newValue else { return remove(key) }
            if values.updateValue(newValue, forKey: key) == nil { keysAsGiven.append(key) }
        }
    }

    /// Sets a value of any type; nil becomes an explicit ``ParameterValue/null``.
    public mutating func set(_ key: String, _ value: Any?) {
        self[key] = ParameterValue(converting: value)
    }

    /// Removes a value.
    public mutating func remove(_ key: String) {
        if values.removeValue(forKey: key) != nil { keysAsGiven.removeAll { $0 == key } }
    }

    /// Puts `other` over these: where both have a name, the value of `other` wins whole. Nested objects are not merged.
    public mutating func merge(_ other: Parameters) {
        for key in other.keysAsGiven { self[key] = other.values[key] }
    }

    /// These parameters with `other` over them; see ``merge(_:)``.
    public func merging(_ other: Parameters) -> Parameters {
        var result = self
        result.merge(other)
        return result
    }

    /// Whether there is no value.
    public var isEmpty: Bool { values.isEmpty }

    /// The number of values at the top level.
    public var count: Int { values.count }

    /// The names, sorted by their UTF-8 bytes.
    public var keys: [String] { keysAsGiven.sorted(by: UTF8Order.precedes) }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Makes parameters from a literal with values of any type, nil included; of a repeated name the last value stays.
    public init(dictionaryLiteral elements: (String, Any?)...) {
        self.init()
        for (key, value) in elements { set(key, value) }
    }
}

extension Parameters: Sequence {
    /// Iterates the values in the order of their names' UTF-8 bytes.
    public func makeIterator() -> AnyIterator<(key: String, value: ParameterValue)> {
        var remaining = keys.makeIterator()
        let values = values
        return AnyIterator {
            guard let key = remaining.next(), let value = values[key] else { return nil }
            return (key, value)
        }
    }
}

extension Parameters: Hashable {
    /// Equal when they have the same values under the same names, whatever order they were set in.
    public static func == (lhs: Parameters, rhs: Parameters) -> Bool { lhs.values == rhs.values }

    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
