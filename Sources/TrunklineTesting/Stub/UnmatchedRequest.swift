import Foundation
import TrunklineHTTP

/// A request that no ``Stub`` answers, the stub that comes nearest, and what keeps that one from answering.
public struct UnmatchedRequest: Sendable, CustomStringConvertible {
    /// The request's method and URL, credentials masked.
    public let request: String
    /// What the nearest stub answers; nil where there is no stub at all.
    public let nearest: String?
    /// What keeps the nearest stub from answering.
    public let mismatches: [StubMismatch]
    /// How many stubs there are.
    public let stubCount: Int

    /// - Parameter stubs: the newest first.
    init(_ request: StubRequest, stubs: [Stub]) {
        self.request = request.description
        stubCount = stubs.count
        var best: (stub: Stub, mismatches: [StubMismatch], distance: Int)?
        for stub in stubs {
            var mismatches = stub.mismatches(request)
            if mismatches.isEmpty, let exhaustion = stub.exhaustion { mismatches = [exhaustion] }
            let distance = mismatches.reduce(0) { $0 + $1.distance }
            if best.map({ distance < $0.distance }) ?? true { best = (stub, mismatches, distance) }
        }
        nearest = best?.stub.description
        mismatches = best?.mismatches ?? []
    }

    /// The request, the nearest stub and the differences, in a few sentences.
    public var description: String {
        guard let nearest else { return "No stub answers \(request): there are no stubs." }
        let reasons = mismatches.map(\.description).joined(separator: "; ")
        let which = stubCount == 1 ? "The only one is" : "The nearest of \(stubCount) is"
        return "No stub answers \(request). \(which) \(nearest): \(reasons)."
    }
}
