import Foundation

/// Seals the parts of one entry: each carries the entry's number and its own place, so that no part of another entry, and
/// none of another place, opens in its stead.
struct CacheEntrySeal: Sendable {
    let sealer: any DataSealer
    let identity: UInt64

    /// The place of the head.
    static let head: Int64 = -1

    private struct Misplaced: Error {}

    func seal(_ bytes: some Collection<UInt8>, _ place: Int64) throws -> Data {
        var content = Data(capacity: bytes.count + 16)
        content.append(contentsOf: context(place))
        content.append(contentsOf: bytes)
        return try sealer.seal(content)
    }

    func open(_ sealed: Data, _ place: Int64) throws -> Data {
        let content = try sealer.open(sealed)
        guard content.starts(with: context(place)) else { throw Misplaced() }
        return Data(content.dropFirst(16))
    }

    private func context(_ place: Int64) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.fixed(identity)
        writer.fixed(place)
        return writer.bytes
    }
}
