import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// Many transfers, cancelled, held, released and given to other users at random.
@MainActor
@Suite("Transfer managers under load")
struct TransferStressTests {
    private static let loads = Sanitizer.isThread ? 60 : max(400, FuzzRounds.count(full: 4_000))

    /// Counts callbacks and looks for progress that comes too late or not at all.
    private final class Ledger: APIManagerCallbackDelegate, APIManagerProgressDelegate {
        var ends: [RequestID: Int] = [:]
        var whole: Set<RequestID> = []
        var cancelled: Set<RequestID> = []
        var faults: [String] = []

        func managerCallAPISuccess(_ manager: BaseAPIManager) {
            guard let id = manager.requestID else { return }
            ends[id, default: 0] += 1
            if !whole.contains(id) { faults.append("\(id) succeeded before its whole was told") }
            if let file = manager.response?.fileURL, !FileManager.default.fileExists(atPath: file.path) {
                faults.append("\(id) succeeded without its file")
            }
        }

        func managerCallAPIFailed(_ manager: BaseAPIManager) {
            if let id = manager.requestID { ends[id, default: 0] += 1 }
        }

        func manager(_ manager: BaseAPIManager, didSend sent: Int64, of total: Int64?, requestID: RequestID) {
            note(sent, total, requestID)
        }

        func manager(_ manager: BaseAPIManager, didReceive received: Int64, of total: Int64?, requestID: RequestID) {
            note(received, total, requestID)
        }

        private func note(_ completed: Int64, _ total: Int64?, _ id: RequestID) {
            if ends[id] != nil { faults.append("\(id) has progress after its end") }
            if cancelled.contains(id) { faults.append("\(id) has progress after its cancel") }
            if completed == total { whole.insert(id) }
        }
    }

    private struct Weak {
        weak var manager: TransferAPIManager?
    }

    @Test("One callback each, the whole before a success, nothing after the end, and no file or manager left")
    func everythingAtOnceFuzz() async throws {
        var random = SeededRandom(seed: 35)
        let ledger = Ledger()
        let rig = try TransferRig(SendAPI()) { server in
            server.recordsRequests = false
            server.route(.get, "/f") { RangedContent.response($0, rate: 20_000_000) }
            server.route(.post, "/up", respond: .json("{}"))
        }
        let target = rig.target
        var form = MultipartFormData()
        form.append(Data(repeating: 7, count: 100_000), name: "f")
        var everyone: [Weak] = []
        func make() -> TransferAPIManager {
            let manager: TransferAPIManager
            if random.below(2) == 0 {
                let file = FileAPI()
                let name = "\(everyone.count)"
                file.place = { _ in .file(target.appendingPathComponent(name)) }
                file.keeps = random.below(2) == 0 ? .automatic : .never
                file.policy = [.allow, .cancelPrevious, .queue][random.below(3)]
                manager = file
            } else {
                let send = SendAPI()
                send.content = .multipart(form)
                manager = send
            }
            manager.serviceFactory = rig.manager.serviceFactory
            manager.delegate = ledger
            manager.progressDelegate = ledger
            manager.progressInterval = [.zero, .milliseconds(1), .milliseconds(50)][random.below(3)]
            everyone.append(Weak(manager: manager))
            return manager
        }
        var managers = (0..<20).map { _ in make() }
        var expected: [[RequestID]] = Array(repeating: [], count: managers.count)
        var made = 0
        while made < Self.loads {
            let index = random.below(managers.count)
            let manager = managers[index]
            switch random.below(20) {
            case 0..<11:
                made += 1
                if let id = manager.loadData() { expected[index].append(id) }
            case 11..<13: manager.suspendAllRequests()
            case 13..<16: manager.resumeAllRequests()
            case 16:
                guard let id = manager.loadingRequestIDs.last else { break }
                ledger.cancelled.insert(id)
                if let file = manager as? FileAPI {
                    file.cancelRequest(id, keepingPartial: random.below(2) == 0)
                } else {
                    manager.cancelRequest(id)
                }
            case 17:
                expected[index] = []
                managers[index] = make()
            case 18: rig.service.userIdentifier = ["a", "b"][random.below(2)]
            default: try await Task.sleep(for: .milliseconds(3))
            }
        }
        for manager in managers { manager.resumeAllRequests() }
        #expect(await eventually { managers.allSatisfy { !$0.isLoading } })
        for id in expected.joined() { #expect(ledger.ends[id] == 1, "\(id) ended \(ledger.ends[id] ?? 0) times") }
        #expect(ledger.ends.values.allSatisfy { $0 == 1 } && ledger.faults.isEmpty, "\(ledger.faults.prefix(5))")
        #expect(ledger.whole.count > 10)
        managers = []
        #expect(await eventually { everyone.allSatisfy { $0.manager == nil } })
        #expect(await eventually { rig.service.session.activeRequests.isEmpty })
        for name in rig.names {
            #expect(try Data(contentsOf: rig.file(name)) == RangedContent.bytes, "\(name) is not whole")
        }
        // Nothing waits any more that was never accepted.
        let downloads = rig.root.appendingPathComponent("transfers/downloads").path
        #expect(
            await eventually {
                ((try? FileManager.default.contentsOfDirectory(atPath: downloads)) ?? []).allSatisfy {
                    !$0.hasSuffix(".once")
                }
            })
    }
}
