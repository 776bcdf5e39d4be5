/// One request of a ``RefreshingAuthentication``: remembers which credential it was sent with.
final class RefreshingAttempt<Scheme: Authenticator>: AuthenticationAttempt {
    private let owner: RefreshingAuthentication<Scheme>
    private let epoch: Int
    private let sender: AuthenticationSender
    private let used = Protected<Scheme.Credential?>(nil)

    init(owner: RefreshingAuthentication<Scheme>, epoch: Int, sender: AuthenticationSender) {
        self.owner = owner
        self.epoch = epoch
        self.sender = sender
    }

    func prepare() async throws {
        do {
            _ = try await owner.credential(replacing: nil, epoch: epoch, after: nil, using: sender)
        } catch let failure as AuthenticationFailure {
            throw HTTPError.authentication(failure)
        }
    }

    func apply(to request: inout HTTPRequest) throws {
        let credential: Scheme.Credential
        do {
            credential = try owner.current(epoch: epoch)
        } catch {
            throw HTTPError.authentication(error)
        }
        try owner.authenticator.apply(credential, to: &request)
        used.withLock { $0 = credential }
    }

    func shouldReplay(after response: HTTPResponse) async throws -> Bool {
        guard let refused = used.current, owner.authenticator.isRejected(response, with: refused) else { return false }
        do {
            _ = try await owner.credential(replacing: refused, epoch: epoch, after: response, using: sender)
            return true
        } catch var failure as AuthenticationFailure {
            failure.response = response
            throw HTTPError.authentication(failure)
        }
    }
}
