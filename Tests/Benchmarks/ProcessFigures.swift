import TrunklineHTTP

/// What the system says about this process.
enum ProcessFigures {
    /// Seconds of user and system time so far, those of ended children included.
    static var cpuSeconds: Double {
        var total = 0.0
        for kind in kinds {
            var usage = rusage()
            getrusage(kind, &usage)
            total += seconds(usage.ru_utime) + seconds(usage.ru_stime)
        }
        return total
    }

    #if canImport(Glibc)
        private static let kinds = [__rusage_who_t(RUSAGE_SELF.rawValue), __rusage_who_t(RUSAGE_CHILDREN.rawValue)]
    #else
        private static let kinds = [RUSAGE_SELF, RUSAGE_CHILDREN]
    #endif

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// The most memory held so far, in kilobytes; 0 where that can't be read.
    static var peakMemory: Int { status("VmHWM:") }

    /// The memory held now, in kilobytes.
    static var memory: Int { status("VmRSS:") }

    /// The threads now.
    static var threads: Int { status("Threads:") }

    private static func status(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return Int(line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }.first ?? "") ?? 0
    }
}
