import Foundation
import Observation

/// An endpoint, as an object: subclass it once for each, declare ``APIManagerProtocol``, and load.
///
/// ```swift
/// final class BookAPI: BaseAPIManager, APIManagerProtocol {
///     func methodName() -> String { "books/{id}" }
///     func serviceIdentifier() -> ServiceIdentifier { .library }
/// }
/// ```
///
/// A load goes through these steps, exactly in this order:
///
/// 1. parameters from ``paramSource``, then ``reform(_:)``
/// 2. ``shouldCallAPI(with:)``
/// 3. the validator's judgement of the parameters
/// 4. ``mayCallAPI(with:)``, which may wait
/// 5. cache, where ``shouldCache()`` says so
/// 6. ``Service/isReachable``
/// 7. the request is sent, then ``afterCallAPI(with:requestID:)``
/// 8. status, content and envelope (``responseEnvelope(for:)``), then the validator's judgement of the answer
/// 9. ``mayPerformSuccess(with:)``, which may wait; then the answer is stored
/// 10. ``beforePerformSuccess(with:)``, the delegate, ``afterPerformSuccess(with:)``
///
/// A failure at any step goes to ``mayPerformFail(with:response:)``, which may wait,
/// ``Service/shouldCallBackByFailedOnCallingAPI(_:response:)``, ``beforePerformFail(with:response:)``, the delegate unless
/// one of the three said no, and ``afterPerformFail(with:response:)``. A cached answer goes through 8 to 10 like any other.
/// Within each step the subclass's override comes first, and the outer object when it calls `super`.
///
/// A load that is cancelled while one of the hooks that may wait is waited for ends with its one `.cancelled`, without that
/// hook; what the hook says later counts for nothing, and its task is cancelled. A cancelled load's end asks none of them.
///
/// Every load that is made ends in exactly one of the two paths, later than the call that made it returns, on the main
/// actor. Delegates are weak. A manager that is released cancels its loads, and nobody is called; with ``bind(to:)-(LoadLifetime)``
/// so it is when another object is.
///
/// A manager can be watched: ``states`` is a sequence, and ``isLoading``, ``error`` and ``response`` are observable, so that
/// a SwiftUI view that reads them is drawn again.
@MainActor
open class BaseAPIManager: Observable {
    /// Hears how loads end.
    public weak var delegate: (any APIManagerCallbackDelegate)?
    /// Judges parameters and answers.
    public weak var validator: (any APIManagerValidator)?
    /// Looks into loads from outside, after the subclass's own overrides.
    public weak var interceptor: (any APIManagerInterceptor)?
    /// Supplies the parameters. None ever set means no parameters; one that has gone away fails loads with
    /// `.paramsError`, since a request without them may mean something else.
    public weak var paramSource: (any APIManagerParamSource)? {
        didSet { hadParamSource = paramSource != nil }
    }

    /// The registry the service is looked up in; by default the shared one.
    public var serviceFactory: ServiceFactory = .shared

    /// The message of the last failure, for the user. Set it in ``beforePerformFail(with:response:)`` to say it better:
    /// ``error`` and the error that awaiting callers get say the same. Empty, and setting it does nothing, after a
    /// success.
    public var errorMessage: String {
        get { shown?.message ?? "" }
        set { editShown { $0.message = newValue } }
    }

    var hadParamSource = false
    var table = APILoadTable() {
        willSet { observation.willSet(self, keyPath: \.table) }
        didSet { observation.didSet(self, keyPath: \.table) }
    }
    /// Who owns the loads, where somebody does.
    var bond: LoadBond?
    /// The load whose callbacks are running; its state is what the accessors show meanwhile.
    var delivering: APILoadResult?
    /// The newest load that has ended, whatever order the answers came in.
    var latest: APILoadResult? {
        willSet { observation.willSet(self, keyPath: \.latest) }
        didSet { observation.didSet(self, keyPath: \.latest) }
    }
    nonisolated let observation = ObservationRegistrar()
    /// Reached from `deinit`, which may run on any thread.
    nonisolated let inFlight = InFlightRequests()
    /// Reached from `deinit` too.
    nonisolated let stateHub = Broadcast<APILoadState>(.bufferingNewest(64))

    /// Makes a manager.
    public init() {}

    deinit {
        inFlight.cancelAll()
        stateHub.finish()
    }

    // MARK: - Loading

    /// Loads with the parameters of the param source. Returns at once.
    ///
    /// - Returns: the load's identity, to cancel it by; nil when it was refused, nothing was or will be sent, in which case
    ///   the failure callback follows (except under ``ReloadPolicy/ignoreNew``).
    @discardableResult
    open func loadData() -> RequestID? { beginLoad(APILoadPlan()) }

