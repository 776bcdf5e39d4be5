import Foundation

/// What a manager tells about its loads. Inside a callback this is the load the callback is for; at other times it is
/// the newest load that has ended: an older one that ends late doesn't overwrite it.
extension BaseAPIManager {
    /// How the load ended.
    public var errorType: APIErrorType { shown?.error?.type ?? (shown == nil ? .default : .success) }

    /// Why the load failed; nil when it succeeded or nothing was loaded.
    public var error: APIError? { shown?.error }

    /// The answer, also of a failed load where the server gave one.
    public var response: APIResponse? { shown?.response }

    /// The identity of the load.
    public var requestID: RequestID? { shown?.id }

    /// Whether any load has not ended.
    public var isLoading: Bool {
        observation.access(self, keyPath: \.table)
        return !table.isEmpty
    }

    /// The identities of the loads that have not ended, oldest first.
    public var loadingRequestIDs: [RequestID] {
        observation.access(self, keyPath: \.table)
        return table.ids
    }

    /// Where the loads are: the state now, then each later one, in order, until the manager is released. A load is told of
    /// when it is made and when the delegate has heard of its end. A reader who falls more than 64 states behind misses
    /// the oldest.
    public var states: AsyncStream<APILoadState> {
        stateHub.stream(from: table.ids.last.map(APILoadState.loading) ?? latest?.state ?? .idle)
    }

    /// Ends the load with `.cancelled`. Its one failure callback follows; nothing else of it does. Without effect when
    /// the load has ended or belongs to another manager.
    public func cancelRequest(_ id: RequestID) {
        if let load = table[id] { cancel(load) }
    }

    /// Ends every load of this manager with `.cancelled`, as ``cancelRequest(_:)`` does.
    /// A debounced load that still waits is not made.
    public func cancelAllRequests() {
        inFlight.replaceDebounce(nil)
        table.all.forEach(cancel)
    }

    /// Ends the loads that belong to an owner who is gone.
    func cancelLoads(of bond: LoadBond) {
        if self.bond === bond { inFlight.replaceDebounce(nil) }
        for load in table.all where load.bond === bond { cancel(load) }
    }

    private func cancel(_ load: APILoad) {
        load.cancel()
        // A load that was sent ends when its request does; one that waits, for the cache, its turn or a hook, ends now.
        guard load.request == nil || load.isInHook else { return }
        end(load, with: .cancelled)
    }

    // MARK: - Reformed data

    /// The answer's JSON, reformed. Falls back to the JSON itself when there is no reformer or it returns nil.
    public func fetchData<Output>(
        _ reformer: (any APIDataReformer<Output>)?
    ) -> FetchedData<Output, JSONValue> {
        guard let json = response?.json else { return .nothing }
        return reformer?.manager(self, reform: json).map(FetchedData.reformed) ?? .raw(json)
    }

    /// The answer's bytes, reformed: the place for `Decodable` models. Falls back to the bytes themselves when there is
    /// no reformer or it returns nil.
    public func fetchJSONData<Output>(
        _ reformer: (any APIDataReformer<Output>)?
    ) -> FetchedData<Output, Data> {
        guard let data = response?.data else { return .nothing }
        return reformer?.manager(self, reformJSON: data).map(FetchedData.reformed) ?? .raw(data)
    }

    /// What the failed answer says, reformed. Falls back to its bytes when there is no reformer or it returns nil.
    public func fetchFailedRequestMessage<Output>(
        _ reformer: (any APIDataReformer<Output>)?
    ) -> FetchedData<Output, Data> {
        guard error != nil, let data = response?.data else { return .nothing }
        return reformer?.manager(self, failedToReform: data).map(FetchedData.reformed) ?? .raw(data)
    }

    // MARK: - Which load is shown

    var shown: APILoadResult? {
        observation.access(self, keyPath: \.latest)
        return delivering ?? latest
    }

    func editShown(_ edit: (inout APILoadResult) -> Void) {
        if var result = delivering {
            edit(&result)
            delivering = result
            if latest?.id == result.id { latest = result }
        } else if var result = latest {
            edit(&result)
            latest = result
        }
    }

    /// Runs the callbacks of a load with its result on show.
    ///
    /// - Parameter isEnd: whether the load ends with it.
    /// - Returns: the result as the callbacks left it.
    @discardableResult
    func whileShowing(_ result: APILoadResult, isEnd: Bool = true, _ callbacks: () -> Void) -> APILoadResult {
        if result.id >= latest?.id ?? result.id { latest = result }
        let outer = delivering
        delivering = result
        callbacks()
        let shown = delivering ?? result
        delivering = outer
        if isEnd { stateHub.send(shown.state) }
        return shown
    }
}
