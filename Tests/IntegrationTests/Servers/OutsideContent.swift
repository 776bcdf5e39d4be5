import Foundation

/// What nginx serves, the same on every run.
enum OutsideContent {
    static let text = Data(String(repeating: "All work and no play makes Jack a dull boy.\n", count: 1000).utf8)

    /// 3 MB that don't repeat within any block.
    static let large: Data = {
        var bytes = [UInt8](repeating: 0, count: 3_000_000)
        var state: UInt32 = 1
        for index in bytes.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes[index] = UInt8(state >> 24)
        }
        return Data(bytes)
    }()
}
