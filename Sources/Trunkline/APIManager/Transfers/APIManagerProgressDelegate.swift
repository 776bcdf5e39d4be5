/// Hears how far the transfers of a manager are. Called on the main actor; both methods have defaults that do nothing.
///
/// A load's values come in order, at most one each ``TransferAPIManager/progressInterval``. The last one of a success is the
/// whole, and comes before the success callback; none comes after the load's end, or after it was cancelled.
@MainActor
public protocol APIManagerProgressDelegate: AnyObject {
    /// How much of an upload is sent.
    ///
    /// - Parameters:
    ///   - manager: the upload's manager.
    ///   - sent: the bytes sent so far. A retry begins at 0 again, a resumed upload at what the server has.
    ///   - total: the bytes in all; nil while that is not known.
    ///   - requestID: the load.
    func manager(_ manager: BaseAPIManager, didSend sent: Int64, of total: Int64?, requestID: RequestID)

    /// How much of a download is in its file.
    ///
    /// - Parameters:
    ///   - manager: the download's manager.
    ///   - received: the bytes so far. A resumed download begins with what was there.
    ///   - total: the bytes in all; nil while that is not known.
    ///   - requestID: the load.
    func manager(_ manager: BaseAPIManager, didReceive received: Int64, of total: Int64?, requestID: RequestID)
}

extension APIManagerProgressDelegate {
    /// Does nothing.
    public func manager(_ manager: BaseAPIManager, didSend sent: Int64, of total: Int64?, requestID: RequestID) {}

    /// Does nothing.
    public func manager(_ manager: BaseAPIManager, didReceive received: Int64, of total: Int64?, requestID: RequestID) {
    }
}
