import Foundation
import TrunklineHTTP

/// What is checked on what the origin saw.
struct OriginChecks {
    let step: Step
    let number: Int
    let answer: CaseRun.Answer
    let records: [Origin.Record]

    func run() throws(Unmet) {
        if step.expectedType == .cached { return }
        guard let record = records.first(where: { $0.number == number }) else {
            // Answered by the cache: only what was expected of the request is missing.
            guard step.expectedType == nil, step.expectedMethod == nil, step.expectedRequestFields.isEmpty else {
                throw unmet("expected_type", "the server has not seen it")
            }
            return
        }
        try checkType(record)
        if let method = step.expectedMethod, method != record.method {
            throw unmet("expected_method", "expected \(method), seen \(record.method)")
        }
        for expected in step.expectedRequestFields where !expected.isMet(by: record.requestHeaders, now: Date()) {
            let seen = record.requestHeaders[expected.name] ?? "none"
            throw unmet("expected_request_headers", "expected \(expected.text(Date())), seen \(seen)")
        }
        for missing in step.missingRequestFields where missing.isMet(by: record.requestHeaders, now: Date()) {
            throw unmet("expected_request_headers_missing", "expected no \(missing.text(Date()))")
        }
        try checkArrival(record)
    }

    private func unmet(_ check: String, _ reason: String) -> Unmet {
        Unmet(reason: "request \(number): \(reason)", isSetup: step.isSetup(check))
    }

    private func checkType(_ record: Origin.Record) throws(Unmet) {
        switch step.expectedType {
        case .etagValidated where !record.requestHeaders.contains("If-None-Match"):
            throw unmet("expected_type", "expected If-None-Match, seen none")
        case .lastModifiedValidated where !record.requestHeaders.contains("If-Modified-Since"):
            throw unmet("expected_type", "expected If-Modified-Since, seen none")
        default: break
        }
    }

    /// Every field the origin sent must have reached the client.
    private func checkArrival(_ record: Origin.Record) throws(Unmet) {
        guard answer.status != nil, !step.disconnects else { return }
        for field in step.responseFields where field.isChecked {
            let sent = record.responseHeaders.values(for: field.name)
            let seen = answer.headers.values(for: field.name)
            guard sent == seen || sent.joined(separator: ", ") == answer.headers[field.name] else {
                throw unmet(
                    "response_headers",
                    "expected \(field.name): \(sent.joined(separator: ", ")) to arrive, seen \(seen)")
            }
        }
    }
}
