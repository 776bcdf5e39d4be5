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
}
