import Foundation

/// A request that knows what its answer is: how it is made, how the answer is read, and where it is delivered.
///
/// ``RequestType`` is the ready one; a type of the app's own conforms where a request deserves a name:
///
/// ```swift
/// struct FilmList: Request {
///     var page: Int
///     var requestFactory: RequestFactory {
///         RequestFactory(router: FilmRouter.list, requestBuilder: .addURLParams(["page": page]))
///     }
///     var requestParser: RequestParser<[Film]> { .json() }
/// }
/// ```
public protocol Request<Response>: Sendable {
    /// What the answer is read as.
    associatedtype Response: Sendable

    /// Makes the request.
    var requestFactory: RequestFactory { get }
    /// Reads the answer, off ``responseQueue``.
    var requestParser: RequestParser<Response> { get }
    /// Where the completion runs; by default the main queue.
    var responseQueue: DispatchQueue { get }
}

extension Request {
    public var responseQueue: DispatchQueue { .main }
}
