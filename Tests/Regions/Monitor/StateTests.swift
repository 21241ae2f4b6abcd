import CaptureReader
import Testing

@testable import Regions

private let a = Beacon.iBeacon(1, 1)
private let b = Beacon.iBeacon(1, 2, address: 2)
private let other = Beacon.eddystone(namespace: 9)
private let s = second

/// SEMANTICS 2, sentence by sentence.
@Suite struct StateTests {
  @Test("A match at t ≤ t0 + P while unknown: state inside; no enter", arguments: [0, 12, 30])
  func insideAtTheStart(_ moment: Int64) throws {
    let lines = try Telling(regions: [lobby]).lines([.record(0), .sees(moment * s, a)])
    #expect(lines == ["\(moment) lobby state inside"])
  }

  @Test("No match by the time the clock passes t0 + P: outside at t0 + P")
  func outsideAtTheStart() throws {
    let telling = Telling(regions: [lobby])
    #expect(try telling.lines([.record(0), .record(30 * s)]) == [])
    #expect(
      try telling.lines([.record(0), .record(30 * s + 1)]) == ["30 lobby state outside"])
  }

  @Test("A match after t0 + P while unknown gives state(outside) at t0 + P, then enter")
  func lateFirstMatch() throws {
    let lines = try Telling(regions: [lobby]).lines([.record(0), .sees(30 * s + 1, a)])
    #expect(lines == ["30 lobby state outside", "30.000000001 lobby enter"])
  }

  @Test("Profile with enter_on_first_sight: a match while unknown gives enter and no state(inside)")
  func enterOnFirstSight() throws {
    for profile in ["android-beacon-library", "abl-legacy", "nearby-messages"] {
      let lines = try Telling(regions: [lobby], profile: profile).lines([
        .record(0), .sees(5 * s, a),
      ])
      #expect(lines == ["5 lobby enter"], "\(profile)")
    }
  }

  @Test("With cycle > 0 the determination outside is made at the first cycle end later than t0 + P")
  func outsideAtACycleEnd() throws {
    let telling = Telling(regions: [lobby], profile: "android-beacon-library")
    // 28 cycles of 1.1 s end at 30.8.
    #expect(try telling.lines([.record(0), .record(308 * s / 10 - 1)]) == [])
    #expect(
      try telling.lines([.record(0), .record(308 * s / 10)]) == ["30.8 lobby state outside"])
    // A cycle that ends exactly at t0 + P is not later than it.
    let even = Telling(regions: [lobby], settings: ["cycle=10"])
    #expect(try even.lines([.record(0), .record(39 * s)]) == [])
    #expect(try even.lines([.record(0), .record(41 * s)]) == ["40 lobby state outside"])
    // Until then the state is unknown: a match is no entry.
    #expect(try even.lines([.record(0), .sees(39 * s, a)]) == ["39 lobby state inside"])
  }

  @Test("outside and a match at t: inside, event enter with time t")
  func enter() throws {
    let lines = try Telling(regions: [lobby]).lines([.record(0), .sees(40 * s, a)])
    #expect(lines == ["30 lobby state outside", "40 lobby enter"])
  }

  @Test("A wildcard region enters at its first beacon and is left when no matching beacon remains")
  func wildcard() throws {
    let lines = try Telling(regions: [lobby]).lines([
      .record(0), .sees(40 * s, a), .sees(50 * s, b), .sees(60 * s, a), .sees(85 * s, b),
      .record(200 * s),
    ])
    #expect(
      lines == ["30 lobby state outside", "40 lobby enter", "115 lobby exit last 85"])
  }

  @Test("inside and the clock passes L + P (strictly): exit with time = L + P and last_seen = L")
  func exit() throws {
    let telling = Telling(regions: [lobby])
    let start: [Happening] = [.record(0), .sees(2 * s, a)]
    #expect(try telling.lines(start + [.record(32 * s)]) == ["2 lobby state inside"])
    #expect(
      try telling.lines(start + [.record(32 * s + 1)])
        == ["2 lobby state inside", "32 lobby exit last 2"])
    #expect(
      try telling.lines(start + [.sees(32 * s, a), .record(62 * s)]) == ["2 lobby state inside"])
  }

  @Test("With cycle > 0 the test is made only at the ends of scan cycles; time is that cycle's end")
  func exitAtACycleEnd() throws {
    let telling = Telling(regions: [lobby], profile: "abl-legacy")
    // L + P = 12; ten cycles end at 11, eleven at 12.1.
    #expect(
      try telling.lines([.record(0), .sees(2 * s, a), .record(121 * s / 10)])
        == ["2 lobby enter", "12.1 lobby exit last 2"])
    // A match before it only renews L, though it comes later than L + P.
    #expect(
      try telling.lines([
        .record(0), .sees(2 * s, a), .sees(121 * s / 10 - 1, a), .record(20 * s),
      ]) == ["2 lobby enter"])
  }

  @Test("At one instant, exits come before enters; among regions, in order of definition")
  func order() throws {
    let telling = Telling(regions: [
      "new=eddystone:00000000000000090000", "two=ibeacon:\(lobbyUUID):1:2",
      "one=ibeacon:\(lobbyUUID):1:1",
    ])
    let lines = try telling.lines([
      .record(0), .sees(10 * s, a), .sees(10 * s, b), .sees(40 * s, other), .record(41 * s),
    ])
    #expect(
      lines == [
        "10 two state inside", "10 one state inside", "30 new state outside",
        "40 two exit last 10", "40 one exit last 10", "40 new enter",
      ])
  }

  @Test("A sighting later than L + P first makes the exit, then the enter")
  func exitThenEnter() throws {
    let lines = try Telling(regions: [lobby]).lines([.sees(0, a), .sees(30 * s + 1, a)])
    #expect(
      lines == ["0 lobby state inside", "30 lobby exit last 0", "30.000000001 lobby enter"])
  }

  @Test("No event is made up at the end; a region still inside is reported open, with last_seen")
  func end() throws {
    let monitor = try Telling(regions: [lobby]).perform([
      .record(0), .sees(40 * s, a), .sees(45 * s, a), .record(70 * s), .end(),
    ])
    #expect(monitor.events.map(\.type) == [.state, .enter])
    let open = monitor.openVisits
    #expect(open.count == 1 && open[0].isOpen && open[0].sightings == 2)
    #expect(open.first?.lastSeen.nanoseconds == origin + 45 * s)
    #expect(monitor.visits.isEmpty)
  }

  @Test("unless the last record's time is later than L + P (then the exit was made)")
  func endBehindTheExit() throws {
    let lines = try Telling(regions: [lobby]).lines([
      .sees(0, a), .record(30 * s), .hears(30 * s + 1), .end(),
    ])
    #expect(lines == ["0 lobby state inside", "30 lobby exit last 0"])
  }

  @Test("notify_on_entry, notify_on_exit silence the event, not the state")
  func flags() throws {
    let happenings: [Happening] = [
      .record(0), .sees(40 * s, a), .record(80 * s), .sees(90 * s, a),
    ]
    #expect(
      try Telling(regions: [lobby + ",notify_on_entry=no"]).lines(happenings)
        == ["30 lobby state outside", "70 lobby exit last 40"])
    #expect(
      try Telling(regions: [lobby + ",notify_on_exit=no"]).lines(happenings)
        == ["30 lobby state outside", "40 lobby enter", "90 lobby enter"])
    let both = try Telling(regions: [lobby + ",notify_on_entry=no,notify_on_exit=no"])
      .perform(happenings)
    #expect(both.presence(in: 0, at: 0) == .inside)
    #expect(both.visits.count == 1 && both.openVisits.count == 1)
  }

  @Test("The entry is delivered at the next display_on marker while inside, once per entry")
  func display() throws {
    var telling = Telling(
      regions: [lobby + ",notify_entry_state_on_display=yes"],
      markers: [35 * s, 45 * s, 50 * s, 100 * s, 140 * s])
    let happenings: [Happening] = [
      .record(0), .sees(40 * s, a), .record(80 * s), .sees(95 * s, a), .sees(120 * s, a),
      .record(200 * s),
    ]
    let expected = [
      "30 lobby state outside", "45 lobby enter crossed 40", "70 lobby exit last 40",
      "100 lobby enter crossed 95", "150 lobby exit last 120",
    ]
    #expect(try telling.lines(happenings) == expected)
    telling.regions = [lobby + ",notify_entry_state_on_display=yes,notify_on_entry=no"]
    #expect(try telling.lines(happenings) == expected)
    // Left before the display was switched on: never told. Inside from the start: no entry.
    telling.markers = [20 * s, 90 * s]
    #expect(
      try telling.lines([.sees(0, a), .record(31 * s), .sees(40 * s, a), .record(100 * s)])
        == ["0 lobby state inside", "30 lobby exit last 0", "70 lobby exit last 40"])
  }

  @Test func aMarkerJustBeforeACycleEndFindsTheEntryStillThere() throws {
    let telling = Telling(
      regions: [lobby + ",notify_entry_state_on_display=yes"], settings: ["cycle=10"],
      markers: [80 * s - 1, 80 * s])
    #expect(
      try telling.lines([.record(0), .sees(41 * s, a), .record(80 * s), .record(90 * s)]) == [
        "40 lobby state outside", "79.999999999 lobby enter crossed 41", "80 lobby exit last 41",
      ])
  }

  @Test("A region's state may be asked for at any time: inside, outside, unknown")
  func asking() throws {
    let telling = Telling(regions: [lobby])
    #expect(try telling.perform([.record(0)]).presence(in: 0, at: 0) == .unknown)
    #expect(try telling.perform([.sees(0, a)]).presence(in: 0, at: 0) == .inside)
    #expect(
      try telling.perform([.record(0), .record(31 * s)]).presence(in: 0, at: 0) == .outside)
    #expect(try telling.perform([]).presence(in: 0, at: 0) == .unknown)
  }
}
