import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("A failure's message for the user")
struct FailureMessageTests {
    /// Says every failure in its own words.
    private final class WordyAPI: TestAPI {
        override func beforePerformFail(with error: APIError, response: APIResponse?) -> Bool {
            errorMessage = "In other words."
            return super.beforePerformFail(with: error, response: response)
        }
    }

    @Test("What beforePerformFail makes of it reaches the manager, its error and whoever awaits")
    func messageReachesEverybody() async {
        let rig = Rig(WordyAPI()) { _ in throw HTTPError.offline }
        let error = await #expect(throws: APIError.self) { _ = try await rig.manager.load() }
        #expect(error?.message == "In other words.")
        #expect(error?.type == .noNetwork)
        #expect(rig.manager.error?.message == "In other words.")
        #expect(rig.manager.errorMessage == "In other words.")
    }

    @Test("A secret in the words of others is masked in the description")
    func secrets() {
        let error = APIError(.default, reason: "no answer from http://u:PLANTED@h/?token=PLANTED")
        #expect("\(error)" == "no answer from http://<redacted>@h/?token=<redacted>")
    }

    @Test("So it does for a load that is refused before it is made")
    func messageOfARefusedLoad() async {
        let rig = Rig(WordyAPI()) { _ in throw HTTPError.offline }
        rig.screen.paramsVerdict = .invalid("No.")
        let error = await #expect(throws: APIError.self) { _ = try await rig.manager.load() }
        #expect(error?.message == "In other words.")
        #expect(error?.type == .paramsError)
    }

    @Test("Without it the message is the default one of the kind")
    func defaultMessage() async {
        let rig = Rig(TestAPI()) { _ in throw HTTPError.offline }
        let error = await #expect(throws: APIError.self) { _ = try await rig.manager.load() }
        #expect(error?.message == APIErrorType.noNetwork.defaultMessage)
    }
}
