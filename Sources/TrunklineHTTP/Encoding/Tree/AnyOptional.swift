/// An `Optional` of any type, as seen through `Any`.
protocol AnyOptional {
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    var wrapped: Any? { map { $0 as Any } }
}
