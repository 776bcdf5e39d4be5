#if os(Linux)
    import Foundation

    extension NetworkPath.Interface {
        /// What the kernel's device tree says about a link.
        ///
        /// - Parameters:
        ///   - link: the link.
        ///   - root: `/sys/class/net`, or a copy for tests.
        init(_ link: LinuxNetwork.Link, root: String = "/sys/class/net") {
            // A name is one component of a path; anything else is none of the kernel's.
            guard !link.isLoopback, !link.name.isEmpty, link.name != ".", link.name != "..", !link.name.contains("/")
            else {
                self = link.isLoopback ? .loopback : .other
                return
            }
            let device = "\(root)/\(link.name)"
            let lines = (try? String(contentsOfFile: "\(device)/uevent", encoding: .utf8))?.split(separator: "\n") ?? []
            if lines.contains("DEVTYPE=wlan")
                || ["wireless", "phy80211"].contains(where: { exists("\(device)/\($0)") })
            {
                self = .wifi
            } else if lines.contains("DEVTYPE=wwan") {
                self = .cellular
            } else {
                self = link.hardware == ethernet ? .wired : .other
            }
        }
    }

    /// `ARPHRD_ETHER`
    private let ethernet: Int32 = 1

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
#endif
