import Foundation
import TrunklineHTTP

/// A case of the suite.
struct Case: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case required, optimal, check
    }

    let id: String
    let name: String
    let kind: Kind
    let dependencies: [String]
    let steps: [Step]
}

/// A group of cases.
struct Suite: Sendable {
    let id: String
    let name: String
    let cases: [Case]
}

/// The file of cases.
enum SuiteFile {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    static func read(_ url: URL) throws -> [Suite] {
        guard let suites = try JSONValue(parsing: Data(contentsOf: url)).array else {
            throw Unreadable(description: "\(url.path) holds no list of suites")
        }
        return suites.compactMap { suite in
            guard let id = suite["id"]?.string else { return nil }
            return Suite(
                id: id, name: suite["name"]?.string ?? id,
                cases: (suite["tests"]?.array ?? []).compactMap(SuiteFile.makeCase))
        }
    }

    private static func makeCase(_ json: JSONValue) -> Case? {
        guard let id = json["id"]?.string else { return nil }
        return Case(
            id: id, name: json["name"]?.string ?? id,
            kind: json["kind"]?.string.flatMap(Case.Kind.init) ?? .required,
            dependencies: (json["depends_on"]?.array ?? []).compactMap(\.string),
            steps: (json["requests"]?.array ?? []).map(Step.init))
    }
}
