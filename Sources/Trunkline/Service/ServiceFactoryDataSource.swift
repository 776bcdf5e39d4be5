/// Supplies the registry with class names: the pattern's older way, for apps that keep their services in a table.
///
/// Registering types with ``ServiceFactory/register(_:_:)`` is checked by the compiler and is the better choice.
@MainActor
public protocol ServiceFactoryDataSource: AnyObject {
    /// Class names by service identifier. A nested class can't be named this way.
    func servicesKindsOfServiceFactory() -> [String: String]

    /// The module that holds the class of a service; characters a module name can't have become `_`. Nil, the default,
    /// when the class name is qualified already.
    func namespaceForService(_ identifier: String) -> String?
}

extension ServiceFactoryDataSource {
    /// No namespace: class names are qualified already.
    public func namespaceForService(_ identifier: String) -> String? { nil }
}
