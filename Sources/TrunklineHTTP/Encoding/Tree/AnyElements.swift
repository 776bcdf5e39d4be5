import Foundation

/// A collection that becomes an array of parameters.
protocol AnyElements {
    var parameterElements: [Any] { get }
    /// Whether the order of the elements means nothing and must be made the same on every run.
    var isUnordered: Bool { get }
}

extension AnyElements {
    var isUnordered: Bool { false }
}

extension AnyElements where Self: Sequence {
    var parameterElements: [Any] { map { $0 as Any } }
}

extension Array: AnyElements {}
extension ArraySlice: AnyElements {}
extension ContiguousArray: AnyElements {}
extension NSArray: AnyElements {}
extension NSOrderedSet: AnyElements {}

extension Set: AnyElements {
    var isUnordered: Bool { true }
}

extension NSSet: AnyElements {
    var isUnordered: Bool { true }
}
