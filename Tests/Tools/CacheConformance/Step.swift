import TrunklineHTTP

/// One request of a case, with what the origin answers and what is expected.
struct Step: Sendable {
    /// A response field: the origin sends it, and the client is to see it unless it is not checked.
    struct Field: Sendable {
        var name: String
        var value: FieldValue
        var isChecked: Bool
    }

    /// What may be expected of a step's answer.
    enum ExpectedType: String, Sendable {
        case cached
        case notCached = "not_cached"
        case etagValidated = "etag_validated"
        case lastModifiedValidated = "lm_validated"
    }

    let json: JSONValue

    private func list(_ name: String) -> [JSONValue] { json[name]?.array ?? [] }
    private func has(_ name: String) -> Bool { json[name] != nil }
    private func isTrue(_ name: String) -> Bool { json[name]?.bool == true }

    var method: HTTPMethod { HTTPMethod(rawValue: json["request_method"]?.string ?? "GET") }
    var requestBody: String? { json["request_body"]?.string }
    var query: String? { json["query_arg"]?.string }
    var fileName: String? { json["filename"]?.string }
    var cacheMode: String { json["cache"]?.string ?? "default" }
    var isRedirectManual: Bool { json["redirect"]?.string == "manual" }
    var hasMagicDate: Bool { isTrue("magic_ims") }
    var pausesAfter: Bool { isTrue("pause_after") }

    var requestFields: [Field] { list("request_headers").compactMap(Step.field) }
    var responseFields: [Field] { list("response_headers").compactMap(Step.field) }

    private static func field(_ value: JSONValue) -> Field? {
        guard let parts = value.array, parts.count >= 2, let name = parts[0].string, let value = FieldValue(parts[1])
        else { return nil }
        return Field(name: name, value: value, isChecked: parts.count < 3 || parts[2].bool != false)
    }

    /// Status and reason the origin answers with.
    var responseStatus: (code: Int, reason: String)? {
        guard let parts = json["response_status"]?.array, let code = parts.first?.int else { return nil }
        return (code, parts.count > 1 ? parts[1].string ?? "" : "")
    }

    /// The body; the outer nil where the case says nothing, the inner where it says there is none.
    var responseBody: String?? { has("response_body") ? .some(json["response_body"]?.string) : .none }
    /// Seconds.
    var responsePause: Double? { json["response_pause"]?.double }
    /// Status, and fields, of interim answers.
    var interimResponses: [(code: Int, fields: [Field])] {
        list("interim_responses").compactMap { interim in
            guard let parts = interim.array, let code = parts.first?.int else { return nil }
            return (code, parts.count > 1 ? (parts[1].array ?? []).compactMap(Step.field) : [])
        }
    }
    var disconnects: Bool { isTrue("disconnect") }
    var hasMagicLocations: Bool { isTrue("magic_locations") }
    var rfc850Fields: Set<String> { Set(list("rfc850date").compactMap { $0.string?.lowercased() }) }

    var expectedType: ExpectedType? { json["expected_type"]?.string.flatMap(ExpectedType.init) }
    /// The outer nil where the case says nothing, the inner where any status will do, none too.
    var expectedStatus: Int?? { has("expected_status") ? .some(json["expected_status"]?.int) : .none }
    var expectedMethod: HTTPMethod? { json["expected_method"]?.string.map(HTTPMethod.init(rawValue:)) }
    /// As ``responseBody``.
    var expectedText: String?? {
        has("expected_response_text") ? .some(json["expected_response_text"]?.string) : .none
    }
    var checksBody: Bool { json["check_body"]?.bool != false }
    var expectsInterim: Bool { has("expected_interim_responses") }

    var expectedRequestFields: [FieldExpectation] { expectations("expected_request_headers") }
    var missingRequestFields: [FieldExpectation] { expectations("expected_request_headers_missing") }
    var expectedResponseFields: [FieldExpectation] { expectations("expected_response_headers") }
    var missingResponseFields: [FieldExpectation] { expectations("expected_response_headers_missing") }

    private func expectations(_ name: String) -> [FieldExpectation] { list(name).compactMap(FieldExpectation.init) }

    /// Whether a failure of this check means that the case could not be set up.
    func isSetup(_ check: String) -> Bool {
        isTrue("setup") || list("setup_tests").contains { $0.string == check }
    }
}
