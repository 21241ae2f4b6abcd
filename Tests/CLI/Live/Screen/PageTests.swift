import Foundation
import Testing

/// Whole pages, as a person sees them.
@Suite("The page of a screen", .timeLimit(.minutes(60)))
struct PageTests {
  private static let page = """
    still.btsnoop  0/s

    BEACONS  4, by name                                                the last 44 s
      Eddystone-UID 0102…090a:01020…0506        –        now  ·····················?
      iBeacon 2f23…ffa6:1:1               -45 dBm        now  ·····················█
      iBeacon 2f23…ffa6:1:2               -70 dBm        now  ·····················▅
      iBeacon 2f23…ffa6:1:3               -93 dBm        now  ·····················▁

    REGIONS  inside 3
      hall    inside for 0 ms
      yard    inside for 0 ms
      Café    inside for 0 ms
      cellar  not known yet

    EVENTS
    2026-05-19 UTC
    d67b5fae7b560fcf  10:00:00.000  state      hall    inside
    f01a784e0d7f1b2f  10:00:00.000  state      yard    inside
    9cd46f0b113f748b  10:00:00.000  state      Café    inside




    q end   / filter   s sort   space hold   ? help
    """
  private static let narrow = """
    still.btsnoop  0/s

    BEACONS  4, by name                            the last 16 s
      Eddystone-UID …:010203040506        –        now  ·······?
      iBeacon 2f23…ffa6:1:1         -45 dBm        now  ·······█
      iBeacon 2f23…ffa6:1:2         -70 dBm        now  ·······▅
      iBeacon 2f23…ffa6:1:3         -93 dBm        now  ·······▁

    REGIONS  inside 3
      hall    inside for 0 ms
      yard    inside for 0 ms
      Café    inside for 0 ms
      cellar  not known yet

    EVENTS
    2026-05-19 UTC
    d67b5fae7b560fcf  10:00:00.000  state      hall    inside
    f01a784e0d7f1b2f  10:00:00.000  state      yard    inside
    9cd46f0b113f748b  10:00:00.000  state      Café    inside
    q end   / filter   s sort   space hold   ? help
    """
  private static let wide = """
    still.btsnoop  0/s

    BEACONS  4, by name                                                                                  the last 2 min 00 s
      Eddystone-UID 0102…090a:010203040506        –        now  ···························································?
      iBeacon 2f23…ffa6:1:1                 -45 dBm        now  ···························································█
      iBeacon 2f23…ffa6:1:2                 -70 dBm        now  ···························································▅
      iBeacon 2f23…ffa6:1:3                 -93 dBm        now  ···························································▁

    REGIONS  inside 3
      hall    inside for 0 ms
      yard    inside for 0 ms
      Café    inside for 0 ms
      cellar  not known yet

    EVENTS
    2026-05-19 UTC
    d67b5fae7b560fcf  10:00:00.000  state      hall    inside
    f01a784e0d7f1b2f  10:00:00.000  state      yard    inside
    9cd46f0b113f748b  10:00:00.000  state      Café    inside




















    q end   / filter   s sort   space hold   ? help
    """
  private static let tiny = """
    still.btsnoop  0/s
    BEACONS  1–2 of 4, …
      Eddy…506        –…
      iBea…1:1  -45 dBm…
    q end   / filter   …
    """

  @Test("fills the terminal, whatever its size becomes")
  func sizes() throws {
    let run = try StillScene().run()
    try run.wait(for: "80 by 24") { $0.shows(Self.page) }
    let others = [(60, 20, Self.narrow), (120, 40, Self.wide), (20, 5, Self.tiny)]
    for (columns, rows, page) in others + [(80, 24, Self.page)] {
      run.resize(columns: columns, rows: rows)
      try run.wait(for: "\(columns) by \(rows)") { $0.shows(page) }
    }
  }

  @Test("is whole again where a terminal became small and large before anything was drawn")
  func thereAndBack() throws {
    let run = try StillScene().run()
    try run.wait(for: "the page") { $0.shows(Self.page) }
    run.resize(columns: 20, rows: 5)
    run.resize(columns: 80, rows: 24)
    try run.wait(for: "the page again") { $0.shows(Self.page) }
  }

  @Test("has names of any letters in its columns")
  func letters() throws {
    let run = try StillScene().run(regions: ["展示室", "cafe\u{301}", "ガイド 🦖", "cellar"])
    try run.wait(for: "all regions") { terminal in
      terminal.lines.contains { $0.hasPrefix("  cellar") }
        && terminal.lines.contains { $0.contains("ガイド 🦖  inside") }
    }
    let terminal = run.terminal
    for name in ["展示室", "cafe\u{301}", "ガイド 🦖", "cellar"] {
      let row = try #require(terminal.lines.firstIndex { $0.hasPrefix("  \(name)") })
      let state = name == "cellar" ? "not known yet" : "inside"
      #expect(terminal.column(of: state, in: row) == 13, "\(name)")
    }
    for name in ["展示室", "cafe\u{301}", "ガイド 🦖"] {
      let row = try #require(
        terminal.lines.firstIndex { $0.contains("state      \(name)") }, "\(terminal.lines)")
      #expect(terminal.column(of: "inside", in: row) == 54, "\(name)")
    }
    #expect(terminal.faults.isEmpty)
  }

  @Test("follows the keys: help, a filter, another order, and all as before")
  func keys() throws {
    let run = try StillScene().run()
    func row(_ number: Int, _ text: String) throws {
      try run.wait(for: text) { $0.lines.count > number && $0.still[number] == text }
    }
    try run.wait(for: "the page") { $0.shows(Self.page) }
    run.type("?")
    try row(2, "KEYS")
    try row(23, "q end   / filter   s sort   space hold   ? help")
    run.type("?/ha")
    try row(23, "/ha▏  Enter keeps it, Esc takes it away")
    try row(3, "  none with this text")
    try row(6, "  hall  inside for 0 ms")
    run.type("\r")
    try row(23, "q end   only \"ha\" (Esc: all)   s sort   space hold   ? help")
    run.type("\u{1B}")
    try run.wait(for: "all again") { $0.shows(Self.page) }
    run.type("s")
    try row(3, "  iBeacon 2f23…ffa6:1:1               -45 dBm        now  ·····················█")
    run.type(" ")
    try row(23, "q end   / filter   s sort   space go on   ? help")
    try row(0, "HELD  still.btsnoop  0/s")
    run.type(" ssss")
    try run.wait(for: "all as before") { $0.shows(Self.page) }
    #expect(run.terminal.faults.isEmpty)
  }
}
