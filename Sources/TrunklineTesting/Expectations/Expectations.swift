import Foundation
import TrunklineHTTP

/// Runs what must succeed and gives its value.
///
/// ```swift
/// let item = try await expectSuccess { try await session.request(endpoint).decoded(Item.self) }
/// ```
///
/// Works in Swift Testing and XCTest: throw what it throws out of the test function.
///
/// - Throws: ``TestFailure`` when it fails, with the error, the status and the beginning of the response's content.
@discardableResult
public func expectSuccess<Value>(
    fileID: String = #fileID, line: Int = #line, isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> sending Value
) async throws(TestFailure) -> sending Value {
    do {
        return try await work()
    } catch {
        throw TestFailure("Expected a success, but: \(explanation(of: error))", fileID: fileID, line: line)
    }
}

/// Runs what must fail and gives its error.
///
/// ```swift
/// let error = try await expectFailure { try await session.request(endpoint).response() }
/// guard case .timedOut(.idle) = error else { throw TestFailure("\(error)") }
/// ```
///
/// - Throws: ``TestFailure`` when it succeeds, with its value.
@discardableResult
public func expectFailure<Value>(
    fileID: String = #fileID, line: Int = #line, isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> sending Value
) async throws(TestFailure) -> HTTPError {
    let value: Value
    do {
        value = try await work()
    } catch {
        return HTTPError(error)
    }
    let text = String(describing: value)
    throw TestFailure(
        "Expected a failure, but it succeeded with \(text.count > 500 ? text.prefix(500) + "…" : text)",
        fileID: fileID, line: line)
}

/// Runs what must fail in a certain way, and gives what the pattern takes out of the error.
///
/// ```swift
/// let status = try await expectFailure(as: { if case .validation(let failure) = $0 { failure.response.statusCode } else { nil } }) {
///     try await session.request(endpoint).response()
/// }
/// ```
///
/// - Throws: ``TestFailure`` when it succeeds, or fails in another way.
public func expectFailure<Value, Detail>(
    as pattern: (HTTPError) -> Detail?, fileID: String = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> sending Value
) async throws(TestFailure) -> Detail {
    let error = try await expectFailure(fileID: fileID, line: line, isolation: isolation, work)
    if let detail = pattern(error) { return detail }
    throw TestFailure("It failed in another way than expected: \(explanation(of: error))", fileID: fileID, line: line)
}

/// The error, and what the server wrote, credentials masked.
private func explanation(of error: any Error) -> String {
    guard let failure = error as? HTTPError else { return String(describing: error) }
    var text = failure.description
    guard let response = failure.response else { return text }
    text += " \(response.request.method) \(Redaction.standard.url(response.url)): status \(response.statusCode)"
    let type = response.headers["Content-Type"]
    if let body = Redaction.standard.text(of: response.data, contentType: type), !body.isEmpty {
        text += ", \(body.count > 500 ? body.prefix(500) + "…" : body)"
    }
    return text
}
