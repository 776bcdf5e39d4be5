import CTrunklineCurl

/// The masking of section 5.3, which undoes itself.
enum FrameMask {
    /// - Parameter key: its bytes in memory are the key's bytes on the wire.
    static func apply(_ key: UInt32, to bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        withUnsafeBytes(of: key) { key in
            if let key = key.bindMemory(to: UInt8.self).baseAddress { tlc_mask(base, bytes.count, key) }
        }
    }
}
