import Testing

@testable import Exports

@Suite("The line of status of a live run") struct LiveStatusTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let width: Int
    let line: String
    let status: LiveStatus
    var testDescription: String { "\(name), \(width) columns" }

    init(_ name: String, _ width: Int, _ line: String, _ change: (inout LiveStatus) -> Void) {
      self.name = name
      self.width = width
      self.line = line
      var status = LiveStatus()
      status.name = "bluetooth0"
      change(&status)
      self.status = status
    }
  }

  static let well: @Sendable (inout LiveStatus) -> Void = {
    $0.time = "10:04:05"
    $0.rate = 1234
    $0.beacons = 31
    $0.alerts = 2
    $0.inside = ["hall", "yard"]
    $0.recording = "site.pcapng"
    $0.recorded = 12_345_678
  }

  static let cases = [
    Case("nothing came", 80, "bluetooth0  0/s  0 beacons  inside nothing") { _ in },
    Case(
      "all is well", 120,
      "bluetooth0  10:04:05  1 234/s  → site.pcapng 12 MB  2 alerts  31 beacons  inside hall, yard",
      well),
    Case(
      "all is well", 80,
      "bluetooth0  10:04:05  1 234/s  → site.pcapng 12 MB  2 alerts  31 beacons  insi…", well),
    Case("all is well", 40, "bluetooth0  10:04:05  1 234/s  → site.…", well),
    Case("one of each", 80, "bluetooth0  1/s  1 alert  1 beacon  inside hall") {
      ($0.rate, $0.beacons, $0.alerts, $0.inside) = (1, 1, 1, ["hall"])
    },
    // What is wrong stands before what may be cut.
    Case("packets are lost", 40, "bluetooth0  10:04:05  1 234/s  4 321 L…") {
      well(&$0)
      $0.lost = 4321
    },
    Case(
      "packets are lost", 80,
      "bluetooth0  10:04:05  1 234/s  4 321 LOST  → site.pcapng 12 MB  2 alerts  31 b…"
    ) {
      well(&$0)
      $0.lost = 4321
    },
    Case("more are lost than an Int holds", 40, "bluetooth0  0/s  9223372036854.8 M LOS…") {
      $0.lost = .max
    },
    Case(
      "the controller has gone", 80,
      "bluetooth0  10:04:05  NOT CAPTURING  31 beacons  inside nothing"
    ) {
      ($0.time, $0.rate, $0.beacons, $0.isOff) = ("10:04:05", 17, 31, true)
    },
    Case(
      "the controller is down", 80, "bluetooth0  CONTROLLER DOWN  0 beacons  inside nothing"
    ) {
      ($0.isOff, $0.isDown, $0.remark) = (true, true, "NOT SCANNING")
    },
    Case(
      "the disk is full", 80,
      "bluetooth0  0/s  NOT RECORDED: no space left on device  0 beacons  inside noth…"
    ) {
      $0.recording = "site.pcapng"
      $0.recordingProblem = "no space left on device"
    },
    Case(
      "receivers fail, and take long", 90,
      "bluetooth0  0/s  3 NOT DELIVERED  7 alerts, 2 on the way  0 beacons  inside nothing"
    ) {
      ($0.alerts, $0.undelivered, $0.waiting) = (7, 3, 2)
    },
    Case("nothing scans", 80, "bluetooth0  0/s  NOT SCANNING  0 beacons  inside nothing") {
      $0.remark = "NOT SCANNING"
    },
    Case(
      "long names, and many", 120,
      "bluetooth0  0/s  0 beacons  inside the grea…e north, yard, attic and 2 more"
    ) {
      $0.inside = ["the great hall of the north", "yard", "attic", "cellar", "roof"]
    },
    Case(
      "a name that would move the cursor", 80,
      #"a\u{1b}[2Jb  0/s  0 beacons  inside c\u{a}d"#
    ) {
      $0.name = "a\u{1B}[2Jb"
      $0.inside = ["c\nd"]
    },
    Case("no width at all", 0, "…") { _ in },
  ]

  @Test("says the most important first, and fits", arguments: cases)
  func line(_ example: Case) {
    let line = example.status.line(example.width)
    #expect(line == example.line)
    // The last column stays free.
    #expect(line.count < max(2, example.width))
  }
}
