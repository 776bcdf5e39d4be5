import Foundation
import TrunklineHTTP

extension JSONEncoder {
    /// The encoder of values that servers and stubs answer with: keys sorted, dates as ISO 8601.
    static var answers: JSONEncoder {
        let encoder = JSONEncoder.stable
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
