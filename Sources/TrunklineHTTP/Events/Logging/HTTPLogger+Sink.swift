import Foundation

extension HTTPLogger {
    /// Where a logger writes. Each request is one text, of one or more lines, without a line feed at its end.
    public struct Sink: Sendable {
        /// Whether the text is coloured.
        let isColoured: Bool
        private let take: @Sendable (_ text: String, _ isFailure: Bool) -> Void

        init(isColoured: Bool, _ take: @escaping @Sendable (_ text: String, _ isFailure: Bool) -> Void) {
            self.isColoured = isColoured
            self.take = take
        }

        func write(_ text: String, isFailure: Bool) { take(text, isFailure) }

        /// Hands each text to a closure, on the thread of the event and several at a time; it must return at once.
        public static func closure(_ take: @escaping @Sendable (String) -> Void) -> Sink {
            Sink(isColoured: false) { text, _ in take(text) }
        }

        /// Standard error; coloured when that is a terminal, `NO_COLOR` is not set and `TERM` is not `dumb`.
        public static let standardError = Sink(isColoured: LogStyle.isTerminal(2)) { text, _ in
            LogOutput.write(text, to: 2)
        }
    }
}
