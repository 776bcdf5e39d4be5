/// One request on its way through an ``Authentication``. The calls come one after the other, on any thread.
public protocol AuthenticationAttempt: Sendable {
    /// Called before the request is sent for the first time and before each retry. May wait, for a refresh for example.
    /// By default nothing.
    ///
    /// - Throws: what the request ends with.
    func prepare() async throws

    /// Puts the credential on a request that is about to go out: once for each redirect, retry and replay. Does not wait.
    ///
    /// - Throws: what the request ends with.
    func apply(to request: inout HTTPRequest) throws

    /// Called with the answer, also that of the replay, before anything is decided about it: servers announce nonces and
    /// the like there. Not called for answers of other origins and of the cache. By default nothing.
    func receive(_ response: HTTPResponse)

    /// Whether the answer refuses the credential and the request is to be sent again, once, with another. May wait until
    /// there is one. Not called for the replay's own answer, nor for answers of other origins and of the cache.
    ///
    /// - Throws: what the request ends with, in place of the answer.
    func shouldReplay(after response: HTTPResponse) async throws -> Bool
}

extension AuthenticationAttempt {
    /// Does nothing.
    public func prepare() async throws {}

    /// Does nothing.
    public func receive(_ response: HTTPResponse) {}

    /// False: the answer stands.
    public func shouldReplay(after response: HTTPResponse) async throws -> Bool { false }
}
