import Foundation
import Testing

@Suite("The same bytes in every process (A03)")
struct ProcessLaunchOrderTests {
    @Test("20 launches print the same, though each has its own hash seed")
    func launches() async throws {
        try await HeavyWork.run {
            let tool = try #require(ChildProcess.tool("EncodeOrder"), "the EncodeOrder program was not built")
            var outputs: Set<[String]> = []
            var orders: Set<String> = []
            for _ in 0..<20 {
                let lines = try ChildProcess.lines(tool)
                #expect(lines.count == 4)
                outputs.insert(Array(lines.dropLast()))
                if let order = lines.last { orders.insert(order) }
            }
            #expect(outputs.count == 1)
            #expect(orders.count > 1, "the processes had the same hash seed, so this test shows nothing")
            let lines = try #require(outputs.first)
            #expect(
                lines[0]
                    == "https://h/p?A=1&a=2&ids%5B%5D=3&ids%5B%5D=1&ids%5B%5D=2&numbers%5B1%5D=one&numbers%5B10%5D=ten"
                    + "&numbers%5B2%5D=two&set%5B%5D=1&set%5B%5D=3&set%5B%5D=5&set%5B%5D=7&set%5B%5D=9"
                    + "&user%5Bname%5D=Zo%C3%AB&user%5Btags%5D%5B%5D=x&user%5Btags%5D%5B%5D=y")
            #expect(
                lines[1]
                    == #"{"A":1,"a":2,"ids":[3,1,2],"numbers":{"1":"one","10":"ten","2":"two"},"set":[1,3,5,7,9],"#
                    + #""user":{"name":"Zoë","tags":["x","y"]}}"#)
            #expect(lines[2] == #"{"Z":5,"a":2,"b":1,"c":3,"é":4}"#)
        }
    }
}
