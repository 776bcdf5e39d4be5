import Foundation

/// What happens in an outbox, in order for each lane.
public enum OutboxEvent: Sendable {
    /// Why an entry was given up.
    public enum Expiry: Hashable, Sendable {
        /// It was older than ``OutboxConfiguration/maximumAge``.
        case age
        /// It had used up ``OutboxConfiguration/maximumAttempts``.
        case attempts
    }

    /// The entry is on the disk.
    case enqueued(OutboxEntry)
    /// An attempt begins.
    case sending(OutboxEntry)
    /// The server accepted it; the entry is gone.
    case sent(OutboxEntry, HTTPResponse)
    /// The attempt failed; the next is made after this time at the earliest.
    case delayed(OutboxEntry, by: Duration, OutboxFailure)
    /// The server refused it for good. The entry is gone, or parked, as its ``OutboxEntry/state`` says.
    case failed(OutboxEntry, OutboxFailure)
    /// It was given up; the entry is gone.
    case expired(OutboxEntry, Expiry)
    /// The app took it out; the entry is gone. The server may have got it when it was being sent.
    case cancelled(OutboxEntry)
    /// The file of an entry was damaged and was set aside, at this place.
    case damaged(URL)
}
