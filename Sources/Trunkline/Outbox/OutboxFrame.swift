import Foundation

/// The bytes of an entry's file: a mark, a checksum, then record and body, sealed where there is a sealer.
enum OutboxFrame {
    /// What a file was found to hold.
    enum Reading: Sendable {
        case sound(OutboxRecord, body: Data?)
        case damaged
        /// The bytes are those that were written, and the sealer does not open them.
        case unsealable(reason: String)
    }

    private static let mark = Data("TLOUTBOX1\n".utf8)
    private static let headLength = mark.count + 8

    static func bytes(_ record: OutboxRecord, body: Data?, sealer: (any DataSealer)?) throws(OutboxError) -> Data {
        var content = Data()
        do {
            let head = try JSONEncoder.stable.encode(record)
            content.append(littleEndian(UInt64(head.count)))
            content.append(head)
            if let body { content.append(body) }
        } catch {
            throw .request(reason: "\(error)")
        }
        if let sealer {
            do { content = try sealer.seal(content) } catch { throw .sealer(reason: "\(error)") }
        }
        return mark + littleEndian(OutboxChecksum.of(content)) + content
    }

    static func read(_ bytes: Data, sealer: (any DataSealer)?) -> Reading {
        guard bytes.starts(with: mark), let checksum = number(in: bytes, at: mark.count),
            bytes.count >= headLength
        else { return .damaged }
        var content = Data(bytes.dropFirst(headLength))
        guard OutboxChecksum.of(content) == checksum else { return .damaged }
        if let sealer {
            do { content = try sealer.open(content) } catch { return .unsealable(reason: "\(error)") }
        }
        guard let length = number(in: content, at: 0), length <= UInt64(max(0, content.count - 8)),
            let record = try? JSONDecoder().decode(
                OutboxRecord.self, from: Data(content.dropFirst(8).prefix(Int(length)))),
            record.created.isFinite
        else { return sealer == nil ? .unsealable(reason: "it is sealed, or of another version") : .damaged }
        let body = Data(content.dropFirst(8 + Int(length)))
        guard Int64(body.count) == record.inlineBody ?? 0 else { return .damaged }
        return .sound(record, body: record.inlineBody == nil ? nil : body)
    }

    private static func littleEndian(_ number: UInt64) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    private static func number(in data: Data, at offset: Int) -> UInt64? {
        let bytes = data.dropFirst(offset).prefix(8)
        guard bytes.count == 8 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
