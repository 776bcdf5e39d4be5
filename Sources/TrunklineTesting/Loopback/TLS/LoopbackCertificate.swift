import Foundation

/// A certificate and its key, made on the spot. Owns OpenSSL's handles.
///
/// `@unchecked Sendable`: the handles are made in the initialiser, are never changed afterwards, and are only read (to
/// sign, to be taken into a context, which counts references), which OpenSSL allows from several threads; they are freed
/// once, when the last reference has gone.
final class LoopbackCertificate: @unchecked Sendable {
    private static let ellipticCurve: Int32 = 408  // EVP_PKEY_EC
    private static let prime256: Int32 = 415  // NID_X9_62_prime256v1
    private static let utf8: Int32 = 0x1000  // MBSTRING_UTF8
    private static let basicConstraints: Int32 = 87
    private static let keyUsage: Int32 = 83
    private static let extendedKeyUsage: Int32 = 126
    private static let subjectAlternatives: Int32 = 85
    private static let storeInfo: Int32 = 3  // BIO_CTRL_INFO

    let library: OpenSSL
    let certificate: OpaquePointer
    let key: OpaquePointer

    /// Makes a certificate.
    ///
    /// - Parameters:
    ///   - hosts: the names and IPv4 or IPv6 addresses it is for; none for an authority.
    ///   - issuer: who signs it; nil for itself.
    ///   - lifetime: from an hour ago on, in seconds; negative for one that has expired.
    init(name: String, hosts: [String], issuer: LoopbackCertificate?, lifetime: Int) throws(LoopbackError) {
        let library: OpenSSL
        switch OpenSSL.system {
        case .success(let found): library = found
        case .failure(let missing): throw LoopbackError("there is no TLS for a loopback server: \(missing.reason)")
        }
        guard let key = LoopbackCertificate.newKey(library) else { throw LoopbackError("no key could be made") }
        guard let certificate = library.newCertificate() else {
            library.freeKey(key)
            throw LoopbackError("no certificate could be made")
        }
        self.library = library
        self.key = key
        self.certificate = certificate
        try fill(name, hosts, issuer, lifetime)
    }

    deinit {
        library.freeCertificate(certificate)
        library.freeKey(key)
    }

    private static func newKey(_ library: OpenSSL) -> OpaquePointer? {
        guard let context = library.newKeyContext(ellipticCurve, nil) else { return nil }
        defer { library.freeKeyContext(context) }
        var key: OpaquePointer?
        guard library.beginKey(context) == 1, library.setCurve(context, prime256) == 1,
            library.makeKey(context, &key) == 1
        else { return nil }
        return key
    }

    private func fill(
        _ name: String, _ hosts: [String], _ issuer: LoopbackCertificate?, _ lifetime: Int
    ) throws(LoopbackError) {
        let serial = Int.random(in: 1...Int(Int32.max))
        let subject = library.subject(certificate)
        let isNamed =
            library.setVersion(certificate, 2) == 1
            && library.setInteger(library.serialNumber(certificate), serial) == 1
            && library.adjustTime(library.notBefore(certificate), min(0, lifetime) - 3600) != nil
            && library.adjustTime(library.notAfter(certificate), lifetime) != nil
            && library.setPublicKey(certificate, key) == 1
            && Array(name.utf8).withUnsafeBufferPointer { bytes in
                library.addName(subject, "CN", Self.utf8, bytes.baseAddress, Int32(bytes.count), -1, 0) == 1
            }
            && library.setIssuer(certificate, library.subject(issuer?.certificate ?? certificate)) == 1
        guard isNamed else { throw LoopbackError("the certificate of \(name) could not be filled in") }
        if hosts.isEmpty {
            try add(Self.basicConstraints, "critical,CA:TRUE")
            try add(Self.keyUsage, "critical,keyCertSign,cRLSign")
        } else {
            try add(Self.basicConstraints, "critical,CA:FALSE")
            try add(Self.keyUsage, "critical,digitalSignature")
            try add(Self.extendedKeyUsage, "serverAuth")
            try add(Self.subjectAlternatives, try hosts.map(Self.alternative).joined(separator: ","))
        }
        guard library.sign(certificate, issuer?.key ?? key, library.sha256()) > 0 else {
            throw LoopbackError("the certificate of \(name) could not be signed")
        }
    }

    private static func alternative(_ host: String) throws(LoopbackError) -> String {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &v4) == 1 || inet_pton(AF_INET6, host, &v6) == 1 { return "IP:\(host)" }
        // What follows a comma would be an extension of its own.
        let isName =
            !host.isEmpty
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"):
                    true
                default: false
                }
            }
        guard isName else { throw LoopbackError("\"\(host)\" is no host name for a certificate") }
        return "DNS:\(host)"
    }

    private func add(_ identifier: Int32, _ value: String) throws(LoopbackError) {
        // The place for an X509V3_CTX, which is smaller; all zero means: no issuer, no request, no configuration.
        let context = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
        context.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
        defer { context.deallocate() }
        guard let made = library.makeExtension(nil, context, identifier, value) else {
            throw LoopbackError("the certificate's extension \"\(value)\" could not be made")
        }
        defer { library.freeExtension(made) }
        guard library.addExtension(certificate, made, -1) == 1 else {
            throw LoopbackError("the certificate's extension \"\(value)\" could not be added")
        }
    }

    /// The certificate in PEM.
    func pem() throws(LoopbackError) -> Data {
        guard let store = library.newStore(library.memoryKind()) else { throw LoopbackError("there is no memory") }
        defer { _ = library.freeStore(store) }
        var bytes: UnsafeMutableRawPointer?
        guard library.writePEM(store, certificate) == 1 else { throw LoopbackError("no PEM could be written") }
        let count = library.controlStore(store, Self.storeInfo, 0, &bytes)
        guard let bytes, count > 0 else { throw LoopbackError("no PEM could be written") }
        return Data(bytes: bytes, count: count)
    }
}
