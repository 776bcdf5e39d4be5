import Testing

/// The library through its public API against httpbin and nginx, on both transports. `.ci/run` brings the servers; without
/// `TRUNKLINE_HTTPBIN_PYTHON`, a Python that has httpbin and gunicorn, the suite is skipped.
@Suite(.enabled(if: OutsideServers.areWanted, "TRUNKLINE_HTTPBIN_PYTHON is not set")) struct OutsideTests {
    @Test(arguments: OutsideCheck.all, OutsideTransport.allCases)
    func `holds against a server of somebody else's`(check: OutsideCheck, transport: OutsideTransport) async throws {
        let servers = try await OutsideServers.shared.value
        try await check.run(OutsideContext(transport: transport, servers: servers))
    }

    @Test func `the suite is as large as it says`() {
        #expect(OutsideCheck.all.count >= 60)
        #expect(Set(OutsideCheck.all.map(\.name)).count == OutsideCheck.all.count)
    }
}
