/// Decodes the answers of a typed manager. Runs off the main actor.
struct TypedContentReader<Model: Decodable & Sendable, ServerError: Decodable & Sendable>: Sendable {
    let decoder: any DataDecoder
    let envelope: ResponseEnvelope?
    var modelPath: ContentPath?
    let errorPath: ContentPath?

    func read(_ response: APIResponse) -> ReadContent {
        guard isSuccess(response) else {
            return ReadContent(serverError: try? response.http.decode(ServerError.self, at: errorPath, using: decoder))
        }
        do throws(HTTPError) {
            return ReadContent(value: try response.http.decode(Model.self, at: modelPath, using: decoder))
        } catch {
            return ReadContent(failure: APIError(error))
        }
    }

    private func isSuccess(_ response: APIResponse) -> Bool {
        guard response.http.isSuccess else { return false }
        guard let envelope, let json = response.json else { return true }
        return envelope.verdict(on: json) == .success
    }
}
