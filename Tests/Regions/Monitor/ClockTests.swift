import CaptureReader
import Testing

@testable import Regions

private let a = Beacon.iBeacon(1, 1)
private let s = second

/// SEMANTICS 1 (the capture clock) and 2 (profiles): when things are decided.
@Suite struct ClockTests {
  @Test("A sighting is handled at max(its time, clock), and L and event times use that")
  func backwardClock() throws {
    let lines = try Telling(regions: [lobby]).lines([
      .record(0), .record(50 * s), .sees(20 * s, a), .sees(10 * s, a), .record(80 * s),
      .record(80 * s + 1), .end(),
    ])
    #expect(lines == ["30 lobby state outside", "50 lobby enter", "80 lobby exit last 50"])
  }

  @Test("A step backwards never moves the capture clock back")
  func clockStays() throws {
    let lines = try Telling(regions: [lobby]).lines([
      .sees(0, a), .sees(25 * s, a), .record(5 * s), .sees(6 * s, a), .record(55 * s),
      .record(55 * s + 1), .end(),
    ])
    #expect(lines == ["0 lobby state inside", "55 lobby exit last 25"])
  }

  @Test("A record without a time takes the clock's")
  func untimed() throws {
    let lines = try Telling(regions: [lobby]).lines([
      .record(0), .record(40 * s), .untimed(a), .record(71 * s),
    ])
    #expect(lines == ["30 lobby state outside", "40 lobby enter", "70 lobby exit last 40"])
    let monitor = try Telling(regions: [lobby]).perform([.untimed(a), .sees(0, a)])
    #expect(monitor.unplaced == 1)
  }

