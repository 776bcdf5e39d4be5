import Foundation

/// Turns an endpoint's data into what a screen shows. One reformer may serve many managers, and is told which one asks;
/// one manager may have many reformers. Every method is optional: nil, the default, leaves the data as it is.
@MainActor
public protocol APIDataReformer<Output> {
    /// What the reformer makes.
    associatedtype Output

    /// Reforms parsed JSON, an object, an array or any other value.
    func manager(_ manager: BaseAPIManager, reform json: JSONValue) -> Output?

    /// Reforms the bytes, usually by decoding a model.
    func manager(_ manager: BaseAPIManager, reformJSON data: Data) -> Output?

    /// Reforms the bytes of a failed answer.
    func manager(_ manager: BaseAPIManager, failedToReform data: Data) -> Output?
}

extension APIDataReformer {
    /// Leaves the data as it is.
    public func manager(_ manager: BaseAPIManager, reform json: JSONValue) -> Output? { nil }

    /// Leaves the data as it is.
    public func manager(_ manager: BaseAPIManager, reformJSON data: Data) -> Output? { nil }

    /// Leaves the data as it is.
    public func manager(_ manager: BaseAPIManager, failedToReform data: Data) -> Output? { nil }
}
