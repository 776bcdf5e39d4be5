import Foundation

extension ParameterValue {
    /// Converts any value at once. What can't be carried becomes ``unencodable(reason:)``, so the encoder can report it
    /// with its key path.
    ///
    /// In this order: the exact standard types; optionals, unwrapped at any depth; Foundation's classes (`NSNumber` by
    /// its `objCType`, `c` and `B` being Bool); arrays, sets (sorted) and dictionaries; raw-value types by their raw
    /// value; any `Encodable` by its own encoding.
    public init(converting value: Any?) {
        self = ParameterValue.convert(value, depth: 0)
    }

    /// Split into small functions: the ones that call themselves must keep little on the stack.
    static func convert(_ value: Any?, depth: Int) -> ParameterValue {
        guard let value else { return .null }
        if let known = exact(value) { return known }
        guard let value = unwrapped(value) else { return .null }
        guard depth <= maximumDepth else { return tooDeep }
        return leaf(value) ?? container(value, depth: depth) ?? encodable(value, depth: depth)
    }

    /// What is inside optionals and `AnyHashable`, at any depth of wrapping; nil for none.
    private static func unwrapped(_ value: Any?) -> Any? {
        var current = value
        while let value = current {
            if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
                current = hashable.base
            } else if let optional = value as? any AnyOptional {
                current = optional.wrapped
            } else {
                return value
            }
        }
        return nil
    }

    private static func leaf(_ value: Any) -> ParameterValue? { exact(value) ?? foundation(value) }

    private static func container(_ value: Any, depth: Int) -> ParameterValue? {
        if let elements = value as? any AnyElements { return array(elements, depth: depth) }
        if let entries = value as? any AnyEntries { return object(entries.parameterEntries, depth: depth) }
        if let raw = value as? any RawRepresentable { return convert(raw.rawValue, depth: depth + 1) }
        return nil
    }

    private static func array(_ elements: any AnyElements, depth: Int) -> ParameterValue {
        var converted: [ParameterValue] = []
        for element in elements.parameterElements { converted.append(convert(element, depth: depth + 1)) }
        return .array(elements.isUnordered ? converted.sorted(by: precedes) : converted)
    }

    private static func encodable(_ value: Any, depth: Int) -> ParameterValue {
        if let integer = value as? any BinaryInteger { return wide(integer) }
        guard let encodable = value as? any Encodable else {
            return .unencodable(reason: "a value of type \(type(of: value)) is neither a parameter type nor Encodable")
        }
        do {
            return try ParameterTreeEncoder.encode(encodable, depth: depth)
        } catch {
            return .unencodable(reason: "\(type(of: value)) did not encode: \(ParameterTreeEncoder.reason(error))")
        }
    }

    /// The standard types, by the concrete type of the value: a bridge would call the number 1 a Bool.
    private static func exact(_ value: Any) -> ParameterValue? {
        let type = ObjectIdentifier(type(of: value))
        switch type {
        case ObjectIdentifier(String.self): return (value as? String).map { .string($0) }
        case ObjectIdentifier(Int.self): return (value as? Int).map { .int(Int64($0)) }
        case ObjectIdentifier(Bool.self): return (value as? Bool).map { .bool($0) }
        case ObjectIdentifier(Double.self): return (value as? Double).map { .double($0) }
        case ObjectIdentifier(ParameterValue.self): return value as? ParameterValue
        case ObjectIdentifier(Parameters.self): return (value as? Parameters).map { .object($0.values) }
        case ObjectIdentifier(Decimal.self): return (value as? Decimal).map { .decimal($0) }
        case ObjectIdentifier(Date.self): return (value as? Date).map { .date($0) }
        case ObjectIdentifier(Data.self): return (value as? Data).map { .data($0) }
        case ObjectIdentifier(Int64.self): return (value as? Int64).map { .int($0) }
        case ObjectIdentifier(Int32.self): return (value as? Int32).map { .int(Int64($0)) }
        case ObjectIdentifier(Int16.self): return (value as? Int16).map { .int(Int64($0)) }
        case ObjectIdentifier(Int8.self): return (value as? Int8).map { .int(Int64($0)) }
        case ObjectIdentifier(UInt.self): return (value as? UInt).map { .unsigned(UInt64($0)) }
        case ObjectIdentifier(UInt64.self): return (value as? UInt64).map { .unsigned($0) }
        case ObjectIdentifier(UInt32.self): return (value as? UInt32).map { .int(Int64($0)) }
        case ObjectIdentifier(UInt16.self): return (value as? UInt16).map { .int(Int64($0)) }
        case ObjectIdentifier(UInt8.self): return (value as? UInt8).map { .int(Int64($0)) }
        case ObjectIdentifier(Float.self): return (value as? Float).map(float)
        case ObjectIdentifier(CGFloat.self): return (value as? CGFloat).map { .double(Double($0)) }
        case ObjectIdentifier(Substring.self): return (value as? Substring).map { .string(String($0)) }
        case ObjectIdentifier(Character.self): return (value as? Character).map { .string(String($0)) }
        case ObjectIdentifier(StaticString.self): return (value as? StaticString).map { .string($0.description) }
        case ObjectIdentifier(URL.self): return (value as? URL).map { .string($0.absoluteString) }
        case ObjectIdentifier(UUID.self): return (value as? UUID).map { .string($0.uuidString) }
        default: return nil
        }
    }

    /// Foundation's classes, by class: on Apple platforms a Swift number would pass a cast to `NSNumber`, but those
    /// were taken by ``exact(_:)``.
    private static func foundation(_ value: Any) -> ParameterValue? {
        guard type(of: value) is AnyClass else { return nil }
        switch value {
        case is NSNull: return .null
        case let number as NSDecimalNumber: return .decimal(number.decimalValue)
        case let number as NSNumber: return ParameterValue(number: number)
        case let text as NSString: return .string(text as String)
        case let date as NSDate: return .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let data as NSData: return .data(Data(referencing: data))
        case let url as NSURL: return .string((url as URL).absoluteString)
        case let uuid as NSUUID: return .string(uuid.uuidString)
        default: return nil
        }
    }

    private init(number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"):
            // A number made from an Int8 has the same code as a Bool; only 0 and 1 can be a Bool.
            let value = number.int64Value
            self = value == 0 || value == 1 ? .bool(value == 1) : .int(value)
        case UInt8(ascii: "f"): self = .float(number.floatValue)
        case UInt8(ascii: "d"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): self = .unsigned(number.uint64Value)
        default: self = .int(number.int64Value)
        }
    }

    /// A `Float` by its shortest digits: 0.1 stays 0.1 and doesn't become 0.10000000149011612.
    static func float(_ value: Float) -> ParameterValue {
        .double(Double(value.description) ?? Double(value))
    }

    /// Integers wider than 64 bits, exactly or not at all.
    private static func wide(_ value: any BinaryInteger) -> ParameterValue {
        if let int = Int64(exactly: value) { return .int(int) }
        if let uint = UInt64(exactly: value) { return .uint(uint) }
        let digits = String(describing: value)
        if let decimal = Decimal(string: digits, locale: nil), decimal.description == digits {
            return .decimal(decimal)
        }
        return .unencodable(reason: "the integer \(digits) has more digits than a Decimal holds")
    }

    private static func object(_ entries: [(key: Any, value: Any)], depth: Int) -> ParameterValue {
        var result: [String: ParameterValue] = [:]
        result.reserveCapacity(entries.count)
        for (key, value) in entries {
            guard let name = ParameterKey.text(of: key) else {
                return .unencodable(reason: "a dictionary key of type \(type(of: key)) has no text form")
            }
            guard result.updateValue(convert(value, depth: depth + 1), forKey: name) == nil else {
                return .unencodable(reason: "two dictionary keys have the same text \"\(name)\"")
            }
        }
        return .object(result)
    }
}
