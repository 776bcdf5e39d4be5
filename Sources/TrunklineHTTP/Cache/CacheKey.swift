import Foundation

/// The identity of a cache entry: equal keys are the same entry, and different requests have different keys.
///
/// The key is an injective encoding of its parts: every part carries its length, so no separator inside a value can
/// make two lists of parts look alike. It is the same in every process and on every platform. Reading and writing use
/// the same initialiser with the same arguments.
public struct CacheKey: Hashable, Sendable {
    /// The partition the entry belongs to; part of the identity.
    public let partition: CachePartition
    /// The encoded identity.
    package let encoding: [UInt8]

    private enum Kind {
        static let request: UInt8 = 1
        static let identity: UInt8 = 2
        static let variant: UInt8 = 3
    }

    /// The key of a request (RFC 9111, section 2): partition, method, absolute URL with its query and without its
    /// fragment, the header fields named in `varying`, and the body.
    ///
    /// Scheme and host are compared without case, a default port and an empty path are normalised (RFC 9110, section
    /// 4.2.3); nothing else of the URL is, since a server may tell the rest apart. A body from a file counts by path
    /// and length, a stream by its length only: ``CacheStage`` doesn't cache such requests.
    ///
    /// In a partition without a user, the request's own `Authorization` and `Cookie` fields count too (as a digest), so
    /// that two users are kept apart even where nobody named them.
    ///
    /// - Parameters:
    ///   - request: the request as the cache sees it.
    ///   - partition: whose entry it is.
    ///   - headers: names of request header fields that select the answer; case and order don't matter.
    ///   - ignored: names of query items that change with every call and don't matter, such as a timestamp or nonce;
    ///     compared after percent-decoding.
    public init(
        request: HTTPRequest, partition: CachePartition = .shared, varying headers: [String] = [],
        ignoring ignored: Set<String> = []
    ) {
        var writer = ByteWriter(capacity: 256)
        writer.byte(Kind.request)
        partition.encode(into: &writer)
        writer.field(request.method.rawValue)
        writer.field(CacheTarget.bytes(of: request.url, ignoring: ignored))
        CacheKey.encode(headers, of: request, into: &writer)
        CacheKey.encodeCredentials(of: request, in: partition, into: &writer)
        CacheKey.encode(request.body, into: &writer)
        self.partition = partition
        encoding = writer.bytes
    }

    /// A key of the caller's own: the list as it is, each text a part, plus named parameters in any order.
    ///
    /// - Parameters:
    ///   - identity: what the entry is, such as service, method name and version.
    ///   - parameters: named values; the order they were put in doesn't matter.
    ///   - partition: whose entry it is.
    public init(identity: [String], parameters: [String: String] = [:], partition: CachePartition = .shared) {
        var writer = ByteWriter(capacity: 128)
        writer.byte(Kind.identity)
        partition.encode(into: &writer)
        writer.count(identity.count)
        for part in identity { writer.field(part) }
        writer.count(parameters.count)
        // By bytes: the order of String depends on canonical equivalence, which is not needed here.
        let sorted = parameters.map { (Array($0.key.utf8), $0.value) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (name, value) in sorted {
            writer.field(name)
            writer.field(value)
        }
        self.partition = partition
        encoding = writer.bytes
    }

    /// The key of one of the answers to the request of the primary key, which vary by the values of the named fields.
    init(variantOf primary: CacheKey, generation: String, names: [String], values: HTTPHeaders) {
        var writer = ByteWriter(capacity: primary.encoding.count + 64)
        writer.byte(Kind.variant)
        primary.partition.encode(into: &writer)
        writer.field(primary.encoding)
        writer.field(generation)
        writer.count(names.count)
        for name in names {
            writer.field(name)
            writer.field(optional: values[name])
        }
        partition = primary.partition
        encoding = writer.bytes
    }

    /// The key of this encoding; nil when none has it.
    init?(encoding: [UInt8]) {
        var reader = ByteReader(encoding[...])
        guard reader.byte() != nil, let user = reader.optionalString(), let environment = reader.optionalString() else {
            return nil
        }
        partition = CachePartition(user: user, environment: environment)
        self.encoding = encoding
    }

    /// The name of the entry's file: the SHA-256 of the encoding, as 64 hexadecimal digits.
    public var fileName: String { SHA256Digest.hex(of: encoding) }

    /// Keys are equal when their encodings are, byte by byte; the partition is part of the encoding.
    public static func == (lhs: CacheKey, rhs: CacheKey) -> Bool { lhs.encoding == rhs.encoding }

    /// Hashes the encoding.
    public func hash(into hasher: inout Hasher) {
        encoding.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension CacheKey {
    private static func encode(_ names: [String], of request: HTTPRequest, into writer: inout ByteWriter) {
        guard !names.isEmpty else { return writer.count(0) }
        let names = Set(names.map { $0.lowercased() }).sorted()
        writer.count(names.count)
        for name in names {
            writer.field(name)
            let values = request.headers.values(for: name)
            writer.count(values.count)
            for value in values { writer.field(value) }
        }
    }

    private static func encodeCredentials(
        of request: HTTPRequest, in partition: CachePartition, into writer: inout ByteWriter
    ) {
        guard partition.user == nil, !request.headers.isEmpty else { return writer.byte(0) }
        var credentials = ByteWriter(capacity: 0)
        var found = false
        for name in ["Authorization", "Cookie"] {
            let values = request.headers.values(for: name)
            credentials.count(values.count)
            for value in values { credentials.field(value) }
            found = found || !values.isEmpty
        }
        guard found else { return writer.byte(0) }
        // A digest: the key is written to disk, a password must not be.
        writer.byte(1)
        writer.field(SHA256Digest.bytes(of: credentials.bytes))
    }

    private static func encode(_ body: RequestBody?, into writer: inout ByteWriter) {
        guard let body else { return writer.byte(0) }
        switch body.source {
        case .data(let data) where data.count <= 1024:
            writer.byte(1)
            writer.field(data)
        case .data(let data):
            writer.byte(2)
            writer.count(data.count)
            writer.field(SHA256Digest.bytes(of: Array(data)))
        case .file(let url, let length):
            writer.byte(3)
            writer.number(UInt64(clamping: length))
            writer.field(url.path)
        case .stream(let length, _, _):
            writer.byte(4)
            writer.field(optional: length.map(String.init))
        }
    }
}
