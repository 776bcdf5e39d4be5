extension Outbox {
    /// Sets to work on every lane that has something to do.
    func wake() {
        for lane in queue.takeIdleLanes() {
            // Holds the outbox only while it sends, so that one that waits for hours can be released.
            workers[lane] = Task { [weak self] in
                while let step = await self?.next(lane) {
                    switch step {
                    case .pause(let pause):
                        await withTaskCancellationHandler {
                            await pause.value
                        } onCancel: {
                            pause.cancel()
                        }
                    case .send(let item): await self?.send(item)
                    case .expire(let item, let reason): await self?.expire(item, reason)
                    }
                }
            }
        }
    }

    /// What a lane's worker does next.
    private enum Work {
        case send(OutboxQueue.Item)
        case pause(Task<Void, Never>)
        case expire(OutboxQueue.Item, OutboxEvent.Expiry)
    }

    private func next(_ lane: String) -> Work? {
        pauses[lane] = nil
        switch queue.next(lane, now: now(), configuration) {
        case .send(let item): return .send(item)
        case .expire(let item, let reason): return .expire(item, reason)
        case .wait(let wait):
            // Known before anybody can tell of the network again. Detached, so that it doesn't hold the outbox.
            let pause = Task.detached { [clock] () -> Void in try? await clock.sleep(for: wait.duration) }
            if wait.endsWithNetwork { pauses[lane] = pause }
            return .pause(pause)
        case nil:
            workers[lane] = nil
            return nil
        }
    }

    private func send(_ item: OutboxQueue.Item) async {
        guard let store, !queue.isClosed else { return }
        let body: RequestBody?
        do throws(OutboxError) {
            guard let found = try store.body(of: item.record) else {
                setAside(item)
                return
            }
            body = found
        } catch {
            // The key is not there just now, or the disk: the entry is as it was.
            conclude(item, .failure(.notReady(reason: "\(error)")))
            return
        }
        store.setAttempts(item.entry.attempts, of: item.record.sequence)
        feed.send(.sending(item.entry))
        let attempt = Task { [sender] in await sender.send(item.record, body: body) }
        sending[item.id] = attempt
        let outcome = await attempt.value
        sending[item.id] = nil
        conclude(item, outcome)
    }

    private func conclude(_ item: OutboxQueue.Item, _ outcome: Result<HTTPResponse, OutboxFailure>) {
        // Gone when the app has taken it out meanwhile.
        guard var item = queue.item(item.entry.ticket), let store else { return }
        item.entry.state = .waiting
        if case .failure(let reason) = outcome, OutboxDecision.reachedNobody(reason) {
            item.entry.attempts -= 1
            store.setAttempts(item.entry.attempts, of: item.record.sequence)
        }
        let decision = OutboxDecision.after(
            outcome, attempts: item.entry.attempts, failures: item.failures, jitter: jitter(), now: now(),
            configuration)
        let failure: OutboxFailure
        switch outcome {
        case .success(let response): failure = .response(response)
        case .failure(let reason): failure = reason
        }
        queue.update(item)
        switch decision {
        case .done:
            forget(item)
            if let response = failure.response { feed.send(.sent(item.entry, response)) }
        case .again(let delay):
            item.failures += 1
            queue.update(item)
            queue.delay(
                item.record.lane,
                by: OutboxQueue.Wait(duration: delay, endsWithNetwork: OutboxDecision.mayBeTheNetwork(failure)))
            if !queue.isClosed { feed.send(.delayed(item.entry, by: delay, failure)) }
        case .drop:
            forget(item)
            feed.send(.failed(item.entry, failure))
        case .park:
            item.entry.state = .parked
            queue.update(item)
            feed.send(.failed(item.entry, failure))
        case .expire(let reason): expire(item, reason)
        }
    }

    private func expire(_ item: OutboxQueue.Item, _ reason: OutboxEvent.Expiry) {
        // Gone when the app has taken it out meanwhile.
        guard queue.item(item.entry.ticket) != nil else { return }
        forget(item)
        feed.send(.expired(item.entry, reason))
    }

    private func setAside(_ item: OutboxQueue.Item) {
        guard let store, queue.remove(item.entry.ticket) != nil else { return }
        let url = store.setAside(item.record)
        damagedFiles.append(url)
        feed.send(.damaged(url))
    }

    /// An entry that has ended. One whose file can't be removed is sent again by the next process, with its key.
    private func forget(_ item: OutboxQueue.Item) {
        try? store?.remove(item.record.sequence)
        _ = queue.remove(item.entry.ticket)
    }
}
