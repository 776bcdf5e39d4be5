import Foundation

@testable import TrunklineHTTP

/// Short ways to what an encoder makes, for the tests of this room.
enum Encodings {
    static func query(_ parameters: Parameters, _ encoder: URLParameterEncoder = .query) throws -> String {
        var encoder = encoder
        encoder.destination = .query
        return try encoder.string(from: parameters)
    }

    static func json(_ parameters: Parameters, _ encoder: JSONParameterEncoder = .json) throws -> String {
        String(decoding: try encoder.encoded(.object(parameters.values)), as: UTF8.self)
    }

    static func request(
        _ method: HTTPMethod, _ url: String, _ parameters: Parameters,
        _ encoding: any ParameterEncoding
    ) throws -> HTTPRequest {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        var request = HTTPRequest(method: method, url: url)
        try encoding.encode(parameters, into: &request)
        return request
    }

    static func request(
        _ method: HTTPMethod, _ parameters: Parameters, _ encoding: any ParameterEncoding
    ) throws -> HTTPRequest {
        try request(method, "https://h/p", parameters, encoding)
    }

    static func text(_ body: RequestBody?) -> String? {
        body?.data.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The key path of a parameter error, or nil when the work did not fail that way.
    static func failingPath(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch HTTPError.invalidRequest(.parameter(let path, _)) {
            return path
        } catch {
            return nil
        }
    }
}

extension Data {
    /// The bytes as hex digits.
    var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
