import Foundation
import Testing
import TrunklineHTTP

@Suite("HMAC with SHA-256") struct HMACSHA256Tests {
    struct Vector: Sendable {
        let key: Data
        let message: Data
        let code: String

        init(_ key: Data, _ message: Data, _ code: String) {
            self.key = key
            self.message = message
            self.code = code
        }

        init(_ key: Data, _ message: String, _ code: String) { self.init(key, Data(message.utf8), code) }
    }

    /// RFC 4231, sections 4.2 to 4.8; the code of the fifth is cut there.
    static let vectors = [
        Vector(
            Data(repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            Data("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            Data(repeating: 0xAA, count: 20), Data(repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            Data(1...25), Data(repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(Data(repeating: 0x0C, count: 20), "Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
        Vector(
            Data(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            Data(repeating: 0xAA, count: 131),
            "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
                + "hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test("The vectors of RFC 4231", arguments: HMACSHA256Tests.vectors.indices)
    func code(index: Int) throws {
        let vector = HMACSHA256Tests.vectors[index]
        let code = HMACSHA256.hexadecimal(of: vector.message, key: vector.key)
        #expect(code.count == 64 && code.hasPrefix(vector.code))
        // A slice of a message is that slice, wherever it begins.
        let shifted = (Data([1, 2]) + vector.message).dropFirst(2)
        #expect(HMACSHA256.code(of: shifted, key: (Data([9]) + vector.key).dropFirst()).count == 32)
        #expect(HMACSHA256.hexadecimal(of: shifted, key: (Data([9]) + vector.key).dropFirst()) == code)
    }

    @Test("Nothing with an empty key, and the hash of content")
    func empty() {
        #expect(
            HMACSHA256.hexadecimal(of: Data(), key: Data())
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(
            HMACSHA256.contentHash(of: Data("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
