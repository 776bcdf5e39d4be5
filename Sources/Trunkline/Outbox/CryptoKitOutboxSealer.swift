#if canImport(CryptoKit)
    import CryptoKit
    import Foundation

    /// Seals with AES-GCM. Where the key is kept is the app's affair; the keychain is a good place.
    public struct CryptoKitOutboxSealer: OutboxSealer {
        private let key: SymmetricKey

        /// Makes a sealer.
        ///
        /// - Parameter key: 128, 192 or 256 bits.
        public init(key: SymmetricKey) { self.key = key }

        /// Nonce, encrypted bytes and tag in one.
        public func seal(_ bytes: Data) throws -> Data {
            guard let sealed = try AES.GCM.seal(bytes, using: key).combined else {
                throw OutboxError.sealer(reason: "the sealed form has no nonce of the usual length")
            }
            return sealed
        }

        /// The bytes, if key and tag fit.
        public func open(_ sealed: Data) throws -> Data {
            try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key)
        }
    }
#endif
