/// Lists of entity tags (RFC 9110, section 8.8.3).
enum EntityTags {
    /// Whether a list of tags, or `*`, has this one, weak or not.
    static func list(_ field: String?, matches tag: String) -> Bool {
        guard let field else { return false }
        if field.filter({ $0 != " " }) == "*" { return true }
        // Between the quotes of a tag there may be a comma.
        var tags: [String] = []
        var isOpen = false
        var current = ""
        for character in field {
            if character == "\"" {
                if isOpen { tags.append(current) }
                isOpen.toggle()
                current = ""
            } else if isOpen {
                current.append(character)
            }
        }
        return tags.contains(tag.filter { $0 != "\"" })
    }
}
