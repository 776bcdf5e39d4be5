/// The life of an object that loads belong to: kept by the object in a property, it ends with it.
///
/// ```swift
/// final class BookScreen: APILoadOwner {
///     let loadLifetime = LoadLifetime()
///     init(books: BookAPI) { books.bind(to: self) }     // books may be shared, and live longer
/// }
/// ```
///
/// Swift can't watch an arbitrary object die on every platform; a property of it can.
public final class LoadLifetime: Sendable {
    let bond = LoadBond()

    /// Makes a lifetime that begins now.
    public init() {}

    deinit { bond.sever() }

    /// Ends the lifetime before its owner goes, when a screen is left say.
    public func end() { bond.sever() }
}

/// An object that loads can belong to.
public protocol APILoadOwner: AnyObject {
    /// A property that nobody else keeps, so that it goes with the object.
    var loadLifetime: LoadLifetime { get }
}
