import Foundation
import TrunklineHTTP

/// What is checked on the answer the client saw.
struct AnswerChecks {
    let step: Step
    let number: Int
    let answer: CaseRun.Answer
    let token: String

    func run() throws(Unmet) {
        try checkRetries()
        try checkType()
        try checkStatus()
        try checkFields()
        try checkBody()
        if step.expectsInterim {
            throw unmet("expected_interim_responses", "interim answers are not shown to the client")
        }
    }

    private func unmet(_ check: String, _ reason: String) -> Unmet {
        Unmet(reason: "response \(number): \(reason)", isSetup: step.isSetup(check))
    }

    /// The origin saw a number twice: the client asked again by itself.
    private func checkRetries() throws(Unmet) {
        let numbers = (answer.headers["Request-Numbers"] ?? "").split(separator: " ")
        guard Set(numbers).count == numbers.count else {
            throw Unmet(reason: "response \(number): the client retried", isSetup: true)
        }
    }

    private func checkType() throws(Unmet) {
        let count = answer.headers["Server-Request-Count"].flatMap { Int($0) }
        switch step.expectedType {
        case .cached:
            if answer.status == 304, count == nil { return }
            guard let count, count < number else {
                let seen = count.map { "request \($0) of the server" } ?? "no count, \(answer.failure)"
                throw unmet("expected_type", "expected from the cache, seen \(seen)")
            }
        case .notCached:
            guard count == number else {
                throw unmet("expected_type", "expected from the server, seen count \(count.map(String.init) ?? "none")")
            }
        case .etagValidated, .lastModifiedValidated, nil: break
        }
    }

    private func checkStatus() throws(Unmet) {
        if case .some(let expected) = step.expectedStatus {
            guard let expected else { return }
            guard answer.status == expected else { throw statusUnmet(expected, "expected_status") }
            return
        }
        let isValidated = step.expectedType == .etagValidated || step.expectedType == .lastModifiedValidated
        if answer.status == 999 { throw unmet("expected_type", "expected a conditional request, seen another") }
        let expected = step.responseStatus?.code ?? 200
        guard answer.status == expected || isValidated && answer.status == 304 else {
            throw statusUnmet(expected, "status")
        }
    }

    private func statusUnmet(_ expected: Int, _ check: String) -> Unmet {
        unmet(check, "expected status \(expected), seen \(answer.status.map(String.init) ?? answer.failure)")
    }

    private func checkFields() throws(Unmet) {
        let now =
            answer.headers["Server-Now"].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0 / 1000) } ?? Date()
        for expected in step.expectedResponseFields {
            let seen = answer.headers[expected.name]
            guard expected.isMet(by: answer.headers, now: now) else {
                throw unmet("expected_response_headers", "expected \(expected.text(now)), seen \(seen ?? "none")")
            }
        }
        for missing in step.missingResponseFields where missing.isMet(by: answer.headers, now: now) {
            throw unmet("expected_response_headers_missing", "expected no \(missing.text(now))")
        }
    }

    private func checkBody() throws(Unmet) {
        if case .some(let expected) = step.expectedText {
            guard let expected else { return }
            guard answer.text == expected else { throw bodyUnmet(expected, "expected_response_text") }
            return
        }
        guard step.checksBody, step.method != .head, answer.status != 304, answer.status != 204 else { return }
        switch step.responseBody {
        case .some(let text):
            guard let text else { return }
            guard answer.text == text else { throw bodyUnmet(text, "response_body") }
        case .none:
            guard answer.text == token else { throw bodyUnmet(token, "response_body") }
        }
    }

    private func bodyUnmet(_ expected: String, _ check: String) -> Unmet {
        unmet(check, "expected the content \"\(expected)\", seen \"\(answer.text)\"")
    }
}

extension FieldExpectation {
    /// Whether the fields are as expected.
    ///
    /// - Parameter now: what numbers in dates count from.
    func isMet(by headers: HTTPHeaders, now: Date) -> Bool {
        guard let seen = headers[name] else { return false }
        switch kind {
        case .present: return true
        case .equals(let value): return seen == value.text(for: name, now: now)
        case .sameAs(let other): return seen == headers[other]
        case .greaterThan(let number): return Double(seen).map { $0 > number } ?? false
        }
    }

    /// In words.
    func text(_ now: Date) -> String {
        switch kind {
        case .present: name
        case .equals(let value): "\(name): \(value.text(for: name, now: now))"
        case .sameAs(let other): "\(name) as \(other)"
        case .greaterThan(let number): "\(name) > \(number)"
        }
    }
}