  @Test("All region state is kept per (observer, region)")
  func observersAreApart() throws {
    let lines = try Telling(regions: [lobby], observers: 2).lines([
      .record(0), .record(10 * s, observer: 1), .sees(12 * s, a), .sees(45 * s, a, observer: 1),
      .record(60 * s), .record(90 * s, observer: 1),
    ])
    #expect(
      lines.filter { $0.hasPrefix("0") }
        == ["0: 12 lobby state inside", "0: 42 lobby exit last 12"])
    #expect(
      lines.filter { $0.hasPrefix("1") } == [
        "1: 40 lobby state outside", "1: 45 lobby enter", "1: 75 lobby exit last 45",
      ])
  }

  @Test("a sighting is handled at max(its time, clock), whatever moved the clock")
  func quietRecordsMoveTheClock() throws {
    let lines = try Telling(regions: [lobby]).lines([
      .hears(0), .hears(296 * s / 10), .hears(304 * s / 10), .sees(299 * s / 10, a), .hears(31 * s),
    ])
    #expect(lines == ["30 lobby state outside", "30.4 lobby enter"])
  }

  @Test("Files that continue one another are one observer: state and clock go on across them")
  func rotatedFiles() throws {
    let lines = try Telling(regions: [lobby], observers: 2, names: ["phone", "phone"]).lines([
      .sees(0, a), .record(5 * s), .end(), .sees(20 * s, a, observer: 1),
      .record(51 * s, observer: 1),
    ])
    #expect(lines == ["0: 0 lobby state inside", "0: 50 lobby exit last 20"])
  }

  @Test("Past a profile's limit a region is not monitored; one event monitoring_failed names it")
  func limit() throws {
    let regions = (1...21).map { "r\($0)=ibeacon:\(lobbyUUID):\($0)" }
    let telling = Telling(regions: regions, profile: "core-location")
    let happenings: [Happening] = [
      .record(0), .sees(s, .iBeacon(20)), .sees(s, .iBeacon(21)), .record(31 * s),
    ]
    let lines = try telling.lines(happenings)
    #expect(lines.prefix(2) == ["0 r21 monitoring_failed", "1 r20 state inside"])
    #expect(lines.count == 1 + 1 + 19)
    #expect(try telling.perform(happenings).presence(in: 20, at: 0) == .unknown)
    // Without the limit it is.
    let site = try Telling(regions: regions).lines(happenings)
    #expect(site.contains("1 r21 state inside") && site.count == 2 + 19)
  }

  @Test("The limit of 20 counts circles and beacon regions together")
  func limitCountsCircles() throws {
    let circles = (1...20).map { "c\($0)=circle:52.5,13.4,50" }
    let lines = try Telling(regions: circles + [lobby], profile: "core-location").lines([
      .sees(0, a), .record(31 * s),
    ])
    #expect(lines == ["0 lobby monitoring_failed"])
    let monitor = try Telling(regions: [lobby] + circles, profile: "core-location").monitor()
    let monitored = (0..<UInt32(monitor.regionCount)).map { monitor.isMonitored($0) }
    #expect(monitored == Array(repeating: true, count: 20) + [false])
  }

  @Test(
    "Sightings outside the windows of a duty cycle are not seen; exits are tested at window ends")
  func dutyCycle() throws {
    let telling = Telling(
      regions: [lobby], profile: "abl-legacy",
      settings: ["scan_window=10", "scan_interval=100", "exit_after=10"])
    #expect(
      try telling.lines([
        .record(0), .sees(10 * s, a), .sees(50 * s, a), .sees(100 * s, a), .sees(105 * s, a),
        .sees(115 * s, a), .sees(150 * s, a), .record(209 * s), .record(210 * s),
      ]) == ["100 lobby enter", "210 lobby exit last 105"])
    #expect(
      try telling.lines([.record(0), .sees(50 * s, a), .record(109 * s)]) == [])
    #expect(
      try telling.lines([.record(0), .sees(50 * s, a), .record(110 * s)])
        == ["110 lobby state outside"])
  }

  @Test("Every number in a profile can be overridden, for all regions or for one")
  func overrides() throws {
    let telling = Telling(
      regions: [lobby, "quick=ibeacon:\(lobbyUUID),exit_after=5"], settings: ["exit_after=20"])
    #expect(
      try telling.lines([.sees(0, a), .record(60 * s)]) == [
        "0 lobby state inside", "0 quick state inside", "5 quick exit last 0",
        "20 lobby exit last 0",
      ])
    let listening = Telling(
      regions: [lobby, "phone=ibeacon:\(lobbyUUID),scan_window=1,scan_interval=10"])
    #expect(
      try listening.lines([.record(0), .sees(5 * s, a), .record(36 * s)])
        == ["5 lobby state inside", "31 phone state outside", "35 lobby exit last 5"])
  }

  @Test func contradictingNumbersOfARegionAreRefused() throws {
    let problem = #expect(throws: SettingProblem.self) {
      _ = try Telling(regions: [lobby + ",scan_window=1"]).perform([])
    }
    #expect(problem?.what.contains("region 'lobby': scan_window and scan_interval") == true)
  }

  @Test("Live the clock advances while nothing arrives")
  func live() throws {
    var monitor = try Telling(regions: [lobby]).monitor()
    var stage = Stage()
    stage.play([.sees(0, a)])
    stage.perform(for: &monitor, finishes: false)
    #expect(monitor.drain().map(\.type) == [])
    monitor.advance(observer: 0, to: Timestamp(nanoseconds: origin + 30 * s))
    #expect(monitor.drain().map(\.type) == [.state])
    monitor.advance(observer: 0, to: Timestamp(nanoseconds: origin + 30 * s + 1))
    monitor.markDisplayOn(at: Timestamp(nanoseconds: origin))
    monitor.finish()
    #expect(monitor.drain().map(\.type) == [.exit])
  }

  @Test func timesAtTheEndsOfTheScaleDoNotTrap() throws {
    let ends: [Int64] = [-origin, 0, .max - origin - 1, .max - origin]
    for (profile, cycle) in Profiles.all.map({ ($0.name, "0") }) + [("site", "0.000000001")] {
      for first in ends {
        for then in ends {
          let monitor = try Telling(
            regions: [lobby], profile: profile,
            settings: cycle == "0" ? [] : ["cycle=\(cycle)"]
          ).perform([
            .sees(first, a), .record(then), .sees(then, a), .end(),
          ])
          #expect(monitor.presence(in: 0, at: 0) == .inside, "\(profile) \(first) \(then)")
        }
      }
    }
  }
}
