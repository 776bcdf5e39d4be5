import Foundation

/// The first bytes of an entry's file: where its parts are, and how they are checked. All numbers are little-endian.
///
///     offset  bytes
///     0       8      magic, "TRKLNCE" and a line feed
///     8       4      version of the form
///     12      4      1 where head and blocks are sealed, else 0
///     16      4      length of the head as it is stored
///     20      4      room for the head, not less than its length; the rest of the room is of no account
///     24      4      content bytes in a whole block
///     28      4      stored bytes of a whole block: the same, or what the sealer makes of them
///     32      8      content bytes in all
///     40      8      checksum of the table
///     48      8      a random number, the entry's own
///     56      8      checksum of the 56 bytes before and of the head
///     64      …      the head; see ``CacheEntryCodec``
///     64+room …      the blocks of the body, the last one as long as what is left
///     …       …      the table: a checksum of every stored block, 8 bytes each
///
/// The head can be checked and judged without the body, every block without the others. The file's length must be exactly
/// the sum of its parts.
struct CacheEntryPrelude: Sendable {
    static let version: UInt32 = 2
    static let length = 64
    static let magic = Array("TRKLNCE\n".utf8)
    /// Content bytes in a whole block, and what a reader of a stream gets at once.
    static let blockLength = 65_536
    /// What a head may take: more is no answer's, and not read.
    static let headLimit = 16_777_216

    var isSealed = false
    var headLength = 0
    var headRoom = 0
    var blockLength = CacheEntryPrelude.blockLength
    var storedBlockLength = CacheEntryPrelude.blockLength
    var bodyLength: Int64 = 0
    var tableChecksum: UInt64 = 0
    var identity: UInt64 = 0
    private(set) var checksum: UInt64 = 0

    init(identity: UInt64) { self.identity = identity }

    // MARK: - Where things are

    /// Where the blocks begin.
    var bodyStart: Int64 { Int64(CacheEntryPrelude.length) + Int64(headRoom) }
    /// The number of blocks. Lengths were checked against the file's when the prelude was read.
    var blockCount: Int64 { bodyLength / Int64(blockLength) + (bodyLength % Int64(blockLength) > 0 ? 1 : 0) }
    /// Bytes of all stored blocks.
    var storedBodyLength: Int64 { bodyLength + blockCount * Int64(storedBlockLength - blockLength) }
    /// Where the table begins.
    var tableStart: Int64 { bodyStart + storedBodyLength }
    /// The length of the file.
    var fileLength: Int64 { tableStart + blockCount * 8 }

    /// Content bytes in the block.
    func contentLength(ofBlock index: Int64) -> Int {
        Int(min(Int64(blockLength), bodyLength - index * Int64(blockLength)))
    }

    // MARK: - As bytes

    /// The bytes, with the checksum over them and the head.
    func bytes(withHead head: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: CacheEntryPrelude.length)
        for byte in CacheEntryPrelude.magic { writer.byte(byte) }
        writer.fixed(CacheEntryPrelude.version)
        writer.fixed(UInt32(isSealed ? 1 : 0))
        writer.fixed(UInt32(clamping: headLength))
        writer.fixed(UInt32(clamping: headRoom))
        writer.fixed(UInt32(clamping: blockLength))
        writer.fixed(UInt32(clamping: storedBlockLength))
        writer.fixed(UInt64(clamping: bodyLength))
        writer.fixed(tableChecksum)
        writer.fixed(identity)
        writer.fixed(Checksum.of(head, seed: Checksum.of(writer.bytes)))
        return writer.bytes
    }

    /// Reads the prelude; nil when it is not one of a file of `fileLength` bytes.
    init?(_ bytes: ArraySlice<UInt8>, fileLength: Int64) {
        var reader = ByteReader(bytes.prefix(CacheEntryPrelude.length))
        for expected in CacheEntryPrelude.magic where reader.byte() != expected { return nil }
        guard reader.fixed(UInt32.self) == CacheEntryPrelude.version, let flags = reader.fixed(UInt32.self), flags <= 1,
            let headLength = reader.fixed(UInt32.self), let headRoom = reader.fixed(UInt32.self),
            let blockLength = reader.fixed(UInt32.self), let storedBlockLength = reader.fixed(UInt32.self),
            let bodyLength = reader.fixed(UInt64.self), let tableChecksum = reader.fixed(UInt64.self),
            let identity = reader.fixed(UInt64.self), let checksum = reader.fixed(UInt64.self)
        else { return nil }
        // Every length is compared with what is there before it is used, so that no sum or product can overflow.
        guard headLength <= headRoom, headRoom <= CacheEntryPrelude.headLimit, Int64(headRoom) <= fileLength,
            (1...16_777_216).contains(blockLength), (blockLength...33_554_432).contains(storedBlockLength),
            flags == 1 || storedBlockLength == blockLength,
            let body = Int64(exactly: bodyLength), body <= fileLength, fileLength <= 1 << 48
        else { return nil }
        self.init(identity: identity)
        isSealed = flags == 1
        self.headLength = Int(headLength)
        self.headRoom = Int(headRoom)
        self.blockLength = Int(blockLength)
        self.storedBlockLength = Int(storedBlockLength)
        self.bodyLength = body
        self.tableChecksum = tableChecksum
        self.checksum = checksum
        // A tiny block of a large file would promise more overhead than the file has bytes: still no overflow, since both
        // factors are bounded above.
        let (blocks, overflow) = blockCount.multipliedReportingOverflow(by: Int64(self.storedBlockLength) + 8)
        guard !overflow, blocks < 1 << 60, self.fileLength == fileLength else { return nil }
    }

    /// Whether these are the prelude's own bytes and its head.
    func isSound(_ bytes: ArraySlice<UInt8>, head: ArraySlice<UInt8>) -> Bool {
        let seed = bytes.prefix(CacheEntryPrelude.length - 8).withUnsafeBytes { Checksum.of($0) }
        return head.withUnsafeBytes { Checksum.of($0, seed: seed) } == checksum
    }
}
