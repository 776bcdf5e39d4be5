import Foundation

/// The entry points of OpenSSL 3 that a loopback server needs, looked for at run time: no header and no package.
///
/// They are found once a process and the library is never closed. Every signature is part of OpenSSL 3's stable ABI.
struct OpenSSL: Sendable {
    typealias Pointer = OpaquePointer

    /// Why it can't be used.
    struct Missing: Error { let reason: String }

    let newKeyContext: @convention(c) (Int32, Pointer?) -> Pointer?
    let beginKey: @convention(c) (Pointer?) -> Int32
    let setCurve: @convention(c) (Pointer?, Int32) -> Int32
    let makeKey: @convention(c) (Pointer?, UnsafeMutablePointer<Pointer?>?) -> Int32
    let freeKeyContext: @convention(c) (Pointer?) -> Void
    let freeKey: @convention(c) (Pointer?) -> Void
    let newCertificate: @convention(c) () -> Pointer?
    let freeCertificate: @convention(c) (Pointer?) -> Void
    let setVersion: @convention(c) (Pointer?, Int) -> Int32
    let serialNumber: @convention(c) (Pointer?) -> Pointer?
    let setInteger: @convention(c) (Pointer?, Int) -> Int32
    let notBefore: @convention(c) (Pointer?) -> Pointer?
    let notAfter: @convention(c) (Pointer?) -> Pointer?
    let adjustTime: @convention(c) (Pointer?, Int) -> Pointer?
    let setPublicKey: @convention(c) (Pointer?, Pointer?) -> Int32
    let subject: @convention(c) (Pointer?) -> Pointer?
    let addName:
        @convention(c) (Pointer?, UnsafePointer<CChar>?, Int32, UnsafePointer<UInt8>?, Int32, Int32, Int32) -> Int32
    let setIssuer: @convention(c) (Pointer?, Pointer?) -> Int32
    let makeExtension: @convention(c) (Pointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Pointer?
    let addExtension: @convention(c) (Pointer?, Pointer?, Int32) -> Int32
    let freeExtension: @convention(c) (Pointer?) -> Void
    let sha256: @convention(c) () -> Pointer?
    let sign: @convention(c) (Pointer?, Pointer?, Pointer?) -> Int32
    let memoryKind: @convention(c) () -> Pointer?
    let newStore: @convention(c) (Pointer?) -> Pointer?
    let freeStore: @convention(c) (Pointer?) -> Int32
    let controlStore: @convention(c) (Pointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let writePEM: @convention(c) (Pointer?, Pointer?) -> Int32

    let serverMethod: @convention(c) () -> Pointer?
    let newContext: @convention(c) (Pointer?) -> Pointer?
    let freeContext: @convention(c) (Pointer?) -> Void
    let useCertificate: @convention(c) (Pointer?, Pointer?) -> Int32
    let useKey: @convention(c) (Pointer?, Pointer?) -> Int32
    let controlContext: @convention(c) (Pointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let newConnection: @convention(c) (Pointer?) -> Pointer?
    let freeConnection: @convention(c) (Pointer?) -> Void
    let setDescriptor: @convention(c) (Pointer?, Int32) -> Int32
    let accept: @convention(c) (Pointer?) -> Int32
    let read: @convention(c) (Pointer?, UnsafeMutableRawPointer?, Int32) -> Int32
    let write: @convention(c) (Pointer?, UnsafeRawPointer?, Int32) -> Int32
    let error: @convention(c) (Pointer?, Int32) -> Int32
    let shutDown: @convention(c) (Pointer?) -> Int32
    let clearErrors: @convention(c) () -> Void

    /// The system's library.
    static let system: Result<OpenSSL, Missing> = Result { () throws(Missing) in try OpenSSL() }

    private init() throws(Missing) {
        #if canImport(Darwin)
            let names = [("libcrypto.3.dylib", "libssl.3.dylib")]
        #else
            let names = [("libcrypto.so.3", "libssl.so.3")]
        #endif
        var images: (UnsafeMutableRawPointer, UnsafeMutableRawPointer)?
        for (crypto, ssl) in names {
            guard let first = dlopen(crypto, RTLD_NOW | RTLD_LOCAL), let second = dlopen(ssl, RTLD_NOW | RTLD_LOCAL)
            else {
                continue
            }
            images = (first, second)
            break
        }
        guard let (crypto, ssl) = images else {
            throw Missing(reason: "this machine has no OpenSSL 3 (\(names.map(\.1).joined(separator: ", ")))")
        }
        func entry<Function>(_ image: UnsafeMutableRawPointer, _ name: String) throws(Missing) -> Function {
            guard let symbol = dlsym(image, name) else { throw Missing(reason: "OpenSSL has no \(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        newKeyContext = try entry(crypto, "EVP_PKEY_CTX_new_id")
        beginKey = try entry(crypto, "EVP_PKEY_keygen_init")
        setCurve = try entry(crypto, "EVP_PKEY_CTX_set_ec_paramgen_curve_nid")
        makeKey = try entry(crypto, "EVP_PKEY_keygen")
        freeKeyContext = try entry(crypto, "EVP_PKEY_CTX_free")
        freeKey = try entry(crypto, "EVP_PKEY_free")
        newCertificate = try entry(crypto, "X509_new")
        freeCertificate = try entry(crypto, "X509_free")
        setVersion = try entry(crypto, "X509_set_version")
        serialNumber = try entry(crypto, "X509_get_serialNumber")
        setInteger = try entry(crypto, "ASN1_INTEGER_set")
        notBefore = try entry(crypto, "X509_getm_notBefore")
        notAfter = try entry(crypto, "X509_getm_notAfter")
        adjustTime = try entry(crypto, "X509_gmtime_adj")
        setPublicKey = try entry(crypto, "X509_set_pubkey")
        subject = try entry(crypto, "X509_get_subject_name")
        addName = try entry(crypto, "X509_NAME_add_entry_by_txt")
        setIssuer = try entry(crypto, "X509_set_issuer_name")
        makeExtension = try entry(crypto, "X509V3_EXT_conf_nid")
        addExtension = try entry(crypto, "X509_add_ext")
        freeExtension = try entry(crypto, "X509_EXTENSION_free")
        sha256 = try entry(crypto, "EVP_sha256")
        sign = try entry(crypto, "X509_sign")
        memoryKind = try entry(crypto, "BIO_s_mem")
        newStore = try entry(crypto, "BIO_new")
        freeStore = try entry(crypto, "BIO_free")
        controlStore = try entry(crypto, "BIO_ctrl")
        writePEM = try entry(crypto, "PEM_write_bio_X509")
        clearErrors = try entry(crypto, "ERR_clear_error")
        serverMethod = try entry(ssl, "TLS_server_method")
        newContext = try entry(ssl, "SSL_CTX_new")
        freeContext = try entry(ssl, "SSL_CTX_free")
        useCertificate = try entry(ssl, "SSL_CTX_use_certificate")
        useKey = try entry(ssl, "SSL_CTX_use_PrivateKey")
        controlContext = try entry(ssl, "SSL_CTX_ctrl")
        newConnection = try entry(ssl, "SSL_new")
        freeConnection = try entry(ssl, "SSL_free")
        setDescriptor = try entry(ssl, "SSL_set_fd")
        accept = try entry(ssl, "SSL_accept")
        read = try entry(ssl, "SSL_read")
        write = try entry(ssl, "SSL_write")
        error = try entry(ssl, "SSL_get_error")
        shutDown = try entry(ssl, "SSL_shutdown")
    }
}
