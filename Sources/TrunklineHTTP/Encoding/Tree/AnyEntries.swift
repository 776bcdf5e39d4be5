import Foundation

/// A dictionary of any type, as seen through `Any`.
protocol AnyEntries {
    var parameterEntries: [(key: Any, value: Any)] { get }
}

extension Dictionary: AnyEntries {
    var parameterEntries: [(key: Any, value: Any)] { map { ($0.key as Any, $0.value as Any) } }
}

extension NSDictionary: AnyEntries {
    var parameterEntries: [(key: Any, value: Any)] { map { ($0.key, $0.value) } }
}
