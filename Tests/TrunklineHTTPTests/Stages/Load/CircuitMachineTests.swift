import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct CircuitMachineTests {
    private let policy = CircuitPolicy(trip: .consecutiveFailures(3), openFor: .seconds(10), probes: 1)

    /// A machine that is open until 10 s.
    private func opened(_ policy: CircuitPolicy) -> CircuitMachine {
        var machine = CircuitMachine()
        for _ in 0..<3 { _ = machine.handle(.ended(.failure, generation: 0), policy, now: .zero) }
        return machine
    }

    /// Outcomes of a closed circuit → whether it opens: `s`uccess, `f`ailure, `n`othing.
    @Test(arguments: [
        ("", CircuitPolicy.Trip.consecutiveFailures(3), false), ("ff", .consecutiveFailures(3), false),
        ("fff", .consecutiveFailures(3), true), ("ffsff", .consecutiveFailures(3), false),
        ("ffnf", .consecutiveFailures(3), true), ("f", .consecutiveFailures(0), true),
        ("f", .consecutiveFailures(-7), true), ("sss", .consecutiveFailures(1), false),
        ("fffs", .failureRate(0.5, of: 5), false), ("fffss", .failureRate(0.5, of: 5), true),
        ("ssfff", .failureRate(0.5, of: 5), true), ("sssff", .failureRate(0.5, of: 5), false),
        ("sssfff", .failureRate(0.5, of: 5), true), ("ffnnnn", .failureRate(0.5, of: 4), false),
        ("ffss", .failureRate(0.5, of: 4), true), ("sssss", .failureRate(0, of: 2), false),
        ("sf", .failureRate(0, of: 2), true), ("ffff", .failureRate(2, of: 2), false),
        ("f", .failureRate(1, of: 0), true), ("f", .failureRate(.nan, of: 1), false),
    ])
    func `what opens it`(outcomes: String, trip: CircuitPolicy.Trip, opens: Bool) {
        var machine = CircuitMachine()
        for outcome in outcomes where machine.generation == 0 {
            let outcome: CircuitMachine.Outcome = outcome == "f" ? .failure : outcome == "s" ? .success : .nothing
            _ = machine.handle(.ended(outcome, generation: 0), CircuitPolicy(trip: trip), now: .zero)
        }
        #expect((machine.publicState(now: .zero) != .closed) == opens)
    }

    @Test func `open refuses until its time, then one probes and the others are refused`() {
        var machine = opened(policy)
        #expect(machine.handle(.ask, policy, now: .seconds(4)) == .refuse(after: .seconds(6)))
        #expect(machine.refusal(policy, now: .seconds(10)) == nil)
        #expect(machine.publicState(now: .seconds(4)) == .open(probesIn: .seconds(6)))
        let verdict = machine.handle(.ask, policy, now: .seconds(10))
        #expect(verdict == .pass(generation: machine.generation))
        #expect(machine.publicState(now: .seconds(10)) == .halfOpen)
        #expect(machine.handle(.ask, policy, now: .seconds(11)) == .refuse(after: .zero))
        #expect(machine.refusal(policy, now: .seconds(11)) == .zero)
    }

    @Test func `a good probe closes it, a bad one opens it for the whole time again`() {
        for outcome in [CircuitMachine.Outcome.success, .failure, .nothing] {
            var machine = opened(policy)
            _ = machine.handle(.ask, policy, now: .seconds(10))
            _ = machine.handle(.ended(outcome, generation: machine.generation), policy, now: .seconds(12))
            switch outcome {
            case .success: #expect(machine.state == .closed(CircuitMachine.Tally()))
            case .failure: #expect(machine.state == .open(until: .seconds(22)))
            // A cancelled probe says nothing: the next one probes.
            case .nothing: #expect(machine.handle(.ask, policy, now: .seconds(12)) == .pass(generation: 2))
            }
        }
    }

    @Test func `as many probes as asked for, and as many successes`() {
        let policy = CircuitPolicy(trip: .consecutiveFailures(3), openFor: .seconds(10), probes: 3)
        var machine = opened(policy)
        for _ in 0..<3 { #expect(machine.handle(.ask, policy, now: .seconds(10)) == .pass(generation: 2)) }
        #expect(machine.handle(.ask, policy, now: .seconds(10)) == .refuse(after: .zero))
        _ = machine.handle(.ended(.success, generation: 2), policy, now: .seconds(11))
        // Three are enough: the second and third are under way, so a fourth is not needed.
        #expect(machine.handle(.ask, policy, now: .seconds(11)) == .refuse(after: .zero))
        _ = machine.handle(.ended(.nothing, generation: 2), policy, now: .seconds(11))
        #expect(machine.handle(.ask, policy, now: .seconds(11)) == .pass(generation: 2))
        _ = machine.handle(.ended(.success, generation: 2), policy, now: .seconds(11))
        #expect(machine.publicState(now: .seconds(11)) == .halfOpen)
        _ = machine.handle(.ended(.success, generation: 2), policy, now: .seconds(11))
        #expect(machine.publicState(now: .seconds(11)) == .closed)
    }

    @Test func `an answer from before counts for nothing`() {
        var machine = opened(policy)
        _ = machine.handle(.ended(.success, generation: 0), policy, now: .seconds(1))
        #expect(machine.state == .open(until: .seconds(10)))
        _ = machine.handle(.ask, policy, now: .seconds(10))
        _ = machine.handle(.ended(.failure, generation: 0), policy, now: .seconds(11))
        _ = machine.handle(.ended(.success, generation: 0), policy, now: .seconds(11))
        #expect(machine.publicState(now: .seconds(11)) == .halfOpen)
    }

    @Test(arguments: [
        (200, CircuitMachine.Outcome.success), (304, .success), (401, .success), (404, .success), (429, .success),
        (500, .failure), (503, .failure), (599, .failure),
    ])
    func `statuses`(status: Int, outcome: CircuitMachine.Outcome) {
        let response = HTTPResponse(request: HTTPRequest(url: Load.url()), statusCode: status)
        #expect(CircuitMachine.Outcome(.success(response)) == outcome)
    }

    @Test func `errors`() {
        struct Own: Error {}
        let failures: [any Error] = [
            HTTPError.connectionFailed(reason: ""), HTTPError.timedOut(.connect), HTTPError.timedOut(.idle),
            HTTPError.nameResolution(host: "h"),
            HTTPError.connectionLost(ConnectionLoss(stage: .duringBody, reason: "")),
        ]
        let silent: [any Error] = [
            HTTPError.cancelled, CancellationError(), HTTPError.offline, Own(), HTTPError.timedOut(.total),
            HTTPError.tls(TLSFailure(reason: .pinMismatch, detail: "")), HTTPError.sessionInvalidated,
        ]
        for error in failures { #expect(CircuitMachine.Outcome(.failure(error)) == .failure, "\(error)") }
        for error in silent { #expect(CircuitMachine.Outcome(.failure(error)) == .nothing, "\(error)") }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-5), .zero])
    func `no open time traps`(openFor: Duration) {
        let policy = CircuitPolicy(trip: .consecutiveFailures(1), openFor: openFor, probes: .min)
        var machine = CircuitMachine()
        _ = machine.handle(.ended(.failure, generation: 0), policy, now: .seconds(3))
        let verdict = machine.handle(.ask, policy, now: .seconds(3))
        #expect((verdict == .pass(generation: 2)) == (openFor <= .zero))
    }
}
