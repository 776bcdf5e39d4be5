import Foundation
import TestSupport
import TrunklineHTTP
import TrunklineTesting

// Measures what a process holds, for tests: in theirs, others open and close things at the same time. The first
// argument is the measurement; the findings are printed as `name value` lines, without those the system does not tell.

switch CommandLine.arguments.dropFirst().first {
case "servers": try LoopbackMeasurements.comeAndGo()
case "connections": try await LoopbackMeasurements.manyConnections()
case "multipart": try await MultipartMeasurement.run()
case "transport": try await TransportMeasurement.run()
case "dates": DateMeasurement.run()
case "queue": try await QueueMeasurement.run(isLimited: true)
case "in-flight": try await QueueMeasurement.run(isLimited: false)
#if os(Linux)
    case "reachability": try await ReachabilityMeasurement.run()
#endif
case "exit" where CommandLine.arguments.count == 4:
    guard let url = URL(string: CommandLine.arguments[2]) else { exit(64) }
    try await ExitMeasurement.run(url: url, roots: URL(fileURLWithPath: CommandLine.arguments[3]))
case "exit-sockets" where CommandLine.arguments.count == 4:
    try await SocketExitMeasurement.run(
        url: CommandLine.arguments[2], roots: URL(fileURLWithPath: CommandLine.arguments[3]))
case "download" where CommandLine.arguments.count == 6:
    guard let url = URL(string: CommandLine.arguments[2]) else { exit(64) }
    try await DownloadMeasurement.run(
        url: url, directory: URL(fileURLWithPath: CommandLine.arguments[3]),
        target: URL(fileURLWithPath: CommandLine.arguments[4]), onURLSession: CommandLine.arguments[5] == "URLSession")
case "upload" where CommandLine.arguments.count == 5:
    guard let url = URL(string: CommandLine.arguments[2]) else { exit(64) }
    try await UploadMeasurement.run(
        url: url, file: URL(fileURLWithPath: CommandLine.arguments[3]),
        onURLSession: CommandLine.arguments[4] == "URLSession")
case "cache-hammer" where CommandLine.arguments.count == 5:
    await CacheHammer.run(
        directory: URL(fileURLWithPath: CommandLine.arguments[2]), seed: UInt64(CommandLine.arguments[3]) ?? 0,
        rounds: Int(CommandLine.arguments[4]) ?? 0)
case "cache-verify" where CommandLine.arguments.count == 3:
    await CacheHammer.verify(directory: URL(fileURLWithPath: CommandLine.arguments[2]))
case "cache-large" where CommandLine.arguments.count == 4:
    try await CacheMeasurement.run(
        directory: URL(fileURLWithPath: CommandLine.arguments[2]), megabytes: Int(CommandLine.arguments[3]) ?? 0)
case "cache-full" where CommandLine.arguments.count == 3:
    try await FullDiskMeasurement.run(directory: URL(fileURLWithPath: CommandLine.arguments[2]))
default:
    let usage = """
        ResourceProbe servers|connections|multipart|transport|dates|queue|in-flight|reachability|exit URL ROOTS|\
        exit-sockets URL ROOTS
        ResourceProbe download URL DIRECTORY FILE libcurl|URLSession
        ResourceProbe upload URL FILE libcurl|URLSession
        ResourceProbe cache-hammer DIRECTORY SEED ROUNDS
        ResourceProbe cache-verify|cache-full DIRECTORY
        ResourceProbe cache-large DIRECTORY MEGABYTES

        """
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}
