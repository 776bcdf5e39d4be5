import Foundation

/// Everything a load sends and stores by, built before anything is sent.
struct APICall: Sendable {
    /// The request as the session will send it.
    let request: HTTPRequest
    /// The parameters, the service's included.
    let parameters: Parameters
    /// The key of its cached answer; nil when answers are not cached.
    let cacheKey: CacheKey?
    /// How long a cached answer is fresh.
    let cacheLifetime: Duration
    /// What the partition was when the load was made; an answer is not stored once it was cleared.
    let cacheTicket: CacheTicket
    /// What is uploaded or where a download goes; nil for a plain request.
    let transfer: TransferPlan?
    /// Stages of the pipeline for this call, outermost first.
    let interceptors: [any Interceptor]
    /// When the call was made.
    let madeAt: Date

    /// Builds the call of an endpoint.
    ///
    /// - Parameter transfer: what the manager sends or receives beside its answer; nil for a plain request.
    /// - Throws: `HTTPError.invalidRequest(_:)`, or what the service's URL rule or a custom encoding throws.
    @MainActor
    static func make(
        _ manager: BaseAPIManager, _ endpoint: any APIManagerProtocol, service: Service, params: Parameters,
        plan: APILoadPlan, transfer: TransferPlan? = nil
    ) throws -> APICall {
        let method = manager.requestType()
        let name = endpoint.methodName()
        let parameters = params.merging(service.extraParams())
        let serviceHeaders = service.extraHTTPHeaders(for: name)
        let partition = service.cachePartition
        let ownHeaders = manager.extraHTTPHeaders()
        let isCached = manager.shouldCache() && method == .get && transfer == nil
        // A manager that keeps answers itself has no use for a second cache, unless it says so; a transfer has none.
        let ownPolicy = manager.cachePolicy(for: service)
        let policy = transfer == nil ? ownPolicy ?? (isCached ? .networkOnly : nil) : .networkOnly
        let described = Endpoint(
            method, try service.urlGeneratingRule(name), parameters: parameters,
            encoding: transfer?.encoding ?? encoding(manager.parameterEncodingType(), method: method),
            headers: serviceHeaders.merging(ownHeaders),
            options: RequestOptions(
                timeouts: manager.timeouts(for: service), cache: policy, cachePartition: partition,
                validation: transfer?.validation ?? .acceptAny, tags: manager.tags(),
                authentication: manager.authentication(for: service)))
        let session = service.session
        var request = try session.resolve(described)
        if case .link(let link)? = plan.page?.target { request = try follow(link, from: request) }
        let rule = service.rule(for: request.url)
        apply(rule, to: &request, service: service, ownHeaders: ownHeaders)
        // A policy of the manager's own wins over the service's rules.
        if transfer == nil, let cachePolicy = rule.cachePolicy, ownPolicy == service.cachePolicy {
            request.options.cache = cachePolicy
        }
        request.options.signing = try service.currentSigner()
        return APICall(
            request: request, parameters: parameters,
            cacheKey: isCached
                ? CacheKey(
                    request: request, partition: partition,
                    varying: (serviceHeaders.fields + rule.headers.fields).map(\.name),
                    ignoring: manager.volatileParameters())
                : nil,
            cacheLifetime: manager.cacheLifetime(for: service), cacheTicket: session.cache.ticket(for: partition),
            transfer: transfer, interceptors: service.interceptors + manager.requestInterceptors(),
            madeAt: Date())
    }

    @MainActor
    private static func apply(
        _ rule: RequestRule, to request: inout HTTPRequest, service: Service, ownHeaders: HTTPHeaders
    ) {
        for field in rule.headers where !ownHeaders.contains(field.name) {
            request.headers.set(field.name, field.value)
        }
        if let timeouts = rule.timeouts, request.options.timeouts == service.timeouts {
            request.options.timeouts = timeouts
        }
        request.options.retry = rule.retry ?? request.options.retry
    }

    /// The request with the URL a server gave for the next page, and nothing else changed.
    private static func follow(_ link: String, from request: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        let url = try URLBuilder.url(link)
        guard Origin(url) == Origin(request.url) else {
            throw .invalidRequest(
                .url(link, reason: "the next page is at another origin than the service; it would get its credentials"))
        }
        var request = request
        request.url = url
        return request
    }

    private static func encoding(_ type: APIParameterEncodingType, method: HTTPMethod) -> any ParameterEncoding {
        if method == .get || method == .head { return .query }
        switch type {
        case .url: return .automatic
        case .json: return .json
        case .custom(let encoding): return encoding
        }
    }
}
