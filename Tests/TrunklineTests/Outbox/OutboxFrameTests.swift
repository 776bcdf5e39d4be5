import Foundation
import Testing

@testable import Trunkline

@Suite struct OutboxFrameTests {
    private let record = OutboxRecord(
        sequence: 5, id: UUID(), lane: "läne/../x", method: "POST", url: "http://h/", service: nil,
        fields: [.init(name: "A", value: "b")], key: "key", created: 12.25, inlineBody: 3)
    private let body = Data([1, 2, 3])

    private func sound(_ reading: OutboxFrame.Reading) -> Bool {
        if case .sound(let found, let body) = reading { found == record && body == self.body } else { false }
    }

    @Test func `What was written is read, sealed or not`() throws {
        for sealer in [nil, FlippingSealer()] as [FlippingSealer?] {
            let bytes = try OutboxFrame.bytes(record, body: body, sealer: sealer)
            #expect(sound(OutboxFrame.read(bytes, sealer: sealer)))
            #expect((bytes.range(of: Data("http://h/".utf8)) == nil) == (sealer != nil))
        }
    }

    @Test func `Any change to any byte, a cut anywhere and anything at the end is noticed`() throws {
        for sealer in [nil, FlippingSealer()] as [FlippingSealer?] {
            let bytes = try OutboxFrame.bytes(record, body: body, sealer: sealer)
            for index in bytes.indices {
                for mask in [1, 0x80, 0xFF] as [UInt8] {
                    var damaged = bytes
                    damaged[index] ^= mask
                    guard case .damaged = OutboxFrame.read(damaged, sealer: sealer) else {
                        Issue.record("byte \(index) ^ \(mask)")
                        return
                    }
                }
                guard case .damaged = OutboxFrame.read(bytes.prefix(index), sealer: sealer) else {
                    Issue.record("cut at \(index)")
                    return
                }
            }
            guard case .damaged = OutboxFrame.read(bytes + [0], sealer: sealer) else {
                Issue.record("longer")
                return
            }
        }
    }

    @Test func `Another key is told apart from damage`() throws {
        let bytes = try OutboxFrame.bytes(record, body: body, sealer: FlippingSealer(mark: 1))
        for sealer in [nil, FlippingSealer(mark: 2)] as [FlippingSealer?] {
            guard case .unsealable = OutboxFrame.read(bytes, sealer: sealer) else {
                Issue.record("\(OutboxFrame.read(bytes, sealer: sealer))")
                return
            }
        }
    }

    @Test func `Random bytes and false lengths are no entry`() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<2000 {
            let content = Data((0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            // A mark and checksum that fit, so that the content itself is looked at.
            var bytes = Data("TLOUTBOX1\n".utf8)
            withUnsafeBytes(of: OutboxChecksum.of(content).littleEndian) { bytes.append(contentsOf: $0) }
            #expect(!sound(OutboxFrame.read(bytes + content, sealer: nil)))
            #expect(!sound(OutboxFrame.read(content, sealer: nil)))
        }
    }
}
