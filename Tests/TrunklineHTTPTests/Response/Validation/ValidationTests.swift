import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Validating responses")
struct ValidationTests {
    private func response(_ type: String?, _ body: String, accept: String? = nil, status: Int = 200) -> HTTPResponse {
        var request = HTTPRequest(url: URL(fileURLWithPath: "/"))
        if let accept { request.headers.set("Accept", accept) }
        return HTTPResponse(
            request: request, statusCode: status, headers: type.map { ["Content-Type": $0] } ?? [:],
            body: .data(Data(body.utf8)))
    }

    private func reason(_ validation: ResponseValidation, _ response: HTTPResponse) -> ValidationFailure.Reason? {
        do throws(HTTPError) {
            try validation.validate(response)
            return nil
        } catch .validation(let failure) {
            return failure.reason
        } catch {
            return .custom("\(error)")
        }
    }

    /// Case A20.
    @Test(
        "Content types: ranges, letter case, parameters, no content",
        arguments: [
            ("application/json", "application/json; charset=utf-8", "{}", true),
            ("application/json", "Application/JSON", "{}", true),
            ("application/json", "application/json ;charset=utf-8", "{}", true),
            ("application/json; charset=utf-8", "application/json", "{}", true),
            ("application/*", "application/vnd.api+json", "{}", true),
            ("*/*", nil, "{}", true),
            ("*/*", "garbage", "{}", true),
            ("application/json", nil, "{}", false),
            ("application/json", nil, "", true),
            ("application/json", "text/html", "", true),
            ("image/*", "text/html", "<p>", false),
            ("application/json", "application/jsonp", "{}", false),
            ("text", "text/plain", "x", false),
            ("", "text/plain", "x", false),
            ("text", "text", "x", false),
        ] as [(String, String?, String, Bool)])
    func contentTypes(accepted: String, type: String?, body: String, passes: Bool) {
        let reason = reason(.contentTypes([accepted]), response(type, body))
        #expect((reason == nil) == passes)
        switch reason {
        case nil: break
        case .missingContentType(let types): #expect(type == nil && types == [accepted])
        case .unacceptableContentType(let text, let types): #expect(text == type && types == [accepted])
        default: Issue.record("\(String(describing: reason))")
        }
    }

    @Test("A file is judged by the same rule")
    func files() throws {
        let file = try ScratchFile(Data("<p>".utf8))
        var html = response("text/html", "")
        html.body = .file(file.url)
        #expect(reason(.contentTypes(["image/*"]), html) != nil)
        try Data().write(to: file.url)
        #expect(reason(.contentTypes(["image/*"]), html) == nil)
    }

    @Test(
        "What the request accepts",
        arguments: [
            ("application/json, text/*;q=0.5", "text/csv", true), ("application/json", "text/csv", false),
            (nil, "text/csv", true), ("*/*", "text/csv", true),
        ] as [(String?, String, Bool)])
    func accepted(accept: String?, type: String, passes: Bool) {
        #expect((reason(.acceptedContentType, response(type, "x", accept: accept)) == nil) == passes)
    }

    @Test("Checks run in order, the first refusal counts, an app's own has a reason")
    func order() {
        let validation = ResponseValidation.status(200..<300).and(.contentTypes(["application/json"]))
            .and(.check { $0.data.count > 3 ? "it is longer than three bytes" : nil })
        #expect(reason(validation, response("text/html", "<p>", status: 500)) == .unacceptableStatus(500))
        #expect(
            reason(validation, response("text/html", "<p>"))
                == .unacceptableContentType("text/html", accepted: ["application/json"]))
        #expect(
            reason(validation, response("application/json", "[1,2]")) == .custom("it is longer than three bytes"))
        #expect(reason(validation, response("application/json", "[1]")) == nil)
    }

    // MARK: - What servers say about it

    private struct Refusal: Decodable, Error, Equatable { var code: Int }

    @Test("An endpoint's own error body comes with the refusal; other content is no second failure")
    func serverError() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/refused", respond: .json(#"{"error":{"code":7}}"#, status: 422))
            server.route(.get, "/html", respond: .text("<p>", status: 502))
        }
        let session = SessionManager()
        for (path, code) in [("/refused", 7), ("/html", nil)] {
            var request = try server.request(.get, path)
            request.options.serverError = .json(Refusal.self, at: "error")
            let refused = request
            let error = await #expect(throws: HTTPError.self) { try await session.send(refused) }
            #expect(error?.serverError(as: Refusal.self)?.code == code)
            #expect(error?.response?.statusCode == (code == nil ? 502 : 422))
        }
    }

    @Test("Problem details are read, with members of wrong types ignored (RFC 9457)")
    func problems() async throws {
        let problem = #"{"type":"https://h/out-of-credit","title":"No credit","status":403,"balance":30,"instance":5}"#
        let server = try LoopbackServer { server in
            server.route(
                .get, "/",
                respond: .data(
                    Data(problem.utf8), contentType: "application/problem+json; charset=utf-8", status: 403))
        }
        let error = await #expect(throws: HTTPError.self) {
            try await SessionManager().send(try server.request(.get, "/"))
        }
        let read = try #require(error?.problem)
        #expect(read.type == "https://h/out-of-credit" && read.title == "No credit" && read.status == 403)
        #expect(read.instance == nil && read.detail == nil && read.extensions == ["balance": 30])
        #expect(read.description == "No credit")
        #expect(ProblemDetails(parsing: Data("{}".utf8))?.type == "about:blank")
        #expect(ProblemDetails(parsing: Data("[]".utf8)) == nil)
        #expect(ProblemDetails(parsing: Data("nonsense".utf8)) == nil)
        #expect(response("application/json", problem).problem == nil)
    }
}
