import Foundation
import TestSupport

/// Has Swift files checked by the compiler, against the modules this test was built with.
struct SampleCompiler {
    /// Where the generated files are while the compiler reads them.
    private let directory: URL
    private let modules: URL
    private let moduleMap: URL

    /// Not under the sanitizer, which the samples have nothing to do with; and not where the compiler needs more than the
    /// paths below, on Apple platforms.
    static let isAvailable: Bool = {
        #if os(Linux)
            !Sanitizer.isThread
        #else
            false
        #endif
    }()

    init?() throws {
        let found = ChildProcess.productDirectories.map { products in
            (
                products.appendingPathComponent("Modules"),
                products.appendingPathComponent("CTrunklineCurl.build/module.modulemap")
            )
        }
        guard let (modules, moduleMap) = found.first(where: { Self.exists($0.0) && Self.exists($0.1) }) else {
            return nil
        }
        self.modules = modules
        self.moduleMap = moduleMap
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func cleanUp() { try? FileManager.default.removeItem(at: directory) }

    func write(_ source: String, as name: String) throws -> URL {
        let file = directory.appendingPathComponent(name + ".swift")
        try Data(source.utf8).write(to: file)
        return file
    }

    /// Checks files as one module.
    ///
    /// - Parameter module: where given, the module is kept, for other files that import it.
    /// - Returns: what the compiler complains about, but for values that a sample makes and has no use for.
    func complaints(about files: [URL], module: String? = nil) throws -> [String] {
        let output = module.map { ["-module-name", $0, "-emit-module", "-enable-testing", "-o", modulePath($0)] }
        let result = try ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["swiftc"] + (output ?? ["-typecheck", "-module-name", "Samples"]) + [
                "-parse-as-library", "-swift-version", "6", "-diagnostic-style=llvm", "-D", "ARTICLE_SAMPLES",
                "-I", directory.path, "-I", modules.path, "-Xcc", "-fmodule-map-file=\(moduleMap.path)",
            ] + files.map(\.path))
        let complaints = result.complaints.split(separator: "\n").map(String.init).filter { line in
            line.contains(": error: ")
                || line.contains(": warning: ") && !line.contains(" was never used")
                    && !line.contains(" was never mutated")
        }
        if complaints.isEmpty, result.exitStatus != 0 {
            return ["swiftc ended with \(result.exitStatus): \(result.complaints)"]
        }
        return complaints
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private func modulePath(_ name: String) -> String { directory.appendingPathComponent(name + ".swiftmodule").path }
}
