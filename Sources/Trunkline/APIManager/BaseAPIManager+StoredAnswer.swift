import Foundation

/// The first of the two calls under `CachePolicy.cacheThenNetwork`.
extension BaseAPIManager {
    /// Whether the load delivers the stored answer before it asks the server.
    func looksForStoredAnswer(_ load: APILoad) -> Bool {
        deliversStoredAnswers && givesBoth(load)
    }

    /// Whether the load's policy is `CachePolicy.cacheThenNetwork`.
    func givesBoth(_ load: APILoad) -> Bool {
        (load.call.request.options.cache ?? load.service.session.configuration.cachePolicy) == .cacheThenNetwork
    }

    /// Delivers the stored answer, where there is one and it is accepted; the load goes on.
    func deliverStoredAnswer(of load: APILoad) async {
        var request = load.call.request
        request.options.cacheTurn = .stored
        guard
            let http = try? await load.service.session.send(request, interceptors: load.call.interceptors),
            !load.isCancelled
        else { return }
        let (response, content) = await read(http, of: load)
        // The load may have ended while it was read.
        guard table.contains(load) else { return }
        await deliverEarly(load, response, content)
    }
}
