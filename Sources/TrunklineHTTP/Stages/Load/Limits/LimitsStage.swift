import Foundation

/// Lets a request wait until ``RequestLimits`` have a place for it, and holds the place until the response is complete.
///
/// Inside the retry stage, so that a wait before a retry holds no place; outside the redirects.
struct LimitsStage: Interceptor {
    let limiter: RequestLimiter

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let slot = try await limiter.acquire(
            Origin(exchange.request.url), priority: exchange.request.options.priority, timer: exchange.timer,
            events: exchange.events)
        do {
            var response = try await next(exchange)
            if case .stream(let chunks) = response.body {
                response.body = .stream(chunks.holding(slot))
            } else {
                slot.release()
            }
            return response
        } catch {
            slot.release()
            throw error
        }
    }
}

extension ResponseBody.Chunks {
    /// The same chunks, pulled one by one; the slot is released when they have ended, failed or were dropped.
    fileprivate func holding(_ slot: LimitSlot) -> ResponseBody.Chunks {
        let held = HeldChunks(chunks: self, slot: slot)
        return ResponseBody.Chunks(unfolding: { try await held.next() })
    }
}

/// Chunks with the slot they occupy. Dropped with the stream, and the slot with it.
private struct HeldChunks: Sendable {
    let chunks: ResponseBody.Chunks
    let slot: LimitSlot

    func next() async throws -> Data? {
        // Iterators of one stream share what is behind it, so a new one goes on where the last one was.
        var iterator = chunks.makeAsyncIterator()
        do {
            let chunk = try await iterator.next()
            if chunk == nil { slot.release() }
            return chunk
        } catch {
            slot.release()
            throw error
        }
    }
}