    /// Delivers the cached answer, however old, and never sends. Without one, or where ``shouldCache()`` is false or the
    /// method is not GET, the load fails with `.noContent`.
    @discardableResult
    open func loadCacheData() -> RequestID? { beginLoad(APILoadPlan(cacheOnly: true)) }

    /// Forgets how the last load ended, as if nothing had been loaded: for a log-out. Loads in flight are not touched.
    open func forgetResults() {
        latest = nil
        stateHub.send(.idle)
    }

    // MARK: - The endpoint

    /// The method; by default GET.
    open func requestType() -> HTTPMethod { .get }

    /// How parameters travel; by default as JSON, and in the query for GET and HEAD.
    open func parameterEncodingType() -> APIParameterEncodingType { .json }

    /// Header fields of this endpoint; they win over the service's. By default none.
    open func extraHTTPHeaders() -> HTTPHeaders { [:] }

    /// The time limits; by default the service's.
    open func timeouts(for service: Service) -> Timeouts { service.timeouts }

    /// Adds fixed parameters or changes those of the source. By default nil: keep them.
    open func reform(_ params: Parameters) -> Parameters? { nil }

    /// Forgets what the manager has gathered over several loads; called where a list starts anew. By default nothing.
    open func cleanData() {}

    /// Whether answers are cached; by default not. Only GET is, whatever this says, and only a whole 2xx answer the
    /// validator accepted.
    open func shouldCache() -> Bool { false }

    /// What the session's response cache may do for this endpoint; by default what the service says
    /// (``Service/cachePolicy``). It works beside ``shouldCache()``, which keeps accepted answers for a time of the manager's
    /// own; use one of the two.
    ///
    /// Under `CachePolicy.cacheThenNetwork` a load calls the delegate twice where there is a stored answer that is
    /// accepted (steps 7 and 9 of the type's list): first with that one, its ``APIResponse/isCache`` true and the load still
    /// on its way (``isLoading``), then with how the load ends, which may be a failure. Without a stored answer there is the
    /// second call alone. Those who await the load, its completions and ``states`` hear of the end only. A load that is
    /// cancelled between the two ends with `.cancelled`. A ``PagingAPIManager`` passes over the stored answer, since a page
    /// counts once.
    open func cachePolicy(for service: Service) -> CachePolicy? { service.cachePolicy }

    /// How long a cached answer is fresh; by default the service's ``Service/cacheLifetime``.
    open func cacheLifetime(for service: Service) -> Duration { service.cacheLifetime }

    /// Query parameters that differ in every call and say nothing about the answer, a timestamp or nonce: they are left
    /// out of the cache key. By default none.
    open func volatileParameters() -> Set<String> { [] }

    /// Whose credential the requests get; by default the service's. `.none` for a log-in.
    open func authentication(for service: Service) -> RequestAuthentication { service.authentication }

    /// Words the session can find and cancel the requests by (`SessionManager.cancelAll(tagged:)`). By default none.
    open func tags() -> Set<String> { [] }

    /// Stages of the pipeline for the requests of this endpoint, after the service's; they may wait. By default none.
    open func requestInterceptors() -> [any Interceptor] { [] }

    /// What the answers are wrapped in; by default what the service's are. Nil for an endpoint without an envelope.
    open func responseEnvelope(for service: Service) -> ResponseEnvelope? { service.responseEnvelope }

    /// What the endpoint answers with; by default JSON.
    open func responseContent() -> APIResponseContent { .json }

    /// Whether an answer without content is a success. By default it is for every method but GET, and for status 204
    /// and 205; otherwise the load fails with `.noContent`.
    open func allowsEmptyResponse(_ response: APIResponse) -> Bool {
        requestType() != .get || response.statusCode == 204 || response.statusCode == 205
    }

    /// The statuses whose answers the validator judges, so that it can put an API's error body into words; by default 200
    /// to 499. A status outside 200 to 299 is a failure, `.serverError`, whatever the validator says.
    open func validatedStatusCodes() -> Range<Int> { 200..<500 }

    /// What a load does while others are in flight; by default they run side by side.
    open func reloadPolicy() -> ReloadPolicy { .allow }

    // MARK: - Validation: override, and call super to let the outer validator speak

    /// Judges the parameters of a load; refused ones end it with `.paramsError`, and nothing is sent.
    open func validate(_ params: Parameters) -> APIValidation {
        validator?.manager(self, isCorrectWithParams: params) ?? .valid
    }

