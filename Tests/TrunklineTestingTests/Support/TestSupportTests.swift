import Foundation
import Testing

@Suite("What the tests share")
struct TestSupportTests {
    private struct Broken: Error {}

    @Test("Work on a thread of its own returns, throws, and its issues belong to its test")
    func ownThread() async throws {
        let here = await onThread { Thread.isMainThread }
        #expect(!here)
        #expect(await onThread { 3 } == 3)
        await #expect(throws: Broken.self) { try await onThread { throw Broken() } }
        // A known issue is one of the test that says so: an issue without a test would not be known.
        await withKnownIssue {
            await onThread { _ = Issue.record("on the thread") }
        } matching: { _ in
            true
        }
        await withKnownIssue {
            await onThread { (_: isolated OwnThread) in
                await Task.yield()
                Issue.record("on the thread, after a pause")
            }
        } matching: { _ in
            true
        }
    }

    @Test("Work that awaits comes back to its thread, and blocked threads are not the pool's")
    func returnsToThread() async {
        let isSame = await onThread { (_: isolated OwnThread) in
            let thread = pthread_self()
            for _ in 0..<20 {
                try? await Task.sleep(for: .microseconds(100))
                if pthread_equal(thread, pthread_self()) == 0 { return false }
            }
            return true
        }
        #expect(isSame)
        // More than any pool has threads, all blocked until one more task runs.
        let gate = DispatchSemaphore(value: 0)
        let isOpened = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    await onThread {
                        let isOpened = gate.wait(timeout: .now() + 30) == .success
                        gate.signal()
                        return isOpened
                    }
                }
            }
            group.addTask {
                gate.signal()
                return true
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(isOpened)
    }

    @Test("Heavy work runs one piece at a time, also when some of it fails")
    func turns() async throws {
        let running = Collector<Int>()
        let most = Collector<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try? await HeavyWork.run {
                        running.add(1)
                        most.add(running.all.reduce(0, +))
                        usleep(1000)
                        running.add(-1)
                        if number.isMultiple(of: 3) { throw Broken() }
                    }
                }
            }
        }
        #expect(most.all == Array(repeating: 1, count: 20))
    }

    @Test("A program's output, complaints and end are told; one that takes too long is ended")
    func childProcesses() async throws {
        let shell = URL(fileURLWithPath: "/bin/sh")
        let result = try await HeavyWork.run {
            try ChildProcess.run(shell, ["-c", "echo out; head -c 300000 /dev/zero >&2; exit 3"])
        }
        #expect(result.exitStatus == 3 && result.lines == ["out", ""] && result.complaints.utf8.count == 300_000)
        let endless = try await HeavyWork.run { try ChildProcess.run(shell, ["-c", "exec sleep 60"], limit: 0.2) }
        #expect(endless.exitStatus == -SIGKILL)
        await #expect(throws: ChildProcess.Failure.self) {
            try await HeavyWork.run { try ChildProcess.lines(shell, ["-c", "exit 1"]) }
        }
    }

    @Test("Waiting ends when the condition holds, or at the limit")
    func waiting() async {
        let calls = Collector<Int>()
        #expect(
            await eventually {
                calls.add(1)
                return calls.count == 3
            })
        #expect(await eventually(within: .milliseconds(10)) { false } == false)
        #expect(await onThread { waitUntil(within: .milliseconds(10)) { false } } == false)
    }
}
