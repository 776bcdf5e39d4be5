#if ARTICLE_SAMPLES
    import Foundation
    import TrunklineTesting

    let tape = URL(fileURLWithPath: "/tape.har")
    let stubs = StubTransport()
    let clock = TestClock()
#endif
