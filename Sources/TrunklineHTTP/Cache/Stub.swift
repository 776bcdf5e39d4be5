import Foundation
public struct CachePartition: Hashable, Sendable { public static let shared = CachePartition(user: nil, environment: ""); public init(user: String?, environment: String) {} }
public struct CacheTicket: Hashable, Sendable {}
public struct CacheKey: Hashable, Sendable {
 public init(request: HTTPRequest, partition: CachePartition, varyingHeaders: [String] = [], ignoringQueryNames: Set<String> = []) {}
}
public struct CachedResponse: Sendable {
  public func age(at: Date) -> Duration { .zero }
  public func response(for r: HTTPRequest, now: Date) -> HTTPResponse { HTTPResponse(request: r, statusCode: 200) }
}
public final class ResponseCache: Sendable {
  public static let shared = ResponseCache()
  public func clear(partition: CachePartition) async {}
  public func ticket(for: CachePartition) -> CacheTicket { CacheTicket() }
  public func response(for: CacheKey, now: Date) async -> CachedResponse? { nil }
  public func store(_ r: HTTPResponse, for: CacheKey, ticket: CacheTicket) async {}
}
struct CacheStage: Interceptor { let cache: ResponseCache; let defaultPolicy: CachePolicy
 func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse { try await next(exchange) } }
public protocol RequestConvertible: Sendable { func makeRequest() throws(HTTPError) -> HTTPRequest }
public struct Endpoint: RequestConvertible { 
 var m: HTTPMethod; var u: String; var h: HTTPHeaders
 public init(_ method: HTTPMethod = .get, _ url: String, base: URL? = nil, parameters: Parameters = [:], encoding: any ParameterEncoding = .automatic, headers: HTTPHeaders = [:], body: RequestBody? = nil, options: RequestOptions = .init()) { m = method; u = url; h = headers }
 public func makeRequest() throws(HTTPError) -> HTTPRequest { HTTPRequest(method: m, url: URL(string: u) ?? URL(fileURLWithPath: "/"), headers: h) }
 public static func get(_ u: String) -> Endpoint { Endpoint(.get, u) }
}
extension HTTPRequest: RequestConvertible { public func makeRequest() throws(HTTPError) -> HTTPRequest { self } }
extension String: RequestConvertible { public func makeRequest() throws(HTTPError) -> HTTPRequest { guard let u = URL(string: self) else { throw .invalidRequest(.url(self, reason: "")) }; return HTTPRequest(url: u) } }
extension HTTPHeaders { public static let standard = HTTPHeaders() }
public struct MediaType { var charset: String? ; init?(_ s: String) { return nil } }
public enum URLJoining { public static func join(base: String, version: String, path: String) throws(HTTPError) -> String { base + path } }
public enum JSONValue: Sendable, Decodable { case null; public init(from d: any Decoder) throws { self = .null }; public var array: [JSONValue]? { nil }; public var object: [String: JSONValue]? { nil }; public var int: Int? { nil }; public func value(at: String) -> JSONValue? { nil } }
