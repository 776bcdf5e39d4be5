import Foundation
import TrunklineHTTP

@testable import TrunklineInspector

/// The events of one request, made by hand.
struct EventMaker {
    let id = RequestID.next()
    let start = ContinuousClock.now
    let request: HTTPRequest

    init(_ url: String = "https://example.com/a", body: RequestBody? = nil, headers: HTTPHeaders = [:]) throws {
        guard let url = URL(string: url) else { throw HTTPError.cancelled }
        request = HTTPRequest(method: body == nil ? .get : .post, url: url, headers: headers, body: body)
    }

    func event(_ kind: Event.Kind, at milliseconds: Int = 0) -> Event {
        Event(id: id, number: 1, time: start + .milliseconds(milliseconds), date: Date(), kind: kind)
    }

    func response(_ status: Int = 200, body: Data = Data(), metrics: TransportMetrics? = nil) -> HTTPResponse {
        HTTPResponse(
            request: request, statusCode: status, headers: ["Content-Type": "text/plain"], body: .data(body),
            metrics: metrics)
    }

    /// A request's whole life: one attempt with an answer.
    func life(_ body: Data = Data(), attempts: Int = 1) -> [Event] {
        var kinds: [Event.Kind] = [.created(request), .exchangeStarted(request)]
        let response = response(body: body)
        for number in 1...max(1, attempts) {
            let attempt = Event.Attempt(number: number, attempt: number, request: request, trace: nil)
            let end = Event.AttemptEnd(
                outcome: .success(response), contentBytes: Int64(body.count), isContentWhole: true)
            kinds += [.attemptStarted(attempt), .responseHead(attempt, response), .attemptEnded(attempt, end)]
        }
        kinds += [.exchangeEnded(.success(response)), .completed(.success(response))]
        return kinds.enumerated().map { event($0.element, at: $0.offset) }
    }
}

extension ExchangeStore {
    static func make(exchanges: Int = 100, bytes: Int = 1 << 20, body: Int = 1 << 16) -> ExchangeStore {
        ExchangeStore(
            redaction: .standard, maximumExchanges: exchanges, maximumBytes: bytes, maximumBodyBytes: body)
    }

    func receive(_ events: [Event]) { for event in events { receive(event) } }
}
