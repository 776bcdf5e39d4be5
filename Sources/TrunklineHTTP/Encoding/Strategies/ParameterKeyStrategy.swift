/// How names are spelt on the wire, at every level. Two names that become one are an error, not a lost value.
public enum ParameterKeyStrategy: Sendable {
    /// As given. The default.
    case asGiven
    /// `pageSize` becomes `page_size`, `rawURLText` becomes `raw_url_text`.
    case snakeCase
    /// As the app says.
    case custom(@Sendable (String) -> String)

    var changesNothing: Bool {
        if case .asGiven = self { true } else { false }
    }

    func apply(_ key: String) -> String {
        switch self {
        case .asGiven: key
        case .snakeCase: ParameterKeyStrategy.snakeCased(key)
        case .custom(let transform): transform(key)
        }
    }

    /// An underscore goes before an upper-case letter that begins a word: one after a small letter or digit, or the last
    /// of a run of capitals when a small letter follows.
    private static func snakeCased(_ key: String) -> String {
        let characters = Array(key)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let before = characters[index - 1]
                let nextIsSmall = index + 1 < characters.count && characters[index + 1].isLowercase
                if before.isLowercase || before.isNumber || (before.isUppercase && nextIsSmall) { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }

    /// The members of an object in the order they are written, under the names they are written with.
    func ordered(
        _ object: [String: ParameterValue], at path: ParameterPath
    ) throws(RequestFailure) -> [(key: String, value: ParameterValue)] {
        if changesNothing {
            return UTF8Order.sorted(object)
        }
        let members = object.map { (key: apply($0.key), value: $0.value) }
            .sorted { UTF8Order.precedes($0.key, $1.key) }
        try ParameterKeyStrategy.refuseRepeats(members, at: path)
        return members
    }

    /// Refuses a list, sorted or not, that has a name twice.
    static func refuseRepeats(
        _ members: [(key: String, value: ParameterValue)], at path: ParameterPath
    ) throws(RequestFailure) {
        var seen: Set<String> = []
        for (key, _) in members where !seen.insert(key).inserted {
            var place = path
            place.push(key)
            throw place.failure("the key strategy gives two parameters this name")
        }
    }
}
