extension ProgressObserver {
    /// The same observer, which hears nothing once the request has ended.
    func silenced(whenFinished request: DataRequest) -> ProgressObserver {
        func silenced(_ observer: (@Sendable (TransferProgress) -> Void)?) -> (@Sendable (TransferProgress) -> Void)? {
            guard let observer else { return nil }
            return { [weak request] progress in
                guard let request, !request.isFinished else { return }
                observer(progress)
            }
        }
        return ProgressObserver(sent: silenced(sent), received: silenced(received))
    }
}
