import Foundation

extension ParameterValue {
    /// A total order, so that a set gives the same array on every run: null, booleans, numbers by size, text by its
    /// UTF-8 bytes, dates, data, then containers element by element.
    static func precedes(_ lhs: ParameterValue, _ rhs: ParameterValue) -> Bool {
        compare(lhs, rhs) < 0
    }

    private static func compare(_ lhs: ParameterValue, _ rhs: ParameterValue) -> Int {
        guard lhs.rank == rhs.rank else { return lhs.rank - rhs.rank }
        switch (lhs, rhs) {
        case (.int(let left), .int(let right)): return left < right ? -1 : (left == right ? 0 : 1)
        case (.string(let left), .string(let right)): return UTF8Order.compare(left, right)
        case (.array(let left), .array(let right)): return compare(left, right)
        case (.object(let left), .object(let right)):
            let leftKeys = left.keys.sorted(by: UTF8Order.precedes)
            let rightKeys = right.keys.sorted(by: UTF8Order.precedes)
            for (leftKey, rightKey) in zip(leftKeys, rightKeys) {
                let order = UTF8Order.compare(leftKey, rightKey)
                if order != 0 { return order }
            }
            if leftKeys.count != rightKeys.count { return leftKeys.count - rightKeys.count }
            return compare(leftKeys.compactMap { left[$0] }, rightKeys.compactMap { right[$0] })
        default:
            let difference = lhs.magnitude - rhs.magnitude
            if difference < 0 { return -1 }
            if difference > 0 { return 1 }
            return UTF8Order.compare("\(lhs)", "\(rhs)")
        }
    }

    private static func compare(_ lhs: [ParameterValue], _ rhs: [ParameterValue]) -> Int {
        for (left, right) in zip(lhs, rhs) {
            let order = compare(left, right)
            if order != 0 { return order }
        }
        return lhs.count - rhs.count
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .uint, .double, .decimal: 2
        case .string: 3
        case .date: 4
        case .data: 5
        case .array: 6
        case .object: 7
        case .unencodable: 8
        }
    }

    private var magnitude: Double {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        case .date(let value): value.timeIntervalSinceReferenceDate
        case .data(let value): Double(value.count)
        default: 0
        }
    }
}
