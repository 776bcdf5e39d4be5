import CTrunklineCurl
import Foundation

/// Gzip (RFC 1952) by the platform's zlib, which is looked for at run time.
package enum Gzip {
    /// The compressed bytes; the same input gives the same output, as no time is noted.
    ///
    /// - Parameter library: the file of the zlib to use; by default the system's.
    /// - Throws: ``HTTPError/unsupported(feature:platform:)`` where there is no zlib, or no memory for it to work in.
    package static func compress(_ data: Data, library: String? = nil) throws(HTTPError) -> Data {
        guard let zlib = tlc_zlib_open(library) else {
            throw .unsupported(feature: "Request compression", platform: "this machine (there is no zlib)")
        }
        var count = 0
        let bytes = data.withUnsafeBytes { input in
            tlc_zlib_gzip(zlib, input.bindMemory(to: UInt8.self).baseAddress, input.count, &count)
        }
        guard let bytes else {
            throw .unsupported(
                feature: "Request compression of \(data.count) bytes", platform: "this machine (zlib has no memory)")
        }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
