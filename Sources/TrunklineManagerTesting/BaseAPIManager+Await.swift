import Trunkline

extension BaseAPIManager {
    /// Starts a load and waits for what its delegate is told.
    ///
    /// ```swift
    /// let callback = try await manager.awaitCallback()
    /// #expect(callback.isSuccess)
    /// ```
    ///
    /// Meanwhile a ``CallbackProbe`` is the manager's delegate; it passes everything on to the one there was, which is put
    /// back afterwards.
    ///
    /// - Parameters:
    ///   - limit: how long the callback is waited for; by default 30 s.
    ///   - clock: what the limit runs on.
    ///   - start: what starts the load; by default ``loadData()``.
    /// - Throws: `TestFailure` when no callback comes within the limit, as when the service or an interceptor keeps it from
    ///   the delegate; `CancellationError` when the task is cancelled.
    @discardableResult
    public func awaitCallback(
        within limit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
        fileID: String = #fileID, line: Int = #line, after start: ((BaseAPIManager) -> Void)? = nil
    ) async throws -> ManagerCallback {
        let probe = CallbackProbe(forwardsTo: delegate)
        delegate = probe
        defer { if delegate === probe { delegate = probe.forwardsTo } }
        if let start { start(self) } else { loadData() }
        return try await probe.next(within: limit, clock: clock, fileID: fileID, line: line)
    }

    /// Starts a load that must succeed, and gives the answer; see ``awaitCallback(within:clock:fileID:line:after:)``.
    ///
    /// - Throws: `TestFailure` also when it fails, with the reason.
    @discardableResult
    public func awaitSuccess(
        within limit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
        fileID: String = #fileID, line: Int = #line, after start: ((BaseAPIManager) -> Void)? = nil
    ) async throws -> APIResponse {
        let callback = try await awaitCallback(within: limit, clock: clock, fileID: fileID, line: line, after: start)
        guard callback.isSuccess, let response = callback.response else {
            throw TestFailure("Expected a success, but: \(callback)", fileID: fileID, line: line)
        }
        return response
    }

    /// Starts a load that must fail, and gives the error; see ``awaitCallback(within:clock:fileID:line:after:)``.
    ///
    /// - Throws: `TestFailure` also when it succeeds.
    @discardableResult
    public func awaitFailure(
        within limit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
        fileID: String = #fileID, line: Int = #line, after start: ((BaseAPIManager) -> Void)? = nil
    ) async throws -> APIError {
        let callback = try await awaitCallback(within: limit, clock: clock, fileID: fileID, line: line, after: start)
        guard let error = callback.error else {
            throw TestFailure("Expected a failure, but it succeeded.", fileID: fileID, line: line)
        }
        return error
    }
}
