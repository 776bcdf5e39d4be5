#if canImport(CryptoKit)
    import CryptoKit
    import Foundation

    /// Seals with AES-GCM. Where the key is kept is the app's affair; the keychain is a good place.
    public struct CryptoKitSealer: DataSealer {
        private let key: SymmetricKey

        /// Makes a sealer.
        ///
        /// - Parameter key: 128, 192 or 256 bits.
        public init(key: SymmetricKey) { self.key = key }

        /// Nonce, encrypted bytes and tag in one: 28 bytes more.
        public func seal(_ bytes: Data) throws -> Data {
            let box = try AES.GCM.seal(bytes, using: key)
            return Data(box.nonce) + box.ciphertext + box.tag
        }

        /// The bytes, if key and tag fit.
        public func open(_ sealed: Data) throws -> Data {
            try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key)
        }
    }
#endif
