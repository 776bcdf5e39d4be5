#if os(Linux)
    import CTrunklineCurl
    import Foundation
    import Testing
    import TestSupport

    /// The layout of rtnetlink(7), message by message, and bytes that are none.
    @Suite struct NetlinkMessageTests {
        private static let (newLink, newAddress, newRoute): (UInt16, UInt16, UInt16) = (16, 20, 24)

        // MARK: - Making messages

        private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value) { [UInt8]($0) }
        }

        private static func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }

        private static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
            padded(bytes(UInt32(16 + body.count)) + bytes(type) + bytes(UInt16(0)) + bytes(UInt64(0)) + body)
        }

        private static func attribute(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
            padded(bytes(UInt16(4 + payload.count)) + bytes(type) + payload)
        }

        private static func link(
            _ index: Int32, _ name: String, flags: UInt32 = 0x41, hardware: UInt16 = 1
        ) -> [UInt8] {
            message(
                newLink,
                [0, 0] + bytes(hardware) + bytes(index) + bytes(flags) + bytes(UInt32(0))
                    + attribute(3, Array(name.utf8) + [0]))
        }

        private static func address(
            _ index: UInt32, _ address: [UInt8], scope: UInt8 = 0, flags: UInt8 = 0, more: [UInt8] = []
        ) -> [UInt8] {
            message(
                newAddress,
                [address.count == 4 ? 2 : 10, 24, flags, scope] + bytes(index) + attribute(1, address) + more)
        }

        private static func route(
            _ index: Int32?, family: UInt8 = 2, length: UInt8 = 0, table: UInt8 = 254, type: UInt8 = 1
        ) -> [UInt8] {
            message(
                newRoute,
                [family, length, 0, 0, table, 0, 0, type] + bytes(UInt32(0))
                    + (index.map { attribute(4, bytes($0)) } ?? []))
        }

        private static func parse(_ bytes: [UInt8]) -> [tlc_netlink_message] {
            var messages: [tlc_netlink_message] = []
            var offset = 0
            var message = tlc_netlink_message()
            // A copy of the exact size, so that a sanitizer sees every byte read beyond it.
            bytes.withUnsafeBufferPointer { buffer in
                while tlc_netlink_next(buffer.baseAddress, buffer.count, &offset, &message) { messages.append(message) }
            }
            return messages
        }

        private static func name(_ message: tlc_netlink_message) -> String {
            withUnsafeBytes(of: message.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }

        // MARK: - What they say

        @Test func `links`() throws {
            let messages = Self.parse(
                Self.link(7, "eth0") + Self.link(1, "lo", flags: 0x49, hardware: 772) + Self.link(8, "w", flags: 0x01)
                    + Self.link(9, "a-name-that-is-too-long", flags: 0x40))
            #expect(messages.map { Int($0.kind) } == [Int](repeating: TLC_NETLINK_LINK, count: 4))
            #expect(messages.map(\.index) == [7, 1, 8, 9])
            #expect(messages.map(\.is_running) == [true, true, false, false])
            #expect(messages.map(\.is_loopback) == [false, true, false, false])
            #expect(messages.map(Self.name) == ["eth0", "lo", "w", "a-name-that-is-"])
        }

        @Test func `addresses that reach beyond the link`() {
            let global6: [UInt8] = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
            let local6: [UInt8] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
            let cases: [([UInt8], Bool)] = [
                (Self.address(2, [192, 0, 2, 1]), true), (Self.address(2, [10, 0, 0, 1], scope: 200), true),
                (Self.address(2, [127, 0, 0, 1]), false), (Self.address(2, [169, 254, 3, 4]), false),
                (Self.address(2, [192, 0, 2, 1], scope: 253), false),
                (Self.address(2, [192, 0, 2, 1], scope: 254), false),
                (Self.address(2, global6), true), (Self.address(2, local6), false),
                // Tentative, a duplicate, and tentative but optimistic.
                (Self.address(2, global6, flags: 0x40), false), (Self.address(2, global6, flags: 0x08), false),
                (Self.address(2, global6, flags: 0x44), true),
                // The longer flags count where there are any.
                (Self.address(2, global6, more: Self.attribute(8, Self.bytes(UInt32(0x40)))), false),
                // Of a point-to-point link the own address counts.
                (Self.address(2, [192, 0, 2, 1], more: Self.attribute(2, [127, 0, 0, 1])), false),
            ]
            for (bytes, isGlobal) in cases {
                let messages = Self.parse(bytes)
                #expect(messages.map(\.is_global) == [isGlobal] && messages.map(\.index) == [2], "\(bytes)")
            }
        }

        @Test func `default routes`() {
            let cases: [([UInt8], Bool, Int32)] = [
                (Self.route(2), true, 2), (Self.route(2, family: 10), true, 2), (Self.route(nil), true, 0),
                (Self.route(2, length: 24), false, 2), (Self.route(2, table: 255), false, 2),
                (Self.route(2, type: 7), false, 2),
            ]
            for (bytes, isDefault, index) in cases {
                let messages = Self.parse(bytes)
                #expect(messages.map(\.is_default) == [isDefault] && messages.map(\.index) == [index], "\(bytes)")
            }
        }

        @Test func `the end, an error, and what is of no interest`() {
            let messages = Self.parse(
                Self.message(99, [1, 2, 3]) + Self.message(2, Self.bytes(Int32(-1))) + Self.message(3, [])
                    + Self.message(Self.newRoute, [7, 0, 0, 0, 254, 0, 0, 1, 0, 0, 0, 0]))
            #expect(
                messages.map { Int($0.kind) }
                    == [TLC_NETLINK_OTHER, TLC_NETLINK_ERROR, TLC_NETLINK_DONE, TLC_NETLINK_OTHER])
        }

        // MARK: - What is none

        @Test func `every truncation and every length that lies ends the reading`() {
            let whole =
                Self.link(7, "eth0") + Self.address(7, [192, 0, 2, 1], more: Self.attribute(8, [0, 0, 0, 0]))
                + Self.route(7)
            for count in 0...whole.count { #expect(Self.parse(Array(whole.prefix(count))).count <= 3) }
            for position in whole.indices {
                for value: UInt8 in [0, 1, 3, 4, 15, 16, 127, 255] {
                    var changed = whole
                    changed[position] = value
                    #expect(Self.parse(changed).count <= whole.count / 16)
                }
            }
        }

        @Test func `random bytes are read to an end`() {
            var random = SeededRandom(seed: 5)
            for _ in 0..<20_000 {
                let count = Int.random(in: 0..<200, using: &random)
                var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                // Likely lengths and types, so that the bodies are read, too.
                if count > 16 {
                    bytes.replaceSubrange(
                        0..<4, with: Self.bytes(UInt32(Int.random(in: 14...count + 2, using: &random))))
                    bytes.replaceSubrange(
                        4..<6, with: Self.bytes([16, 20, 24].randomElement(using: &random) ?? UInt16(2)))
                }
                #expect(Self.parse(bytes).count <= count / 16)
            }
        }
    }
#endif
