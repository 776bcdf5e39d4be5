import Foundation
import Testing
import TrunklineHTTP

@Suite("Network errors")
struct NetworkErrorTests {
    private let request = HTTPRequest(url: URL(string: "https://h/posts?token=secret") ?? URL(fileURLWithPath: "/"))

    private func response(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(request: request, statusCode: status, headers: headers, body: .data(Data("b".utf8)))
    }

    private func kind(_ error: NetworkError?) -> String? {
        switch error {
        case nil: nil
        case .offline: "offline"
        case .cancelled: "cancelled"
        case let error?: Mirror(reflecting: error).children.first?.label
        }
    }

    @Test(
        "Statuses by class",
        arguments: [
            (200, nil), (204, nil), (299, nil), (300, "redirect"), (304, "redirect"), (399, "redirect"),
            (400, "badRequest"), (401, "authentication"), (402, "badRequest"), (403, "authentication"),
            (404, "notFound"), (408, "badRequest"), (409, "conflict"), (410, "notFound"), (412, "conflict"),
            (422, "badRequest"), (429, "tooManyRequests"), (499, "badRequest"), (500, "server"), (503, "server"),
            (599, "server"), (600, "unexpectedStatus"), (199, "unexpectedStatus"), (0, "unexpectedStatus"),
            (-1, "unexpectedStatus"), (999, "unexpectedStatus"),
        ] as [(Int, String?)])
    func statuses(status: Int, expected: String?) {
        let error = NetworkError(status: response(status))
        #expect(kind(error) == expected)
        #expect(error?.statusCode == (expected == nil ? nil : status))
        #expect(error?.response?.data == (expected == nil ? nil : Data("b".utf8)))
    }

    @Test("429 says how long to wait")
    func retryAfter() {
        guard case .tooManyRequests(let wait, _) = NetworkError(status: response(429, ["Retry-After": "30"])) else {
            Issue.record("wrong kind")
            return
        }
        #expect(wait == .seconds(30))
        let error = NetworkError.tooManyRequests(retryAfter: .seconds(30), response(429))
        #expect(error.localizedDescription == "There were too many requests. Try again in 30 s.")
    }

    private struct Own: Error {}

    @Test("Other errors are sorted, and keep what they know")
    func sorting() {
        let validation = ValidationFailure(reason: .unacceptableStatus(500), response: response(500))
        let refusal = ValidationFailure(reason: .custom("no"), response: response(200))
        let table: [(any Error, String)] = [
            (HTTPError.cancelled, "cancelled"), (CancellationError(), "cancelled"),
            (HTTPError.offline, "offline"), (HTTPError.timedOut(.total), "timedOut"),
            (HTTPError.invalidRequest(.method("A B")), "invalidRequest"),
            (HTTPError.validation(validation), "server"), (HTTPError.validation(refusal), "refused"),
            (HTTPError.emptyResponse(response(204)), "noData"),
            (HTTPError.decoding(DecodingFailure(type: "T", reason: "r")), "undecodable"),
            (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "d")), "undecodable"),
            (HTTPError.file(FileFailure(url: request.url, operation: .read, reason: "r")), "file"),
            (HTTPError.nameResolution(host: "h"), "transport"), (HTTPError.sessionInvalidated, "transport"),
            (HTTPError.custom(Own()), "other"), (Own(), "other"), (NetworkError.offline, "offline"),
        ]
        for (error, expected) in table {
            #expect(kind(NetworkError(error)) == expected, "\(error)")
        }
        #expect(NetworkError(HTTPError.validation(validation)).statusCode == 500)
    }

    @Test("Every error has a sentence for the user and one for a log, without secrets")
    func texts() {
        let errors: [NetworkError] =
            [300, 401, 403, 404, 409, 429, 400, 500, 600].compactMap { NetworkError(status: response($0)) } + [
                .noData(response(204)), .undecodable(DecodingFailure(type: "T", reason: "r")),
                .invalidRequest(.method("A B")), .tokenUnavailable(Own()), .offline, .timedOut(.idle), .cancelled,
                .transport(.sessionInvalidated), .other(Own()),
                .refused(ValidationFailure(reason: .custom("no"), response: response(200))),
                .file(FileFailure(url: request.url, operation: .read, reason: "r")),
            ]
        for error in errors {
            #expect(error.localizedDescription.hasSuffix(".") && error.localizedDescription.count > 10)
            #expect(!error.description.isEmpty && !error.description.contains("secret"))
        }
        #expect(NetworkError(status: response(404))?.description == "The server answered GET /posts with status 404.")
        #expect(NetworkError(status: response(401))?.localizedDescription == "Please log in first.")
        #expect(NetworkError(status: response(403))?.localizedDescription == "You are not allowed to do this.")
    }
}
