import Foundation
import Testing

@testable import TrunklineHTTP

@Suite struct RefreshMachineTests {
    private typealias Machine = RefreshMachine<String>

    private final class Waiters: Sendable {
        let heard = Protected<[String]>([])
        func waiter(_ name: String) -> Machine.Waiter {
            { outcome in
                let text =
                    switch outcome {
                    case nil: "cancelled"
                    case .success(let credential): credential
                    case .failure(let failure): "\(failure.reason)"
                    }
                self.heard.withLock { $0.append("\(name):\(text)") }
            }
        }
    }

    private let waiters = Waiters()
    private let now = Date(timeIntervalSince1970: 1000)

    private func ask(
        _ machine: inout Machine, replacing unwanted: String?, _ name: String = "a", at time: Double = 0
    ) -> Machine.Answer {
        let id = machine.nextWaiter()
        return machine.ask(
            replacing: unwanted, epoch: machine.epoch, now: now + time, waiter: id, waiters.waiter(name))
    }

    private func started(_ answer: Machine.Answer) throws -> Int {
        guard case .start(let flight, _) = answer else { throw Unexpected(answer: "\(answer)") }
        return flight
    }

    private struct Unexpected: Error { let answer: String }

    private func isWaiting(_ answer: Machine.Answer) -> Bool {
        if case .waiting = answer { true } else { false }
    }

    private func settled(_ answer: Machine.Answer) -> String? {
        switch answer {
        case .settled(.success(let credential)): credential
        case .settled(.failure(let failure)): "\(failure.reason)"
        default: nil
        }
    }

    private func wake(_ ending: Machine.Ending?) {
        guard let ending else { return }
        for waiter in ending.waiters { waiter(ending.outcome) }
    }

    @Test func `the first asks for a refresh, the others wait, all hear once and in order`() throws {
        var machine = Machine(credential: "1", limits: RefreshLimits())
        let flight = try started(ask(&machine, replacing: "1", "a"))
        for name in ["b", "c"] {
            let answer1 = ask(&machine, replacing: "1", name)
            #expect(isWaiting(answer1))
        }
        let answer2 = ask(&machine, replacing: nil, "d")
        #expect(isWaiting(answer2))
        #expect(machine.waiterCount == 4)
        wake(machine.finish(flight, .success("2")))
        wake(machine.finish(flight, .success("3")))
        #expect(waiters.heard.current == ["a:2", "b:2", "c:2", "d:2"])
        #expect(machine.credential == "2" && machine.runningFlight == nil)
    }

    @Test func `another credential than the unwanted one is given at once`() throws {
        var machine = Machine(credential: "2", limits: RefreshLimits())
        let answer3 = ask(&machine, replacing: "1")
        #expect(settled(answer3) == "2")
        let answer4 = ask(&machine, replacing: nil)
        #expect(settled(answer4) == "2")
    }

    @Test func `who leaves hears that, and nothing else`() throws {
        var machine = Machine(credential: "1", limits: RefreshLimits())
        let flight = try started(ask(&machine, replacing: "1"))
        let left = [machine.leave(1), machine.leave(1)]
        #expect(left[1].map { _ in true } == nil)
        left[0]?(nil)
        wake(machine.finish(flight, .success("2")))
        #expect(waiters.heard.current == ["a:cancelled"])
        #expect(machine.credential == "2")
    }

    @Test func `a refused refresh drops the credential, another failure keeps it`() throws {
        for (reason, left) in [(AuthenticationFailure.Reason.refreshRefused, nil), (.refreshFailed, "1")] {
            var machine = Machine(credential: "1", limits: RefreshLimits())
            let flight = try started(ask(&machine, replacing: "1"))
            wake(machine.finish(flight, .failure(AuthenticationFailure(reason: reason))))
            #expect(machine.credential == left)
            #expect(!machine.isUnset)
        }
    }

    @Test func `a log-out and a new credential overtake the refresh`() throws {
        var machine = Machine(credential: "1", limits: RefreshLimits())
        let before = machine.epoch
        let flight = try started(ask(&machine, replacing: "1", "a"))
        wake(machine.logOut())
        let late = machine.finish(flight, .success("2"))
        #expect(late?.waiters.count == nil)
        #expect(machine.credential == nil && machine.isUnset)
        wake(machine.set("3"))
        guard case .failure(let failure) = machine.settled(replacing: nil, epoch: before) else {
            Issue.record("continued as somebody else")
            return
        }
        #expect(failure.reason == .loggedOut)
        let second = try started(ask(&machine, replacing: "3", "b"))
        #expect(second != flight)
        wake(machine.set("4"))
        let kept = machine.keep([], of: second)
        let later = machine.finish(second, .success("5"))
        #expect(!kept && later?.waiters.count == nil)
        #expect(machine.credential == "4")
        #expect(waiters.heard.current == ["a:loggedOut", "b:4"])
    }

    @Test func `the limit counts within its window, and a clock set back does not hold it for ever`() throws {
        var machine = Machine(credential: "1", limits: RefreshLimits(count: 2, window: .seconds(10)))
        for time in [0.0, 5] {
            let flight = try started(ask(&machine, replacing: "1", at: time))
            wake(machine.finish(flight, .failure(AuthenticationFailure(reason: .refreshFailed))))
        }
        let answer5 = ask(&machine, replacing: "1", at: 9)
        #expect(settled(answer5) == "tooManyRefreshes")
        let flight = try started(ask(&machine, replacing: "1", at: 10))
        wake(machine.finish(flight, .failure(AuthenticationFailure(reason: .refreshFailed))))
        _ = try started(ask(&machine, replacing: "1", at: -3600))
    }
}
