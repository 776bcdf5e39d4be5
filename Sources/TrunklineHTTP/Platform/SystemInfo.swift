/// What the library says about itself and the system.
enum SystemInfo {
    /// The library's version.
    static let libraryVersion = "1.0.0"

    /// The operating system's name.
    static var name: String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #else
            "Other"
        #endif
    }
}
