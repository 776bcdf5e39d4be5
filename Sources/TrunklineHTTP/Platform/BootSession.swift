import Foundation

/// The run of the system since it was started: what a process wrote before it was killed is all there within the same
/// run; after a crash of the system only what was synced is.
enum BootSession {
    /// A text that is the same until the system starts again; nil where it isn't known.
    static let id: String? = {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
            let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        #endif
    }()
}
