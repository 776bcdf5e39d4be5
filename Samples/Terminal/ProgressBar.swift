import Foundation

/// How far something is: a bar that is drawn over and over where a person watches, a line for each quarter otherwise.
package struct ProgressBar {
    private static let width = 20
    private var shownQuarters = 0
    private var isFull = false

    package init() {}

    /// Shows a part from 0 to 1. Parts that were skipped on the way, by a fast connection, still have their lines.
    package mutating func show(_ fraction: Double) {
        let fraction = min(max(fraction, 0), 1)
        guard !Terminal.isStyled else {
            if !isFull { redraw(fraction) }
            isFull = fraction >= 1
            return
        }
        while Double(shownQuarters + 1) <= fraction * 4 {
            shownQuarters += 1
            print(Self.bar(Double(shownQuarters) / 4))
        }
    }

    private func redraw(_ fraction: Double) {
        print("\r\(Self.bar(fraction))", terminator: fraction < 1 ? "" : "\n")
        fflush(nil)
    }

    private static func bar(_ fraction: Double) -> String {
        let full = Int(fraction * Double(width))
        let percent = "\(Int(fraction * 100))"
        return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: width - full) + "] "
            + String(repeating: " ", count: 3 - percent.count) + percent + " %"
    }
}
