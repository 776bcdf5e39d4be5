import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Encoded content that ends early within correct framing.
@Suite struct ShortContentTests {
    private static func gzip(_ count: Int) throws -> Data {
        let text = (0..<count).map { "line \($0 &* 2_654_435_761 % 1_000_003)\n" }.joined()
        return try Gzip.compress(Data(text.utf8))
    }

    @Test(arguments: [BodyDelivery.data, .stream], [1, 8, 9, 1000])
    func `a gzip stream that ends early is a lost connection`(delivery: BodyDelivery, missing: Int) async throws {
        let whole = try Self.gzip(20_000)
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .chunked([whole.dropLast(missing)], headers: ["Content-Encoding": "gzip"]))
        }
        let session = SessionManager(transport: try CurlTransport())
        var request = try server.request()
        request.options.delivery = delivery
        let error = await #expect(throws: HTTPError.self) {
            if delivery == .stream {
                for try await _ in session.stream(request).chunks {}
            } else {
                _ = try await session.request(request).response()
            }
        }
        #expect(ErrorKind(error) == .lostDuringBody)
    }
}
