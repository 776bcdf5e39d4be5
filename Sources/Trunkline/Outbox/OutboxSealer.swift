import Foundation

/// Encrypts what an outbox keeps on the disk: method, URL, header fields and body of every entry.
public protocol OutboxSealer: Sendable {
    /// The sealed form of the bytes.
    func seal(_ bytes: Data) throws -> Data

    /// The bytes of a sealed form. Throws for bytes that are not what ``seal(_:)`` made: a key that is not there (the
    /// device is locked), or another one.
    func open(_ sealed: Data) throws -> Data
}
