import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// A directory for one test's transfers and files, removed in the end.
final class TransferScratch: Sendable {
    let root: URL
    /// For ``SessionConfiguration/transferDirectory``.
    let transfers: URL
    /// For what is downloaded.
    let target: URL

    init() throws {
        root = FileManager.default.temporaryDirectory
            .appendingPathComponent("trunkline-transfer-\(UUID().uuidString)", isDirectory: true)
        transfers = root.appendingPathComponent("transfers", isDirectory: true)
        target = root.appendingPathComponent("target", isDirectory: true)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func file(_ name: String) -> URL { target.appendingPathComponent(name, isDirectory: false) }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: file(name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in the target.
    var names: [String] { FileSystem.names(in: target.path).sorted() }

    /// The names of what is kept for later.
    var kept: [String] {
        FileSystem.names(in: transfers.appendingPathComponent("downloads").path).sorted()
    }

    func configuration(_ change: (inout SessionConfiguration) -> Void = { _ in }) -> SessionConfiguration {
        var configuration = SessionConfiguration(transferDirectory: transfers)
        change(&configuration)
        return configuration
    }

    /// Puts a partial download there, as an earlier process would have left it.
    func leave(
        _ content: String, of url: URL, validator: String?, total: Int64? = 10, key: String? = nil,
        boot: String? = BootSession.id,
        synced: Int64 = 0
    ) throws {
        let owner = CachePartition.shared.directoryName
        let location = TransferDirectory(transfers).download(
            key.map { "key \(owner) \($0)" } ?? "url \(owner) \(url.absoluteString)")
        try FileManager.default.createDirectory(
            at: location.content.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: location.content)
        guard let validator else { return }
        var state = DownloadState(
            url: url.absoluteString, validator: DownloadValidator(text: validator, isDate: false), total: total,
            digest: nil, boot: boot)
        state.synced = synced
        try Data(state.bytes).write(to: try #require(location.state))
    }
}

extension HTTPError {
    /// The transfer's own reason, where it is one.
    var transferFailure: TransferFailure? {
        if case .transfer(let failure) = self { failure } else { nil }
    }
}
