/// A value behind one pointer: cheap to pass on, and small inside an enum.
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
