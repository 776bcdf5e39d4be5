import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Random trees come back whole from decoders that share no code with the encoders")
struct RoundTripTests {
    private static func trees(
        _ seed: UInt64, full: Int = 20_000, plainKeys: Bool = false
    ) -> [[String: ParameterValue]] {
        var random = SeededRandom(seed: seed)
        return (0..<FuzzRounds.count(full: full)).map { _ in
            let tree = RandomTree.object(&random, depth: 3)
            return plainKeys ? withoutBrackets(tree) : tree
        }
    }

    /// Names with brackets look like nesting to a decoder of the format; the format has no escape for them.
    private static func withoutBrackets(_ tree: [String: ParameterValue]) -> [String: ParameterValue] {
        var result: [String: ParameterValue] = [:]
        for (key, value) in tree {
            let name = key.replacingOccurrences(of: "[", with: "(").replacingOccurrences(of: "]", with: ")")
            result[name] = withoutBrackets(value)
        }
        return result
    }

    private static func withoutBrackets(_ value: ParameterValue) -> ParameterValue {
        switch value {
        case .object(let members): .object(withoutBrackets(members))
        case .array(let elements): .array(elements.map { withoutBrackets($0) })
        default: value
        }
    }

    @Test("Query and form, decoded by hand", arguments: [URLParameterEncoder.SpaceStrategy.percentEncoded, .plus])
    func urlEncodedFuzz(spaces: URLParameterEncoder.SpaceStrategy) async throws {
        try await HeavyWork.run {
            let encoder = URLParameterEncoder(arrays: .indices, spaces: spaces)
            for (round, tree) in Self.trees(11, plainKeys: true).enumerated() {
                let text = try encoder.string(from: Parameters(values: tree))
                let expected = FlatTree.urlEntries(.object(tree))
                #expect(
                    Self.decode(text).map(\.bytes) == expected.map(\.bytes), "seed 11, round \(round): \(text)")
            }
        }
    }

    /// Decodes `a[b][0]=c&…`, knowing only the format.
    private static func decode(_ text: String) -> [FlatTree.Entry] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "not UTF-8" }
            guard halves.count == 2 else { return FlatTree.Entry(path: ["no equals sign"], text: "") }
            var path: [String] = []
            var piece = String.UnicodeScalarView()
            for scalar in halves[0].unicodeScalars {
                if scalar == "[" {
                    if path.isEmpty { path.append(String(piece)) }
                    piece = String.UnicodeScalarView()
                } else if scalar == "]" {
                    path.append(String(piece))
                } else {
                    piece.append(scalar)
                }
            }
            if path.isEmpty { path.append(String(piece)) }
            return FlatTree.Entry(path: path, text: halves[1])
        }
    }

    @Test("JSON, decoded by the parser of answers")
    func jsonFuzz() async throws {
        try await HeavyWork.run {
            for (round, tree) in Self.trees(12).enumerated() {
                let data = try JSONParameterEncoder().encoded(.object(tree))
                let decoded = try JSONValue(parsing: data)
                #expect(
                    Self.flat(decoded).map(\.bytes) == FlatTree.jsonEntries(.object(tree)).map(\.bytes),
                    "seed 12, round \(round): \(String(decoding: data, as: UTF8.self))")
            }
        }
    }

    private static func flat(_ value: JSONValue, at path: [String] = []) -> [FlatTree.Entry] {
        switch value {
        case .null: [FlatTree.Entry(path: path, text: "null")]
        case .bool(let truth): [FlatTree.Entry(path: path, text: "bool \(truth)")]
        case .integer(let number): [FlatTree.Entry(path: path, text: "number " + FlatTree.number("\(number)"))]
        case .unsigned(let number): [FlatTree.Entry(path: path, text: "number " + FlatTree.number("\(number)"))]
        case .decimal(let number): [FlatTree.Entry(path: path, text: "number " + FlatTree.number("\(number)"))]
        case .double(let number): [FlatTree.Entry(path: path, text: "number " + FlatTree.number("\(number)"))]
        case .string(let text): [FlatTree.Entry(path: path, text: "text " + text)]
        case .array(let elements):
            [FlatTree.Entry(path: path, text: "array \(elements.count)")]
                + elements.enumerated().flatMap { flat($0.element, at: path + [String($0.offset)]) }
        case .object(let members):
            [FlatTree.Entry(path: path, text: "object \(members.count)")]
                + members.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                .flatMap { key in members[key].map { flat($0, at: path + [key]) } ?? [] }
        }
    }

    @Test("Query, decoded by Python's urllib", .enabled(if: ChildProcess.python != nil))
    func pythonQueryFuzz() async throws {
        try await HeavyWork.run {
            let script = """
                import sys, urllib.parse
                with open(sys.argv[1], encoding="utf-8") as lines:
                    for line in lines.read().split("\\n"):
                        pairs = urllib.parse.parse_qsl(line, keep_blank_values=True, strict_parsing=bool(line), errors="strict")
                        print(" ".join((n.encode().hex() + "=" + v.encode().hex()) for n, v in pairs))
                """
            let trees = Self.trees(13, full: 5_000)
            let encoder = URLParameterEncoder(arrays: .indices)
            let decoded = try #require(
                try ChildProcess.python(script, lines: trees.map { try encoder.string(from: Parameters(values: $0)) }))
            #expect(decoded.count == trees.count)
            for (round, (line, tree)) in zip(decoded, trees).enumerated() {
                let expected = FlatTree.urlEntries(.object(tree)).map { entry in
                    let name = entry.path.dropFirst().reduce(entry.path[0]) { $0 + "[" + $1 + "]" }
                    return Data(name.utf8).hex + "=" + Data(entry.text.utf8).hex
                }
                #expect(line == expected.joined(separator: " "), "seed 13, round \(round)")
            }
        }
    }

    @Test("JSON, decoded by Python's json", .enabled(if: ChildProcess.python != nil))
    func pythonJSONFuzz() async throws {
        try await HeavyWork.run {
            let script = """
                import sys, json
                def flat(value, path, out):
                    if value is None: text = "null"
                    elif isinstance(value, bool): text = "bool " + ("true" if value else "false")
                    elif isinstance(value, tuple): text = "number " + value[0]
                    elif isinstance(value, str): text = "text " + value
                    elif isinstance(value, list): text = "array %d" % len(value)
                    else: text = "object %d" % len(value)
                    out.append("/".join(step.encode().hex() for step in path + [text]))
                    if isinstance(value, list):
                        for index, element in enumerate(value): flat(element, path + [str(index)], out)
                    elif isinstance(value, dict):
                        for key, member in value.items(): flat(member, path + [key], out)
                def number(text): return (text,)
                def refuse(text): raise ValueError(text)
                with open(sys.argv[1], encoding="utf-8") as lines:
                    for line in lines.read().split("\\n"):
                        out = []
                        flat(json.loads(line, parse_float=number, parse_int=number, parse_constant=refuse), [], out)
                        print(" ".join(out))
                """
            let trees = Self.trees(14, full: 5_000)
            let texts = try trees.map { tree in
                String(decoding: try JSONParameterEncoder().encoded(.object(tree)), as: UTF8.self)
            }
            let decoded = try #require(try ChildProcess.python(script, lines: texts))
            #expect(decoded.count == trees.count)
            for (round, (line, tree)) in zip(decoded, trees).enumerated() {
                let expected = FlatTree.jsonEntries(.object(tree)).map { Self.withPlainNumber($0) }
                let found = line.split(separator: " ").map { Self.entry($0) }.map { Self.withPlainNumber($0) }
                #expect(found.map(\.bytes) == expected.map(\.bytes), "seed 14, round \(round)")
            }
        }
    }

    private static func entry(_ line: Substring) -> FlatTree.Entry {
        var pieces = line.split(separator: "/", omittingEmptySubsequences: false).map { hex -> String in
            let digits = Array(hex.utf8)
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let text = pieces.popLast() ?? ""
        return FlatTree.Entry(path: pieces, text: text)
    }

    private static func withPlainNumber(_ entry: FlatTree.Entry) -> FlatTree.Entry {
        guard entry.text.hasPrefix("number ") else { return entry }
        return FlatTree.Entry(path: entry.path, text: "number " + FlatTree.number(String(entry.text.dropFirst(7))))
    }

    @Test("Multipart forms, read by Python's email parser", .enabled(if: ChildProcess.python != nil))
    func pythonMultipartFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let script = """
                import sys, email, email.policy
                with open(sys.argv[1], encoding="utf-8") as lines:
                    for line in lines.read().split("\\n"):
                        kind, body = line.split("|")
                        head = b"Content-Type: " + kind.encode() + b"\\r\\n\\r\\n"
                        message = email.message_from_bytes(head + bytes.fromhex(body), policy=email.policy.HTTP)
                        parts = [] if not message.is_multipart() else message.get_payload()
                        out = []
                        for part in parts:
                            name = part.get_param("name", header="content-disposition")
                            file = part.get_param("filename", header="content-disposition")
                            out.append("%s/%s/%s" % (name, file, part.get_payload(decode=True).hex()))
                        print(" ".join(out))
                """
            var random = SeededRandom(seed: 15)
            var lines: [String] = []
            var expected: [String] = []
            for _ in 0..<FuzzRounds.count(full: 1_000) {
                var form = MultipartFormData()
                var found: [String] = []
                for index in 0..<random.below(4) + 1 {
                    let bytes = Data(
                        (0..<random.below(200)).map { _ in [13, 10, 45, UInt8(random.below(256))][random.below(4)] })
                    let file = random.below(2) == 0 ? nil : "f\(index).bin"
                    form.append(bytes, name: "n\(index)", fileName: file)
                    found.append("n\(index)/\(file ?? "None")/\(bytes.hex)")
                }
                lines.append(form.contentType + "|" + (try await form.encoded()).hex)
                expected.append(found.joined(separator: " "))
            }
            let decoded = try #require(try ChildProcess.python(script, lines: lines))
            #expect(decoded.count == expected.count)
            for (round, pair) in zip(decoded, expected).enumerated() {
                #expect(pair.0 == pair.1, "seed 15, round \(round)")
            }
        }
    }
}
