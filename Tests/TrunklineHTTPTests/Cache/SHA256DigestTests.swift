import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("SHA-256")
struct SHA256DigestTests {
    @Test(
        "The digests are those of FIPS 180-4's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(text: String, expected: String) {
        #expect(SHA256Digest.hex(of: Array(text.utf8)) == expected)
    }

    @Test("A million bytes, and every length around a block")
    func lengths() async {
        await onThread {
            #expect(
                SHA256Digest.hex(of: [UInt8](repeating: 0x61, count: 1_000_000))
                    == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
            let digests = Set((0...130).map { SHA256Digest.hex(of: [UInt8](repeating: 0, count: $0)) })
            #expect(digests.count == 131)
            #expect(digests.allSatisfy { DiskCacheIndex.isHash($0) })
        }
    }

    @Test("In pieces of any length it is the same digest")
    func pieces() {
        var random = SeededRandom(seed: 256)
        let message = (0..<5000).map { _ in UInt8(random.below(256)) }
        for _ in 0..<50 {
            var stream = SHA256Stream()
            var start = 0
            while start < message.count {
                let end = min(message.count, start + random.below(200))
                message[start..<end].withUnsafeBytes { stream.update($0) }
                start = end
            }
            #expect(stream.finish() == SHA256Digest.bytes(of: message))
        }
    }

    #if !canImport(CryptoKit)
        @Test("The processor's instructions and the written-out rounds agree")
        func software() {
            var random = SeededRandom(seed: 257)
            let blocks = (0..<640).map { _ in UInt8(random.below(256)) }
            var one = SIMD8<UInt32>(1, 2, 3, 4, 5, 6, 7, 8)
            var other = one
            blocks.withUnsafeBytes {
                SHA256Stream.compress($0, into: &one)
                SHA256Stream.compressInSoftware($0, into: &other)
            }
            #expect(one == other)
        }
    #endif
}
