import CTrunklineCurl
import Foundation

/// A gzip member (RFC 1952) that is written piece by piece.
///
/// `@unchecked Sendable`: it owns a C handle that nobody else has. Its one user, ``GzipChunks``, is an actor that calls it
/// from one thread at a time.
final class GzipStream: @unchecked Sendable {
    private let handle: OpaquePointer
    private static let room = 64 * 1024

    /// - Throws: ``HTTPError/unsupported(feature:platform:)`` where there is no zlib, or no memory for it to work in.
    init() throws(HTTPError) {
        guard let zlib = tlc_zlib_open(nil), let handle = tlc_gzip_make(zlib) else {
            throw .unsupported(feature: "Request compression", platform: "this machine (there is no zlib)")
        }
        self.handle = handle
    }

    deinit { tlc_gzip_free(handle) }

    /// What comes out for these bytes, possibly nothing yet; with nil, the end of the member.
    func write(_ data: Data?) throws(HTTPError) -> Data {
        var output = Data()
        var rest = data ?? Data()
        var isDone = false
        while !isDone {
            var buffer = Data(count: Self.room)
            var took = 0
            var ended = false
            let count = buffer.withUnsafeMutableBytes { output in
                rest.withUnsafeBytes { input in
                    output.bindMemory(to: UInt8.self).baseAddress.map {
                        tlc_gzip_write(
                            handle, input.bindMemory(to: UInt8.self).baseAddress, input.count, data == nil, $0,
                            Self.room,
                            &took, &ended)
                    } ?? -1
                }
            }
            guard count >= 0 else {
                throw .invalidRequest(.body(reason: "zlib could not compress it"))
            }
            output.append(buffer.prefix(Int(count)))
            rest = rest.dropFirst(took)
            isDone = data == nil ? ended : rest.isEmpty && count < Self.room
        }
        return output
    }
}
