import Foundation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Envelopes")
struct ResponseEnvelopeTests {
    private final class EnvelopedService: TestService {
        override var responseEnvelope: ResponseEnvelope? {
            ResponseEnvelope(
                code: "meta.code", message: "meta.text", data: "body.item", successCodes: [0, "ok"],
                tokenErrorCodes: [401], loginCodes: ["LOGIN"])
        }
    }

    private struct Book: Codable, Equatable, Sendable { let title: String }

    private final class BookAPI: TypedAPIManager<Book, JSONValue>, APIManagerProtocol {
        func methodName() -> String { "book" }
        func serviceIdentifier() -> ServiceIdentifier { .test }
    }

    private func rig<Manager: BaseAPIManager>(
        _ manager: Manager, status: Int = 200, _ json: String
    ) -> Rig<Manager> {
        let rig = Rig(manager) { .stub(for: $0, status: status, json: json) }
        let service = EnvelopedService()
        service.transport = rig.stub
        manager.serviceFactory.register(.test) { service }
        return rig
    }

    private func ending(_ rig: Rig<TestAPI>) async -> APIErrorType {
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 1 })
        return rig.manager.errorType
    }

    @Test(
        "What code, status and message make of an answer",
        arguments: [
            (200, #"{"meta":{"code":0}}"#, "success", nil, true),
            (200, #"{"meta":{"code":"0"}}"#, "success", nil, true),
            (200, #"{"meta":{"code":"ok"}}"#, "success", nil, true),
            (200, #"{"meta":{"code":7,"text":"Sold out."}}"#, "businessError(7)", "Sold out.", false),
            (200, #"{"meta":{"code":7,"text":""}}"#, "businessError(7)", nil, false),
            (200, #"{"meta":{"code":7,"text":[1]}}"#, "businessError(7)", nil, false),
            (200, #"{"meta":{"code":401,"text":"Again."}}"#, "tokenError", "Again.", false),
            (400, #"{"meta":{"code":401}}"#, "tokenError", nil, false),
            (200, #"{"meta":{"code":"LOGIN"}}"#, "needLogin", nil, false),
            (200, #"{"meta":{"code":null}}"#, "invalidContent", nil, false),
            (200, #"{"meta":{"code":{}}}"#, "invalidContent", nil, false),
            (200, "[]", "invalidContent", nil, false),
            (404, #"{"meta":{"code":7,"text":"Gone."}}"#, "serverError(404)", "Gone.", true),
            (503, #"{"meta":{"code":7,"text":"Later."}}"#, "serverError(503)", "Later.", false),
            (404, "{}", "serverError(404)", nil, true),
        ] as [(Int, String, String, String?, Bool)])
    func verdicts(status: Int, json: String, type: String, message: String?, asksValidator: Bool) async {
        let rig = rig(TestAPI(), status: status, json)
        let ended = await ending(rig)
        #expect(ended.description == type)
        if ended != .success { #expect(rig.manager.errorMessage == message ?? ended.defaultMessage) }
        #expect(rig.screen.log.contains("validate data") == asksValidator)
    }

    @Test("The code is there, and typed managers look where the data is")
    func typedData() async throws {
        let good = rig(BookAPI(), #"{"meta":{"code":0},"body":{"item":{"title":"Emma"}}}"#)
        #expect(try await good.manager.loadValue() == Book(title: "Emma"))
        let bad = rig(BookAPI(), #"{"meta":{"code":9},"body":null}"#)
        let error = await #expect(throws: APIError.self) { try await bad.manager.loadValue() }
        #expect(error?.code == 9 && error?.code?.int == 9 && error?.type == .businessError(code: 9))
        #expect(bad.manager.serverError?["meta"]?["code"] == 9)
    }

    @Test("An endpoint may have no envelope, and an empty answer has none")
    func withoutEnvelope() async {
        final class Plain: TestAPI {
            override func responseEnvelope(for service: Service) -> ResponseEnvelope? { nil }
        }
        #expect(await ending(rig(Plain() as TestAPI, "{}")) == .success)
        #expect(await ending(rig(TestAPI(), status: 204, "")) == .success)
    }

    @Test("An envelope's failure is not cached")
    func notCached() async {
        let rig = rig(TestAPI(), #"{"meta":{"code":7}}"#)
        rig.manager.caches = true
        _ = await ending(rig)
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.stub.requests.count == 2)
    }

    @Test("Every kind of failure has a whole sentence and a key")
    func sentences() {
        let types: [APIErrorType] = [
            .default, .success, .noContent, .paramsError, .timeout, .noNetwork, .tokenError, .needLogin, .cancelled,
            .serverError(status: 400, body: Data()), .serverError(status: 403, body: Data()),
            .serverError(status: 404, body: Data()), .serverError(status: 500, body: Data()),
            .businessError(code: "x"), .vetoed, .serviceError, .requestError, .invalidContent, .connectionError, .other,
        ]
        for type in types {
            #expect(type.defaultMessage.first?.isUppercase == true && type.defaultMessage.last == ".", "\(type)")
        }
        #expect(Set(types.map(\.messageKey)).count == types.count)
    }

    @Test("The app's sentences, from a closure and from a table, and the English ones where it has none")
    func ownSentences() throws {
        // The kind is this test's own, since the sentences are the process's.
        let own = APIErrorType.businessError(code: "own-sentences")
        APIErrorMessages.use { $0 == own ? "Nix da." : nil }
        #expect(own.userMessage == "Nix da." && APIError(own, reason: "x").message == "Nix da.")
        #expect(APIErrorType.timeout.userMessage == APIErrorType.timeout.defaultMessage)

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        let language = folder.appendingPathComponent("en.lproj")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        try Data(#""businessError.own-sentences" = "Aus der Tabelle.";"#.utf8)
            .write(to: language.appendingPathComponent("Errors.strings"))
        APIErrorMessages.use(bundle: try #require(Bundle(path: folder.path)), table: "Errors")
        #expect(own.userMessage == "Aus der Tabelle.")
        #expect(APIErrorType.timeout.userMessage == APIErrorType.timeout.defaultMessage)
        APIErrorMessages.useDefaults()
        #expect(own.userMessage == own.defaultMessage)
    }
}
