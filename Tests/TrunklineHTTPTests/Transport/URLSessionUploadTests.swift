#if canImport(FoundationNetworking)
    import Foundation
    import Testing
    import TrunklineTesting

    @testable import TrunklineHTTP

    /// The toolchain's own upload from a file ends the process where a connection is lost; these go through it often enough
    /// to end it each time.
    @Suite("URLSession on Linux: files as bodies", .serialized)
    struct URLSessionUploadTests {
        private let transport = URLSessionTransport()

        @Test("The connection is reset in the middle of the body, sixty times")
        func reset() async throws {
            let file = try ScratchFile(Data(repeating: 0x61, count: 4 << 20))
            let server = try LoopbackServer { server in
                server.fallback {
                    .raw([.waitForBodyBytes(Int64($0.query("after") ?? "") ?? 0), .reset])
                }
            }
            for round in 0..<60 {
                let request = try server.request(.put, "/?after=\(round * 9_973)", body: .file(file.url))
                let ending = await transport.ending(of: request)
                #expect(ending.kind == .lostBeforeResponse, "\(String(describing: ending.error))")
            }
        }

        @Test("A kept connection is reset while the body of its second request is sent")
        func keptConnection() async throws {
            let file = try ScratchFile(Data(repeating: 0x61, count: 4 << 20))
            let server = try LoopbackServer { server in
                server.script(
                    connection: 1,
                    [
                        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"), .readHead,
                        .waitForBodyBytes(1 << 20), .reset,
                    ])
                server.fallback(respond: .text("again"))
            }
            #expect(await transport.ending(of: try server.request()).text == "a")
            let ending = await transport.ending(of: try server.request(.put, body: .file(file.url)))
            // Sent again in whole, or not at all.
            if ending.text == "again" {
                #expect(server.requests.last?.bodyCount == 4 << 20)
            } else {
                #expect(ending.kind == .lostBeforeResponse, "\(String(describing: ending.error))")
            }
        }

        @Test("Every length arrives as it is, announced", arguments: [0, 1, 16_384, 49_153, 3_000_001])
        func lengths(count: Int) async throws {
            let bytes = LoopbackPattern(seed: 3).bytes(from: 0, count: count)
            let file = try ScratchFile(bytes)
            let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
            let bodies: [RequestBody] = [
                try .file(file.url), .stream(length: Int64(count)) { .init(unfolding: once(bytes)) },
                .stream { .init(unfolding: once(bytes)) },
            ]
            for body in bodies {
                server.clearRecord()
                let sent = Collector<TransferProgress>()
                let progress = ProgressObserver(sent: { sent.add($0) })
                let ending = await transport.ending(of: try server.request(.post, body: body), progress: progress)
                #expect(ending.response?.statusCode == 204, "\(String(describing: ending.error))")
                let request = try #require(server.requests.first)
                #expect(request.body.count == count)
                let isSame = request.body == bytes
                #expect(isSame)
                #expect(request.headers["Content-Length"] == "\(count)")
                #expect(!request.headers.contains("Transfer-Encoding"))
                if count > 0, body.contentLength != nil {
                    #expect(sent.all.last == TransferProgress(completed: Int64(count), total: Int64(count)))
                }
            }
        }

        @Test("A file that is cut while it is sent is an error of the file, with its name")
        func cut() async throws {
            let file = try ScratchFile(Data(repeating: 0x61, count: 32 << 20))
            let gate = LoopbackGate()
            let server = try LoopbackServer { server in
                server.script([.readHead, .stopReading, .hold(gate), .resumeReading, .waitForBody, .close])
            }
            let request = try server.request(.put, body: .file(file.url))
            let upload = Task { await transport.ending(of: request) }
            #expect(await eventually { gate.waiting == 1 })
            #expect(truncate(file.url.path, 0) == 0)
            gate.open()
            let ending = await upload.value
            guard case .file(let failure) = ending.error else {
                Issue.record("\(String(describing: ending.error))")
                return
            }
            #expect(failure.url == file.url && failure.operation == .read && failure.reason.contains("early"))
        }

        @Test("What a file has grown by is not sent, and one that can't be opened is an error at once")
        func stream() throws {
            let file = try ScratchFile(Data("0123456789".utf8))
            let stream = try URLSessionFileStream(url: file.url, length: 4) { _ in Issue.record("failed") }
            #expect(stream.streamStatus == .notOpen)
            stream.open()
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(stream.read(&bytes, maxLength: 3) == 3 && stream.hasBytesAvailable)
            #expect(stream.read(&bytes, maxLength: 16) == 1 && !stream.hasBytesAvailable && bytes[0] == 0x33)
            #expect(stream.read(&bytes, maxLength: 16) == 0)
            stream.close()
            #expect(stream.streamStatus == .closed)

            let missing = file.url.appendingPathComponent("none")
            #expect {
                _ = try URLSessionFileStream(url: missing, length: 1) { _ in }
            } throws: {
                ErrorKind($0) == .file
            }
        }
    }
#endif
