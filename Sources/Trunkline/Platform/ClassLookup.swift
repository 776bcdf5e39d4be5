import Foundation

/// Finds classes by name, which works alike on every platform for top-level classes: `Module.Class`.
enum ClassLookup {
    /// The class, or nil when the process has none of that name.
    static func `class`(named name: String) -> AnyClass? { NSClassFromString(name) }

    /// `namespace.name`, with what a module name can't have replaced as the compiler replaces it.
    static func qualifiedName(_ name: String, namespace: String?) -> String {
        guard let namespace, !namespace.isEmpty else { return name }
        let module = namespace.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
        return String(module) + "." + name
    }
}
