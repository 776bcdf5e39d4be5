import Foundation
import TrunklineHTTP

// Prints what the encoders make of one dictionary, for the test that launches this program many times: Swift seeds the
// order of dictionaries anew in each process. The last line is such an order, to show that it does differ.

let dictionary: [String: Any] = [
    "user": ["tags": ["x", "y"], "name": "Zoë"] as [String: Any], "ids": [3, 1, 2], "A": 1, "a": 2,
    "set": Set([5, 3, 9, 1, 7]), "numbers": [1: "one", 2: "two", 10: "ten"],
]
let parameters = Parameters(dictionary)
let get = try Endpoint(.get, "https://h/p", parameters: parameters).makeRequest()
let post = try Endpoint(.post, "https://h/p", parameters: parameters, encoding: .json).makeRequest()
print(get.url.absoluteString)
print(String(decoding: post.body?.data ?? Data(), as: UTF8.self))
print(
    try String(
        decoding: JSONParameterEncoder().encoded(ParameterValue(converting: ["b": 1, "a": 2, "c": 3, "é": 4, "Z": 5])),
        as: UTF8.self))
print(Array(dictionary.keys).joined(separator: " "))
