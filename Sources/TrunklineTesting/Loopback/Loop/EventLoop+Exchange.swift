import Foundation

extension EventLoop {
    private static let continueLine = [UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Starts an exchange with its head: says what becomes of the body, and answers if the body need not be waited for.
    func begin(_ connection: LoopConnection, _ head: RequestHead, _ match: RouteTable.Match) {
        let options = connection.options
        let keepsBody = !(match.route.discardsBody ?? options.discardsBodies)
        open(connection, head, keepsBody: keepsBody)
        connection.exchange?.action = match.action
        connection.exchange?.values = match.values
        connection.exchange?.keepsAlive = head.keepsAlive && !options.closesConnections
        guard head.framing != .none else { return dispatch(connection) }
        let isExpecting = head.expectsContinue && head.minorVersion == 1
        let expectation = match.route.expectContinue ?? options.expectContinue
        if isExpecting, expectation == .refuse {
            connection.exchange?.action = .fixed(FixedAnswer(.status(417)))
            return answerUnread(connection)
        }
        switch match.route.reading {
        case .never: answerUnread(connection)
        case .alongside:
            // A client that waits for 100 may never send the body after a final status.
            if isExpecting, connection.input.isEmpty { answerUnread(connection) } else { dispatch(connection) }
        case .beforeAnswer:
            guard isExpecting, expectation == .accept, connection.input.isEmpty else { return }
            connection.enqueue([.bytes(EventLoop.continueLine)])
        }
    }

    /// Makes the exchange of a head.
    func open(_ connection: LoopConnection, _ head: RequestHead, keepsBody: Bool) {
        connection.exchangeCount += 1
        let sink = BodySink(keeps: keepsBody, limit: connection.options.maximumBodyBytes)
        var exchange = LoopConnection.Exchange(
            number: connection.exchangeCount, head: head, arrival: .now,
            body: BodyReader(framing: head.framing, sink: sink))
        exchange.isComplete = head.framing == .none
        connection.exchange = exchange
    }

    private func answerUnread(_ connection: LoopConnection) {
        connection.exchange?.leavesBody = true
        connection.exchange?.keepsAlive = false
        dispatch(connection)
    }

    /// Records the request and has it answered.
    func dispatch(_ connection: LoopConnection) {
        connection.exchange?.isDispatched = true
        guard let exchange = connection.exchange, let action = exchange.action else { return }
        switch action {
        case .fixed(let answer):
            if connection.options.recordsRequests {
                recordRequest(connection, exchange)
            } else {
                let path = exchange.head.target
                _ = core.note { $0.count(path: LoopbackTarget.decode(LoopbackTarget.path(of: path))) }
            }
            connection.enqueue(answer.steps(context(exchange)))
        case .handler(let handler):
            let request = recordRequest(connection, exchange)
            let mailbox = core.mailbox
            let (number, exchangeNumber) = (connection.number, exchange.number)
            connection.exchange?.task = Task {
                let response: LoopbackResponse
                do {
                    response = try await handler(request)
                } catch {
                    response = .text("The handler of \(request) failed: \(error)", status: 500)
                }
                mailbox.post(.answer(connection: number, exchange: exchangeNumber, response))
            }
        }
    }

    /// Queues a handler's answer, if its exchange is still there.
    func answer(_ connection: LoopConnection, exchange number: Int, _ response: LoopbackResponse) {
        guard let exchange = connection.exchange, exchange.number == number, !exchange.isAnswered else { return }
        connection.enqueue(ResponseEncoder.steps(response, context(exchange)))
    }

    private func context(_ exchange: LoopConnection.Exchange) -> ResponseEncoder.Context {
        ResponseEncoder.Context(
            isHead: exchange.head.method == "HEAD", minorVersion: exchange.head.minorVersion,
            keepsAlive: exchange.keepsAlive)
    }

    /// Hands the connection to the handler of a pipe.
    func startPipe(_ connection: LoopConnection, _ handler: @escaping @Sendable (LoopbackPipe) async throws -> Void) {
        let (number, mailbox) = (connection.number, core.mailbox)
        let pipe = LoopbackPipe(connection: number, mailbox: mailbox)
        connection.mode = .piped(pipe)
        connection.exchange?.leavesBody = true
        connection.exchange?.task = Task {
            try? await handler(pipe)
            mailbox.post(.enqueue(connection: number, [.script(.close)]))
        }
    }

    /// The answer was sent: the connection is closed, or free for the next request as soon as the body is read.
    func endExchange(_ connection: LoopConnection, closes: Bool) {
        connection.exchange?.isAnswered = true
        if closes || connection.exchange?.leavesBody == true {
            close(connection, lingers: false)
        } else if connection.exchange?.isComplete == true {
            connection.exchange = nil
        }
    }

    // Records

    /// Counts and keeps the request of the current exchange, as far as it was received.
    @discardableResult
    func recordRequest(_ connection: LoopConnection, _ exchange: LoopConnection.Exchange) -> LoopbackRequest {
        let options = connection.options
        let request = makeRequest(connection, exchange)
        let recorded = core.note { record in
            var request = request
            request.number = record.count(path: request.path)
            if options.recordsRequests { record.keep(request, options) }
            return request
        }
        connection.exchange?.request = recorded
        return recorded
    }

    /// Completes the record of a request that was recorded after its head.
    func amendRequest(_ connection: LoopConnection) {
        guard connection.options.recordsRequests, let exchange = connection.exchange,
            let number = exchange.request?.number
        else { return }
        var request = makeRequest(connection, exchange)
        request.number = number
        core.note { [request] in $0.amend(request) }
    }

    private func makeRequest(_ connection: LoopConnection, _ exchange: LoopConnection.Exchange) -> LoopbackRequest {
        let head = exchange.head
        var request = LoopbackRequest(
            method: HTTPMethod(rawValue: head.method), target: head.target, version: head.version,
            headers: head.headers, connection: connection.number, numberOnConnection: exchange.number,
            arrival: exchange.arrival, rawHead: Data(head.bytes))
        request.pathValues = exchange.values
        request.isComplete = exchange.isComplete
        let sink = exchange.body.sink
        request.bodyCount = sink.count
        request.trailers = exchange.body.trailers
        if sink.keeps {
            request.body = Data(sink.content)
            request.rawBody = sink.framed.isEmpty ? request.body : Data(sink.framed)
        } else {
            request.discardedChecksum = sink.checksum
        }
        return request
    }

    /// The connection ends: the handler is cancelled, and a request that did not come in whole is kept apart.
    func abandonExchange(_ connection: LoopConnection) {
        // Cancelled first: a handler that finds its input at the end knows whether it was.
        connection.exchange?.task?.cancel()
        if case .piped(let pipe) = connection.mode { pipe.finish() }
        guard let exchange = connection.exchange else { return }
        if !exchange.isComplete, !exchange.leavesBody, connection.options.recordsRequests {
            if exchange.request != nil { amendRequest(connection) }
            var request = makeRequest(connection, exchange)
            request.number = exchange.request?.number ?? 0
            let options = connection.options
            core.note { [request] in $0.abandon(request, options) }
        }
        connection.exchange = nil
    }
}
