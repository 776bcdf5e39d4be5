import Foundation
import Testing

@testable import TrunklineHTTP

/// The machine as a table: every event in every state.
@Suite struct RequestLifecycleTests {
    private static let response = HTTPResponse(
        request: HTTPRequest(url: URL(fileURLWithPath: "/")), statusCode: 200)

    @Test func `resume starts the work once`() {
        var machine = RequestLifecycle()
        #expect(machine.handle(.resume).start)
        #expect(!machine.handle(.resume).start)
        #expect(machine.state == .running)
    }

    @Test func `the first end wins, later ones do nothing`() {
        var machine = RequestLifecycle()
        _ = machine.handle(.resume)
        #expect(machine.handle(.end(.success(Self.response))).ended)
        let second = machine.handle(.end(.failure(.offline)))
        #expect(!second.ended && !second.stopWork && second.deliver.isEmpty)
        #expect(machine.outcome?.isSuccess == true)
    }

    @Test func `a cancel before the start keeps the work from starting`() {
        var machine = RequestLifecycle()
        #expect(machine.handle(.cancel).ended)
        #expect(!machine.handle(.resume).start)
        #expect(machine.state == .finished)
    }

    @Test func `a cancel between end and delivery wins`() {
        var machine = RequestLifecycle()
        _ = machine.handle(.attach {})
        _ = machine.handle(.resume)
        #expect(machine.handle(.end(.success(Self.response))).deliver.count == 1)
        _ = machine.handle(.cancel)
        #expect(machine.settle()?.isCancelled == true)
    }

    @Test func `a cancel wins over the delivery of a handler that came after the end`() {
        var machine = RequestLifecycle()
        _ = machine.handle(.resume)
        _ = machine.handle(.end(.success(Self.response)))
        #expect(machine.handle(.attach {}).deliver.count == 1)
        _ = machine.handle(.cancel)
        #expect(machine.settle()?.isCancelled == true)
    }

    @Test func `a cancel after delivery changes nothing`() {
        var machine = RequestLifecycle()
        _ = machine.handle(.attach {})
        _ = machine.handle(.resume)
        _ = machine.handle(.end(.success(Self.response)))
        #expect(machine.settle()?.isSuccess == true)
        _ = machine.handle(.cancel)
        #expect(machine.settle()?.isSuccess == true)
    }

    @Test func `a cancel after an end nobody waited for changes nothing`() {
        var machine = RequestLifecycle()
        _ = machine.handle(.resume)
        _ = machine.handle(.end(.success(Self.response)))
        _ = machine.handle(.cancel)
        #expect(machine.settle()?.isSuccess == true)
    }

    @Test func `handlers are delivered once each, early and late ones`() {
        var machine = RequestLifecycle()
        #expect(machine.handle(.attach {}).deliver.isEmpty)
        _ = machine.handle(.resume)
        #expect(machine.handle(.attach {}).deliver.isEmpty)
        #expect(machine.handle(.end(.failure(.offline))).deliver.count == 2)
        #expect(machine.handle(.attach {}).deliver.count == 1)
        #expect(machine.handle(.end(.failure(.offline))).deliver.isEmpty)
    }

    @Test func `what the stopped work says doesn't replace the reason it was stopped for`() {
        var machine = RequestLifecycle()
        _ = machine.handle(.attach {})
        _ = machine.handle(.resume)
        _ = machine.handle(.end(.failure(.timedOut(.total))))
        _ = machine.handle(.end(.failure(.cancelled)))
        guard case .failure(.timedOut(.total)) = machine.settle() else {
            Issue.record("\(String(describing: machine.outcome))")
            return
        }
    }

    @Test func `suspend holds a running request only, and resume releases it`() {
        var machine = RequestLifecycle()
        #expect(!machine.handle(.suspend).changesHold)
        #expect(machine.state == .initialized)
        _ = machine.handle(.resume)
        #expect(machine.handle(.suspend).changesHold)
        #expect(machine.state == .suspended && machine.outcome == nil)
        #expect(!machine.handle(.suspend).changesHold)
        #expect(machine.handle(.attach {}).deliver.isEmpty)
        #expect(machine.settle() == nil)
        let resumed = machine.handle(.resume)
        #expect(resumed.changesHold && !resumed.start)
        #expect(machine.state == .running)
        _ = machine.handle(.suspend)
        let end = machine.handle(.cancel)
        #expect(end.ended && end.stopWork && end.deliver.count == 1)
        #expect(!machine.handle(.suspend).changesHold)
        #expect(!machine.handle(.resume).changesHold)
        #expect(machine.state == .finished)
    }

    @Test func `nothing can be settled before the end`() {
        var machine = RequestLifecycle()
        #expect(machine.settle() == nil)
        _ = machine.handle(.resume)
        #expect(machine.settle() == nil)
    }
}

extension RequestLifecycle.Outcome {
    var isSuccess: Bool { if case .success = self { true } else { false } }
    var isCancelled: Bool { if case .failure(.cancelled) = self { true } else { false } }
}
