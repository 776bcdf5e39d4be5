extension CircuitMachine.Outcome {
    /// Failures of a host are a status of 500 to 599, no connection, a lost one, a name that isn't found, and the connect
    /// and idle limits. Every other status is a success: the host answered. Nothing is said by a cancelled request (one
    /// that ran out of ``Timeouts/total`` among them), by one without a network, by TLS and pinning errors, which no wait
    /// mends and which must stay visible, and by errors of the app's own.
    init(_ outcome: Result<HTTPResponse, any Error>) {
        switch outcome {
        case .success(let response):
            self = (500...599).contains(response.statusCode) ? .failure : .success
        case .failure(let error):
            switch error as? HTTPError {
            case .connectionFailed, .connectionLost, .nameResolution, .timedOut(.connect), .timedOut(.idle):
                self = .failure
            case .tooManyRedirects, .invalidRedirect:
                self = .success
            default:
                self = .nothing
            }
        }
    }
}
