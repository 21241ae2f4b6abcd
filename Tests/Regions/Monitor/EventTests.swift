import CaptureReader
import FrameDecoder
import Testing

@testable import Beacons
@testable import Regions

private let a = Beacon.iBeacon(1, 1)
private let s = second

/// What events carry, and that nothing but their input decides about them.
@Suite struct EventTests {
  private static let happenings: [Happening] =
    [.record(0)] + (40..<60).map { .sees($0 * s, a) } + (60..<200).map { .hears($0 * s) } + [.end()]

  private func events(_ telling: Telling, _ happenings: [Happening] = Self.happenings) throws
    -> [RegionEvent]
  {
    var monitor = try telling.perform(happenings)
    return monitor.drain()
  }

  @Test("frames: enter: the first match; exit: the last one")
  func evidence() throws {
    let events = try events(Telling(regions: [lobby]))
    #expect(events.map(\.type) == [.state, .enter, .exit])
    #expect(events.map { $0.evidence?.frame } == [nil, 2, 21])
    #expect(events.map { $0.evidence?.transmitter } == [nil, 0, 0])
    #expect(events.map(\.state) == [.outside, .inside, .outside])
  }

  @Test func identifiersAreTheSameForTheSameInputAndSettings() throws {
    let first = try events(Telling(regions: [lobby]))
    #expect(try events(Telling(regions: [lobby])) == first)
    #expect(Set(first.map(\.id)).count == first.count)
  }

  @Test func identifiersDifferWithWhatMakesAnEvent() throws {
    let variants: [[RegionEvent]] = [
      try events(Telling(regions: [lobby])),
      try events(Telling(regions: [lobby + ",exit_after=29"])),
      try events(Telling(regions: [lobby], settings: ["near_up_to=3"])),
      try events(Telling(regions: [lobby], profile: "core-location")),
      try events(Telling(regions: ["hall" + lobby.dropFirst(5)])),
      try events(Telling(regions: [lobby], names: ["phone"])),
      try events(Telling(regions: [])),
    ]
    let all = variants.flatMap { $0 }.map(\.id)
    #expect(Set(all).count == all.count)
  }

  /// As in a recording that was cut into files otherwise.
  @Test func identifiersAreTheSameWhereverTheFramesLie() throws {
    let other = [Happening.record(0), .record(0)] + Self.happenings.dropFirst()
    let events = try events(Telling(regions: [lobby]))
    let moved = try self.events(Telling(regions: [lobby]), other)
    #expect(events.map { $0.evidence?.frame } != moved.map { $0.evidence?.frame })
    #expect(events.map(\.id) == moved.map(\.id))
  }

  @Test func regionsThatComeToBeHaveIdentifiersOfTheirOwn() throws {
    let beacons = [a, .iBeacon(1, 1, uuid: 8), .eddystone(namespace: 9)]
    let found = try events(
      Telling(regions: []), [.record(0)] + beacons.map { .sees(40 * s, $0) } + [.record(41 * s)])
    #expect(found.count == 6 && Set(found.map(\.id)).count == 6)
  }

  @Test func identifiersDoNotChangeFromVersionToVersion() {
    var identity = EventIdentity()
    identity.add("a")
    // FNV-1a of "a" is af63dc4c8601ec8c (draft-eastlake-fnv); then the end of a text.
    let text: UInt64 = 0xAF63_DC4C_8601_EC8C
    #expect(identity.value == (text ^ 0xFF) &* 0x100_0000_01B3)
  }

  @Test func runsMayBeCutAnywhere() throws {
    var stage = Stage()
    stage.play(Self.happenings)
    var whole = try Telling(regions: [lobby]).monitor()
    stage.perform(for: &whole)
    var pieces = try Telling(regions: [lobby]).monitor()
    let observer = pieces.addObserver(named: "o0")
    var drained: [RegionEvent] = []
    for item in stage.handed {
      switch item {
      case .note(let note): pieces.take(note, observer: observer)
      case .sighting(let sighting):
        pieces.take(
          [sighting].span, wholes: stage.wholes.span, capture: 0, numbers: [0].span,
          stage.transmitters, stage.identities, observers: [observer].span)
      }
      drained += pieces.drain()
    }
    pieces.finish()
    #expect(drained + pieces.drain() == whole.drain())
  }

  @Test("10 000 regions: each identity finds its own")
  func manyRegions() throws {
    let regions = (0..<10_000).map { "r\($0)=ibeacon:\(lobbyUUID):\($0 / 100):\($0 % 100)" }
    let happenings: [Happening] = stride(from: 0, to: 10_000, by: 777).map {
      .sees(Int64($0), .iBeacon($0 / 100, $0 % 100))
    }
    let lines = try Telling(regions: regions).lines(happenings)
    #expect(lines.count == happenings.count)
    #expect(lines.last?.hasSuffix("r9324 state inside") == true)
  }

  /// A million transmitters in as many regions must fit into memory.
  @Test func whatIsKeptOfEachIsSmall() {
    #expect(MemoryLayout<RegionMonitor.Row>.stride == 16)
    #expect(MemoryLayout<ObserverClock>.stride == 32)
    #expect(MemoryLayout<RegionLink>.stride <= 48)
    #expect(MemoryLayout<RegionState>.stride <= 128)
    #expect(MemoryLayout<DeadlineHeap<UInt32>.Entry>.stride == 16)
    #expect(MemoryLayout<RegionEvent>.stride <= 192)
    #expect(MemoryLayout<Silence>.size <= 112 && MemoryLayout<Visit>.stride <= 208)
  }

  @Test func whatLiesBackTooFarIsForgotten() {
    let always = DutyCycle(window: 0, interval: 0)
    var ear = Ear(always, start: 0, horizon: 30 * s, shortest: 30 * s)
    for moment in 0..<100_000 as Range<Int64> {
      ear.hear(at: moment * s)
      // What a silence may reach back to is still there.
      if moment > 30 {
        let from = (moment - 30) * s
        #expect(ear.heard(from: from, to: from + s) == from + s)
      }
    }
    #expect(ear.stretches.count < 150)
    #expect(ear.heard(from: 99_980 * s, to: 99_981 * s) == 99_981 * s)
    var activity = ObserverActivity(start: 0, duties: [always], horizon: 30 * s, shortest: s)
    for moment in 0..<1000 as Range<Int64> {
      activity.noteRecords(after: moment * 10 * s, at: (moment * 10 + 5) * s)
      activity.forget(at: (moment * 10 + 5) * s)
    }
    #expect(activity.recordGaps(from: 0, to: 9000 * s, atLeast: s) == (0, 0))
    #expect(activity.recordGaps(from: 9970 * s, to: 10_000 * s, atLeast: s) == (5 * s, 15 * s))
  }
}
