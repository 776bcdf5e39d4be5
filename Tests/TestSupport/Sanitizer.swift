import Foundation

/// What the tests run under.
package enum Sanitizer {
    /// Whether this is `swift test --sanitize=thread`: everything is some ten times slower, and stack frames are several
    /// times as large.
    package static let isThread = dlsym(UnsafeMutableRawPointer(bitPattern: globalSymbols), "__tsan_init") != nil

    #if canImport(Darwin)
        /// `RTLD_DEFAULT`, a macro Swift does not import.
        private static let globalSymbols = -2
    #else
        private static let globalSymbols = 0
    #endif
}
