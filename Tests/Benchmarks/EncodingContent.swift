import TrunklineHTTP

/// What is encoded, the same in every run.
enum EncodingContent {
    /// 50 fields: text with spaces and letters that are escaped, numbers and truth values.
    static var form: [String: Any] {
        var fields: [String: Any] = [:]
        for index in 0..<50 {
            fields["field_\(index)"] =
                switch index % 5 {
                case 0: "plain-text-\(index)"
                case 1: "tea & cake, number \(index)"
                case 2: "Grüße aus Köln \(index)"
                case 3: index * 1_000_003
                default: index % 2 == 0
                }
        }
        return fields
    }

    /// The fields as `URLComponents` takes them: as text, and sorted, as the library writes them.
    static func queryItems(of form: [String: Any]) -> [URLQueryItem] {
        form.sorted { $0.key < $1.key }.map { name, value in
            if let truth = value as? Bool { return URLQueryItem(name: name, value: truth ? "1" : "0") }
            return URLQueryItem(name: name, value: "\(value)")
        }
    }

    /// About a megabyte of records.
    static var tree: [String: Any] {
        let records = (0..<4200).map { index -> [String: Any] in
            [
                "id": index, "name": "Customer \(index) \"Müller\"", "balance": Double(index) * 12.75,
                "isActive": index % 3 == 0, "tags": ["alpha", "beta", "gamma-\(index)"],
                "address": [
                    "street": "Long Street \(index)", "city": "Köln", "code": "50\(index)", "floor": index % 9,
                ],
                "note": "The parcel goes to the neighbour.\nRing twice.",
            ]
        }
        return ["records": records, "total": records.count]
    }
}
