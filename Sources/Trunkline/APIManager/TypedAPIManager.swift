import Foundation

/// A manager that knows what its endpoint answers with: a `Model` when it succeeds, a `ServerError` when it doesn't.
///
/// ```swift
/// final class BookAPI: TypedAPIManager<Book, LibraryProblem>, APIManagerProtocol {
///     func methodName() -> String { "books/{id}" }
///     func serviceIdentifier() -> ServiceIdentifier { .library }
/// }
///
/// let book = try await api.loadValue()
/// ```
///
/// Both are decoded off the main actor, before the validator is asked. An answer that was accepted and can't be decoded
/// ends the load with ``APIErrorType/invalidContent``; one without content, where the model needs some, with
/// ``APIErrorType/noContent``. Neither is cached. A failed answer that can't be decoded leaves ``serverError`` nil.
/// Delegates, closures and `await` work as with every manager, and in their callbacks ``value`` is there.
///
/// ``value``, ``serverError``, `error` and `isLoading` are observable: a SwiftUI view that reads them is drawn again.
///
/// Where failures have no content of interest, `ServerError` is `NoContent`.
@MainActor
open class TypedAPIManager<Model: Decodable & Sendable, ServerError: Decodable & Sendable>: BaseAPIManager {
    private var latestValue: (id: RequestID, value: Model)? {
        willSet { observation.willSet(self, keyPath: \.latestValue) }
        didSet { observation.didSet(self, keyPath: \.latestValue) }
    }

    /// What the newest successful load brought; it stays through later loads that are on their way or fail. Inside a
    /// success callback, what that load brought.
    public var value: Model? {
        observation.access(self, keyPath: \.latestValue)
        return delivering?.value as? Model ?? latestValue?.value
    }

    /// What the server said about the failure, where the load shown failed and it said something.
    public var serverError: ServerError? { error?.serverError() }

    // MARK: - The endpoint

    /// Decodes both types; by default a plain `JSONDecoder`. For another format than JSON override
    /// ``BaseAPIManager/responseContent()`` too.
    open func decoder() -> any DataDecoder { JSONDecoder() }

    /// Where in the answer the model is; by default where the envelope has its data, and without one the whole answer.
    open func modelPath(for service: Service) -> ContentPath? { responseEnvelope(for: service)?.data }

    /// Where in a failed answer the server's error is; by default the whole answer.
    open func serverErrorPath(for service: Service) -> ContentPath? { nil }

    // MARK: - Loading

    /// Loads and waits for the model. Cancelling the waiting task cancels the load.
    ///
    /// - Throws: ``APIError``; its ``APIError/serverError(as:)`` is the server's own.
    @discardableResult
    public func loadValue() async throws(APIError) -> Model {
        try Self.value(of: await awaitResult(awaitedPlan())).get()
    }

    /// Loads, then calls `completion` once on the main actor. The manager stays alive until then.
    ///
    /// - Returns: the load's identity; nil when nothing was sent, in which case the completion hears why.
    @discardableResult
    public func loadValue(_ completion: @escaping @MainActor (Result<Model, APIError>) -> Void) -> RequestID? {
        beginLoad(awaitedPlan()) { result in
            completion(Self.value(of: result))
            withExtendedLifetime(self) {}
        }
    }

    private static func value(of result: APILoadResult) -> Result<Model, APIError> {
        result.outcome.flatMap { response in
            guard let value = result.value as? Model else {
                return .failure(
                    APIError(.invalidContent, reason: "The answer (status \(response.statusCode)) was not decoded."))
            }
            return .success(value)
        }
    }

    /// Forgets the value too.
    open override func forgetResults() {
        super.forgetResults()
        latestValue = nil
    }

    // MARK: - Reading

    override func contentReader(for service: Service) -> (@Sendable (APIResponse) -> ReadContent)? {
        let reader = TypedContentReader<Model, ServerError>(
            decoder: decoder(), envelope: responseEnvelope(for: service), modelPath: modelPath(for: service),
            errorPath: serverErrorPath(for: service))
        return { reader.read($0) }
    }

    override func commit(_ result: APILoadResult, _ response: APIResponse, plan: APILoadPlan) {
        if let value = result.value as? Model, latestValue.map({ $0.id <= result.id }) ?? true {
            latestValue = (result.id, value)
        }
    }
}