    /// Judges an answer; a refused one ends the load with `.noContent`.
    open func validate(_ response: APIResponse) -> APIValidation {
        validator?.manager(self, isCorrectWithCallbackData: response) ?? .valid
    }

    // MARK: - Interception: override, and call super to let the outer interceptor speak

    /// Whether the call may be made; asked before the validator.
    open func shouldCallAPI(with params: Parameters) -> Bool {
        interceptor?.manager(self, shouldCallAPIWith: params) ?? true
    }

    /// Whether the call may be made, by who may have to wait to know: for a consent, a log-in, a token. Asked when the load
    /// is under way and its turn has come; `false` ends it with `.vetoed`, and nothing is sent.
    ///
    /// The request is made anew after a wait, so that it has the token and environment of then. A load of a user goes to no
    /// other one: it ends with `.cancelled` where the user has changed meanwhile. The manager lives as long as its hooks
    /// wait; a hook should end when its task is cancelled.
    open func mayCallAPI(with params: Parameters) async -> Bool {
        await interceptor?.manager(self, mayCallAPIWith: params) ?? true
    }

    /// The request was sent.
    open func afterCallAPI(with params: Parameters, requestID: RequestID) {
        interceptor?.manager(self, afterCallAPIWith: params, requestID: requestID)
    }

    /// Whether the delegate hears of a success, by who may have to wait to know; asked before
    /// ``beforePerformSuccess(with:)``. The manager's properties don't show this load yet.
    open func mayPerformSuccess(with response: APIResponse) async -> Bool {
        await interceptor?.manager(self, mayPerformSuccessWith: response) ?? true
    }

    /// The load succeeded; `false` keeps it from the delegate.
    open func beforePerformSuccess(with response: APIResponse) -> Bool {
        interceptor?.manager(self, beforePerformSuccessWith: response) ?? true
    }

    /// The delegate has heard of the success, or was kept from it.
    open func afterPerformSuccess(with response: APIResponse) {
        interceptor?.manager(self, afterPerformSuccessWith: response)
    }

    /// Whether the delegate hears of a failure, by who may have to wait to know; asked before
    /// ``beforePerformFail(with:response:)``, and not for a cancelled load. The manager's properties don't show this load yet.
    open func mayPerformFail(with error: APIError, response: APIResponse?) async -> Bool {
        await interceptor?.manager(self, mayPerformFailWith: error, response: response) ?? true
    }

    /// The load failed; `false` keeps it from the delegate. The place to set ``errorMessage``.
    open func beforePerformFail(with error: APIError, response: APIResponse?) -> Bool {
        interceptor?.manager(self, beforePerformFailWith: error, response: response) ?? true
    }

    /// The delegate has heard of the failure, or was kept from it.
    open func afterPerformFail(with error: APIError, response: APIResponse?) {
        interceptor?.manager(self, afterPerformFailWith: error, response: response)
    }

    // MARK: - For the package's own subclasses

    /// What `load()` loads.
    func awaitedPlan() -> APILoadPlan { APILoadPlan() }

    /// What to load when a load that failed for want of a log-in is made up for; nil for nothing.
    func resumedPlan(_ plan: APILoadPlan) -> APILoadPlan? { plan }

    /// The last word on the parameters, after ``reform(_:)``.
    func completedParameters(_ params: Parameters, plan: APILoadPlan) -> Parameters { params }

    /// Decodes an answer, off the main actor, before it is judged.
    func contentReader(for service: Service) -> (@Sendable (APIResponse) -> ReadContent)? { nil }

    /// What the load sends or receives beside its answer; nil for a plain request.
    func transferPlan(with params: Parameters) throws -> TransferPlan? { nil }

    /// The session's request of a load.
    func sessionRequest(for load: APILoad) -> DataRequest {
        var described = load.call.request
        // The stored answer was delivered, or there is none.
        if givesBoth(load) { described.options.cacheTurn = .server }
        return load.service.session.request(described, id: load.id, interceptors: load.call.interceptors)
    }

    /// Whether an answer is parsed as JSON.
    func readsJSON(of response: HTTPResponse) -> Bool { responseContent() == .json }

    /// Takes over an answer that was accepted: the last moment at which the load can fail.
    func accept(_ response: APIResponse, of load: APILoad) throws(APIError) -> APIResponse { response }

    /// The load has ended well, and nobody has heard of it yet.
    func willPerformSuccess(_ load: APILoad, _ response: APIResponse) {}

    /// Whether a stored answer may be delivered before the load ends.
    var deliversStoredAnswers: Bool { true }

    /// The answer was accepted and is about to be delivered.
    func commit(_ result: APILoadResult, _ response: APIResponse, plan: APILoadPlan) {}
}
