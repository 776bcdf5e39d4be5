#if ARTICLE_SAMPLES
    import TrunklineHTTP

    let session = SessionManager.default
    let password = "secret"
    let stored: OAuth.Tokens? = nil
    let account = Account()

    struct Account {
        func token(forcingRefresh: Bool) async throws -> String { "token" }
    }

    func store(_ tokens: OAuth.Tokens) {}
    func showLogIn() {}
#endif
