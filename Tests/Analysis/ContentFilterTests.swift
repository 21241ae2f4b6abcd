import CaptureReader
import FrameDecoder
import FrameEncoder
import Regions
import Testing

@testable import Analysis

/// Android's content filter: whom the controller does not report may be there all the same.
@Suite("Android's content filter")
struct ContentFilterTests {
  private static let turnOn: [UInt8] = [0, 1]
  private static let turnOff: [UInt8] = [0, 0]
  private static let delete: [UInt8] = [1, 1, 1]
  private static let clear: [UInt8] = [1, 2, 0]

  /// - Parameter features: what is compared; 0: nothing.
  private static func add(_ features: UInt8, index: UInt8 = 1, rssi: UInt8 = 0x80) -> [UInt8] {
    [1, 0, index, features, 0, 0x11, 0x11, 1, rssi, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  }

  /// What the exit of a beacon is worth that was heard twice a second for a minute, and somebody else all the time.
  /// - Parameter orders: commands that succeed when the beacon is heard last.
  private static func silence(
    _ orders: [[UInt8]], status: UInt8 = 0, scansBefore: Bool = true
  ) throws -> Silence {
    var hall = Recording("hall")
    if scansBefore { hall.scan(filtersDuplicates: false, interval: 60, window: 60, at: 0) }
    for half in Int64(0)..<120 { Self.hear(&hall, half, isThere: true) }
    for order in orders { hall.contentFilter(order, status: status, at: 60_000) }
    if !scansBefore { hall.scan(filtersDuplicates: false, interval: 60, window: 60, at: 60_001) }
    for half in Int64(121)..<240 { Self.hear(&hall, half, isThere: false) }
    let timeline = try hall.timeline(exitAfter: 10)
    return try #require(timeline.outcomes[0].stays.compactMap(\.visit.silence).first)
  }

  private static func hear(_ hall: inout Recording, _ half: Int64, isThere: Bool) {
    if isThere { hall.hear(Recording.iBeacon(1), from: Address(0xC000_0000_0001), at: half * 500) }
    hall.hear(Recording.eddystone, from: Address(0xC000_0000_0002), at: half * 500 + 100)
  }

  @Test("an exit is thin where others alone are let through, also where the scan begins behind it")
  func hides() throws {
    for isBefore in [true, false] {
      let silence = try Self.silence([Self.add(0x20), Self.turnOn], scansBefore: isBefore)
      #expect(silence.grade == .thin && silence.listedOnly > 9_000_000_000, "\(isBefore)")
    }
    #expect(try Self.silence([Self.turnOn, Self.add(0, rssi: 0xC4)]).grade == .thin)
  }

  @Test(
    "an exit is what it is where everybody is let through, or the filter is off, or nothing is known of it"
  )
  func passes() throws {
    let orders: [[[UInt8]]] = [
      [], [Self.add(0), Self.turnOn], [Self.add(0x20), Self.add(0, index: 2), Self.turnOn],
      [Self.add(0x20)], [Self.add(0x20), Self.turnOn, Self.turnOff], [Self.turnOn],
      [Self.turnOn, Self.add(0x20), Self.delete], [Self.turnOn, Self.add(0x20), Self.clear],
      [Self.turnOn, [1, 0, 1]], [[6, 0, 1, 0x4C, 0, 2, 0x15], Self.turnOn],
    ]
    for order in orders {
      let silence = try Self.silence(order)
      #expect(silence.grade == .gone && silence.listedOnly == 0, "\(order)")
    }
  }

  @Test("answers are those of their commands, also where one is missing, and a reset forgets all")
  func lostAnswers() throws {
    for subcommand: UInt8? in [0, 1, 6, nil] {
      var hall = Recording("hall")
      hall.scan(filtersDuplicates: false, interval: 60, window: 60, at: 0)
      for half in Int64(0)..<120 { Self.hear(&hall, half, isThere: true) }
      if let subcommand {
        hall.contentFilter([subcommand, 0, 9, 0, 0, 0, 0, 0, 0x80, 0], status: nil, at: 40_000)
      }
      for order in [Self.add(0x20), Self.turnOn] { hall.contentFilter(order, at: 60_000) }
      for half in Int64(121)..<240 { Self.hear(&hall, half, isThere: false) }
      let timeline = try hall.timeline(exitAfter: 10)
      #expect(timeline.outcomes[0].stays[0].visit.silence?.grade == .thin, "\(subcommand ?? 99)")
    }
  }

  @Test("it makes no other scan: what duplicates were filtered stays so, and none begins")
  func goesOn() throws {
    var hall = Recording("hall")
    hall.scan(filtersDuplicates: true, interval: 60, window: 60, at: 0)
    for half in Int64(0)..<240 {
      Self.hear(&hall, half, isThere: half < 120)
      if half == 60 {
        for order in [Self.add(0x20), Self.turnOn, Self.clear] {
          hall.contentFilter(order, at: 30_000)
        }
      }
    }
    let result = try Analysis.result(hall)
    #expect(result.captures[0].observers[0].scan.windows.count == 1)
    let timeline = try hall.timeline(exitAfter: 10)
    #expect(
      timeline.observers[0].switches.count == 1 && timeline.observers[0].filteredScans.count == 1)
  }

  @Test("where the scan's beginning was not captured it holds as well")
  func unseenScan() throws {
    var hall = Recording("hall")
    for half in Int64(0)..<240 {
      Self.hear(&hall, half, isThere: half < 120)
      if half == 120 {
        for order in [Self.add(0x20), Self.turnOn] { hall.contentFilter(order, at: 60_000) }
      }
    }
    let timeline = try hall.timeline(exitAfter: 10)
    #expect(timeline.outcomes[0].stays[0].visit.silence?.grade == .thin)
  }

  /// Beacons for two minutes.
  /// - Parameter orders: what is told before a half second.
  private static func scan(
    _ orders: [Int64: [[UInt8]]], scansAt begins: [Int64]
  ) throws -> ScanState {
    var hall = Recording("hall")
    for half in Int64(0)..<240 {
      for order in orders[half] ?? [] { hall.contentFilter(order, at: half * 500) }
      if begins.contains(half) {
        hall.scan(filtersDuplicates: false, interval: 60, window: 60, at: half * 500)
      }
      Self.hear(&hall, half, isThere: true)
    }
    return try Analysis.result(hall).captures[0].observers[0].scan
  }

  @Test("each scan has for how long of it the filter was on, also one whose beginning was not seen")
  func windows() throws {
    let s: Int64 = 1_000_000_000
    let on = [Self.add(0x20), Self.turnOn]
    let scan = try Self.scan([60: on, 200: [Self.turnOff]], scansAt: [0, 120])
    #expect(scan.windows.map(\.contentFiltered) == [30 * s, 40 * s])
    #expect(scan.windows.map(\.listedOnly) == [30 * s, 40 * s])
    #expect(scan.contentFiltered == 70 * s && scan.listedOnly == 70 * s)
    let before = try Self.scan([0: on], scansAt: [20, 120])
    #expect(before.windows.map { $0.contentFiltered == $0.listening } == [true, true, true])
    let unseen = try Self.scan([60: on, 80: [Self.clear]], scansAt: [])
    #expect(unseen.windows.map(\.contentFiltered) == [10 * s])
    #expect(try Self.scan([60: [Self.turnOn]], scansAt: [0]).contentFiltered == 0)
  }

  @Test("a command that failed changes nothing")
  func failed() throws {
    #expect(try Self.silence([Self.add(0x20), Self.turnOn], status: 1).grade == .gone)
  }
}
