import Foundation
import TrunklineHTTP

/// How often something is expected.
public enum ExpectedCount: Hashable, Sendable, CustomStringConvertible {
    /// So many times and no other number.
    case exactly(Int)
    /// So many times or more.
    case atLeast(Int)
    /// So many times or fewer.
    case atMost(Int)

    /// Once and no more.
    public static let once = ExpectedCount.exactly(1)
    /// Not at all.
    public static let never = ExpectedCount.exactly(0)

    func includes(_ count: Int) -> Bool {
        switch self {
        case .exactly(let wanted): count == wanted
        case .atLeast(let wanted): count >= wanted
        case .atMost(let wanted): count <= wanted
        }
    }

    /// The expectation in words.
    public var description: String {
        switch self {
        case .exactly(let count): "exactly \(count)"
        case .atLeast(let count): "at least \(count)"
        case .atMost(let count): "at most \(count)"
        }
    }
}

extension StubTransport {
    /// How many requests were received that match; see ``when(_:_:_:times:answer:)`` for the parameters.
    public func count(
        _ method: HTTPMethod? = nil, _ url: String? = nil, _ conditions: StubCondition...
    ) -> Int {
        let probe = Stub(method, url, conditions, limit: nil, answers: [], end: .repeatsLast)
        return receivedRequests.filter { probe.mismatches($0).isEmpty }.count
    }

    /// Fails unless matching requests were received as often as expected.
    ///
    /// Only requests that were matched against stubs count (``receivedRequests``): a transport of a closure alone has
    /// none.
    ///
    /// - Throws: ``TestFailure``, which lists what was received.
    public func verify(
        _ method: HTTPMethod? = nil, _ url: String? = nil, _ conditions: StubCondition...,
        count expected: ExpectedCount = .atLeast(1), fileID: String = #fileID, line: Int = #line
    ) throws {
        let probe = Stub(method, url, conditions, limit: nil, answers: [], end: .repeatsLast)
        let received = receivedRequests
        let count = received.filter { probe.mismatches($0).isEmpty }.count
        guard !expected.includes(count) else { return }
        var text = "Expected \(expected) of \(probe.description), received \(count)."
        let others = received.map { ($0, probe.mismatches($0)) }.filter { !$0.1.isEmpty }
        let nearest = others.min { left, right in
            left.1.reduce(0) { $0 + $1.distance } < right.1.reduce(0) { $0 + $1.distance }
        }
        if let nearest, count == 0 {
            let reasons = nearest.1.map(\.description).joined(separator: "; ")
            text += " The nearest is \(nearest.0): \(reasons)."
        }
        text += StubTransport.list(received)
        throw TestFailure(text, fileID: fileID, line: line)
    }

    /// Fails unless every stub has answered a request, and no request was left unanswered.
    ///
    /// - Throws: ``TestFailure``, which names them.
    public func verifyAll(fileID: String = #fileID, line: Int = #line) throws {
        let (unused, unmatched) = (unusedStubs, unmatchedRequests)
        var faults: [String] = []
        if !unused.isEmpty { faults.append("Unused stubs: \(unused.map(\.description).joined(separator: "; ")).") }
        if !unmatched.isEmpty {
            faults.append("Requests without a stub: \(unmatched.map(\.description).joined(separator: "; ")).")
        }
        guard !faults.isEmpty else { return }
        throw TestFailure(faults.joined(separator: " "), fileID: fileID, line: line)
    }

    private static func list(_ received: [StubRequest]) -> String {
        guard !received.isEmpty else { return " Nothing was received." }
        let lines = received.prefix(20).map { "\n  \($0.number). \($0)" }.joined()
        return " Received:" + lines + (received.count > 20 ? "\n  … \(received.count) in all" : "")
    }
}
