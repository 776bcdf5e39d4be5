import Foundation

/// Encrypts what the library keeps on the disk: the entries of a response cache, and of an outbox.
///
/// Use authenticated encryption (AES-GCM, ChaCha20-Poly1305): ``open(_:)`` must throw for bytes that were changed. The
/// cache seals a body in pieces of 64 KB, each with its place in the entry inside, so that pieces can't be exchanged.
/// Both methods are called on background threads, several at a time.
public protocol DataSealer: Sendable {
    /// The sealed form of the bytes, for a cache always longer by the same number of bytes (nonce and tag).
    func seal(_ bytes: Data) throws -> Data

    /// The bytes of a sealed form. Throws for bytes that are not what ``seal(_:)`` made: a key that is not there (the
    /// device is locked), or another one.
    func open(_ sealed: Data) throws -> Data
}
