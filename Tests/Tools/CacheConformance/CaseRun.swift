import Foundation
import TrunklineHTTP

/// Runs one case: its requests one after the other, then what the origin saw.
struct CaseRun: Sendable {
    let session: SessionManager
    let origin: Origin
    let test: Case
    private let token = UUID().uuidString.lowercased()

    init(_ test: Case, session: SessionManager, origin: Origin) {
        self.test = test
        self.session = session
        self.origin = origin
    }

    /// What the client saw of a step.
    struct Answer: Sendable {
        /// Nil when there was none.
        var status: Int?
        var headers: HTTPHeaders = [:]
        var text = ""
        var failure = ""
    }

    func verdict() async -> Verdict {
        guard let base = origin.begin(test.steps, token: token) else { return .notSetUp("no URL") }
        var answers: [Answer] = []
        do {
            for (index, step) in test.steps.enumerated() {
                let answer = await send(step, number: index + 1, base: base, former: answers.last)
                answers.append(answer)
                try AnswerChecks(step: step, number: index + 1, answer: answer, token: token).run()
                if step.pausesAfter { try? await Task.sleep(for: .seconds(3)) }
            }
            let records = origin.records(of: token)
            for (index, step) in test.steps.enumerated() {
                try OriginChecks(step: step, number: index + 1, answer: answers[index], records: records).run()
            }
            return .passed
        } catch {
            return error.verdict
        }
    }

    private func send(_ step: Step, number: Int, base: URL, former: Answer?) async -> Answer {
        var text = base.absoluteString
        if let name = step.fileName { text += "/" + name }
        if let query = step.query { text += "?" + query }
        guard let url = URL(string: text) else { return Answer(failure: "no URL: \(text)") }
        var headers: HTTPHeaders = ["Test-ID": test.id, "Req-Num": String(number)]
        for field in step.requestFields {
            headers.add(field.name, requestValue(field, of: step, former).trimmingCharacters(in: .whitespaces))
        }
        var request = HTTPRequest(method: step.method, url: url, headers: headers)
        request.body = step.requestBody.map { .data(Data($0.utf8)) }
        request.options.cachePartition = CachePartition(user: "private")
        request.options.cache = policy(step)
        if step.isRedirectManual { request.options.redirects = .refuse }
        do throws(HTTPError) {
            let response = try await session.send(request)
            return Answer(
                status: response.statusCode, headers: response.headers,
                text: String(decoding: response.data, as: UTF8.self))
        } catch {
            // The typed form of the 504 that a cache generates (RFC 9111, section 5.2.1.7).
            if case .notInCache = error { return Answer(status: 504, failure: "\(error)") }
            return Answer(failure: "\(error)")
        }
    }

    private func requestValue(_ field: Step.Field, of step: Step, _ former: Answer?) -> String {
        if step.hasMagicDate, field.name.lowercased() == "if-modified-since", case .number = field.value,
            let changed = former?.headers["Last-Modified"].flatMap({ HTTPDate.parse($0) })
        {
            return field.value.text(for: field.name, now: changed)
        }
        return field.value.text(
            for: field.name, now: Date(), asRFC850: step.rfc850Fields.contains(field.name.lowercased()))
    }

    private func policy(_ step: Step) -> CachePolicy? {
        switch step.cacheMode {
        case "no-store": .networkOnly
        case "no-cache": .revalidate
        case "reload": .reload
        case "force-cache": .cacheFirst(maxAge: .seconds(3_153_600_000))
        case "only-if-cached": .cacheOnly
        default: nil
        }
    }
}
