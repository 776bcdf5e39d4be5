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
    /// When the call was made.
    let madeAt: Date

    /// Builds the call of an endpoint.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)``, or what the service's URL rule or a custom encoding throws.
    @MainActor
    static func make(
        _ manager: BaseAPIManager, _ endpoint: any APIManagerProtocol, service: Service, params: Parameters
    ) throws -> APICall {
        let method = manager.requestType()
        let name = endpoint.methodName()
        let parameters = params.merging(service.extraParams())
        let serviceHeaders = service.extraHTTPHeaders(for: name)
        let partition = service.cachePartition
        let described = Endpoint(
            method, try service.urlGeneratingRule(name), parameters: parameters,
            encoding: encoding(manager.parameterEncodingType(), method: method),
            headers: serviceHeaders.merging(manager.extraHTTPHeaders()),
            options: RequestOptions(
                timeouts: manager.timeouts(for: service), cache: .networkOnly, cachePartition: partition,
                validation: .acceptAny))
        let session = service.session
        let request = try session.resolve(described)
        let isCached = manager.shouldCache() && method == .get
        return APICall(
            request: request, parameters: parameters,
            cacheKey: isCached
                ? CacheKey(
                    request: request, partition: partition, varying: serviceHeaders.map(\.name),
                    ignoring: manager.volatileParameters())
                : nil,
            cacheLifetime: manager.cacheLifetime(for: service), cacheTicket: session.cache.ticket(for: partition),
            madeAt: Date())
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
