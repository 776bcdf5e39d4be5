import Foundation

@testable import TrunklineHTTP

/// Checks a file against HAR 1.2: the members the format requires, and their types.
enum HARValidation {
    static func mistakes(in data: Data) throws -> [String] {
        let tree = try JSONValue(parsing: data)
        var check = Check()
        let log = check.object(tree["log"], "log")
        check.string(log["version"], "log.version")
        check.named(log["creator"], "log.creator")
        for (index, entry) in check.array(log["entries"], "log.entries").enumerated() {
            check.entry(entry, "entries[\(index)]")
        }
        return check.mistakes
    }

    private struct Check {
        var mistakes: [String] = []

        mutating func expect(_ condition: Bool, _ path: String) {
            if !condition { mistakes.append(path) }
        }

        mutating func object(_ value: JSONValue?, _ path: String) -> [String: JSONValue] {
            if case .object(let members)? = value { return members }
            mistakes.append("\(path) is no object")
            return [:]
        }

        mutating func array(_ value: JSONValue?, _ path: String) -> [JSONValue] {
            if case .array(let elements)? = value { return elements }
            mistakes.append("\(path) is no array")
            return []
        }

        mutating func string(_ value: JSONValue?, _ path: String) {
            expect(value?.string != nil, "\(path) is no string")
        }

        mutating func number(_ value: JSONValue?, _ path: String, atLeast least: Double = 0) {
            expect((value?.double ?? -.infinity) >= least, "\(path) is no number from \(least)")
        }

        mutating func named(_ value: JSONValue?, _ path: String) {
            let members = object(value, path)
            string(members["name"], path + ".name")
            string(members["version"], path + ".version")
        }

        mutating func pairs(_ value: JSONValue?, _ path: String) {
            for element in array(value, path) {
                let members = object(element, path + "[]")
                string(members["name"], path + "[].name")
                string(members["value"], path + "[].value")
            }
        }

        mutating func entry(_ value: JSONValue, _ path: String) {
            let entry = object(value, path)
            expect(HARDate.parse(entry["startedDateTime"]?.string ?? "") != nil, path + ".startedDateTime")
            number(entry["time"], path + ".time")
            let request = object(entry["request"], path + ".request")
            for name in ["method", "url", "httpVersion"] { string(request[name], "\(path).request.\(name)") }
            expect(URL(string: request["url"]?.string ?? "")?.scheme != nil, path + ".request.url")
            for name in ["cookies", "headers", "queryString"] { pairs(request[name], "\(path).request.\(name)") }
            number(request["headersSize"], path + ".request.headersSize", atLeast: -1)
            number(request["bodySize"], path + ".request.bodySize", atLeast: -1)
            if let post = request["postData"] {
                let members = object(post, path + ".postData")
                string(members["mimeType"], path + ".postData.mimeType")
                string(members["text"], path + ".postData.text")
                for element in array(members["params"], path + ".postData.params") {
                    string(object(element, path + ".params[]")["name"], path + ".params[].name")
                }
            }
            let response = object(entry["response"], path + ".response")
            number(response["status"], path + ".response.status")
            for name in ["statusText", "httpVersion", "redirectURL"] {
                string(response[name], "\(path).response.\(name)")
            }
            for name in ["cookies", "headers"] { pairs(response[name], "\(path).response.\(name)") }
            number(response["headersSize"], path + ".response.headersSize", atLeast: -1)
            number(response["bodySize"], path + ".response.bodySize", atLeast: -1)
            let content = object(response["content"], path + ".response.content")
            number(content["size"], path + ".content.size")
            string(content["mimeType"], path + ".content.mimeType")
            if let encoding = content["encoding"] { expect(encoding.string == "base64", path + ".content.encoding") }
            _ = object(entry["cache"], path + ".cache")
            let timings = object(entry["timings"], path + ".timings")
            for name in ["send", "wait", "receive"] { number(timings[name], "\(path).timings.\(name)") }
            var sum = 0.0
            for name in ["blocked", "dns", "connect", "ssl"] {
                number(timings[name], "\(path).timings.\(name)", atLeast: -1)
            }
            for name in ["blocked", "dns", "connect", "send", "wait", "receive"] {
                sum += max(0, timings[name]?.double ?? 0)
            }
            expect(abs(sum - (entry["time"]?.double ?? -1)) < 0.01, path + ".time is not the sum of its timings")
        }
    }
}
