import Foundation
import TrunklineHTTP

extension HTTPResponse {
    /// An answer to the exchange's request.
    public static func stub(
        for exchange: Exchange, status: Int = 200, headers: HTTPHeaders = [:], data: Data = Data()
    ) -> HTTPResponse {
        HTTPResponse(request: exchange.request, statusCode: status, headers: headers, body: .data(data))
    }

    /// A JSON answer to the exchange's request.
    public static func stub(
        for exchange: Exchange, status: Int = 200, headers: HTTPHeaders = [:], json: String
    ) -> HTTPResponse {
        stub(
            for: exchange, status: status, headers: headers.merging(["Content-Type": "application/json"]),
            data: Data(json.utf8))
    }
}
