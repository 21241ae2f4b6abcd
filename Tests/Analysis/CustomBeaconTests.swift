import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import Regions
import Testing

@testable import Analysis

/// What somebody's own decoders find, in a run.
@Suite struct CustomBeaconTests {
  /// Manufacturer data of 0499: a tag named after the first byte, the second is its field.
  private final class Tags: CustomDecoding {
    let interests = [CustomInterest(.company(0x0499), decoder: 0)]

    func decode(_ structure: CustomStructure) -> CustomBeacon? {
      guard structure.data.count == 2 else { return nil }
      return CustomBeacon(
        name: "tags", id: "\(structure.data[0])", fields: [("value", .int(Int(structure.data[1])))])
    }
  }

  private static func recording(_ name: String, _ tags: [(tag: UInt8, value: UInt8)]) -> Recording {
    var recording = Recording(name)
    for (place, tag) in tags.enumerated() {
      recording.hear(
        Payload.manufacturer(0x0499, [tag.tag, tag.value]), from: Address(7),
        at: Int64(place) * 100)
      recording.hear(Recording.iBeacon(1), from: Address(8), at: Int64(place) * 100 + 50)
    }
    return recording
  }

  private static func result(_ recordings: Recording...) throws -> AnalysisResult {
    var options = Analysis.Options()
    options.custom = Tags()
    options.follow = FollowSettings()
    var sink = NoSink()
    var analysis = Analysis(recordings.map(\.source), options: options)
    return try analysis.run(into: &sink)
  }

  @Test func theyAreListedLastAndHaveNoPower() throws {
    let one = Self.recording("one", [(3, 1), (3, 2), (4, 1)])
    let other = Self.recording("other", [(3, 1), (5, 200)])
    let beacons = try Self.result(one, other).statistics.summaries()
    #expect(
      beacons.map { beacons.text($0.identity) }.dropFirst() == ["tags:3", "tags:4", "tags:5"])
    #expect(beacons.map(\.kind) == [.iBeacon, .custom, .custom, .custom])
    #expect(beacons.map(\.sightings) == [5, 3, 1, 1])
    #expect(beacons.map { $0.power == nil } == [false, true, true, true])
  }

  /// Fails on data of three bytes, and is switched off by data of four.
  private final class Failing: CustomDecoding, @unchecked Sendable {
    let interests = [CustomInterest(.company(0x0499), decoder: 3)]
    private var isOff = false

    func decode(_ structure: CustomStructure) throws(CustomDecodingFailure) -> CustomBeacon? {
      isOff = isOff || structure.data.count == 4
      if isOff || structure.data.count == 3 { throw CustomDecodingFailure(isSwitchedOff: isOff) }
      return CustomBeacon(name: "tags", id: "\(structure.data[0])")
    }
  }

  /// A tag twice a second for twenty seconds, then what nobody can read for as long; an iBeacon all the time.
  @Test(arguments: [[3, 1, 1], [3, 1, 1, 1]] as [[UInt8]])
  func anExitBehindWhatCouldNotBeDecodedProvesNothing(_ odd: [UInt8]) throws {
    var recording = Recording("hall")
    for half in 0..<160 {
      let time = Int64(half) * 500
      if half < 80 {
        let data = half < 40 ? [3, 1] : odd
        recording.hear(Payload.manufacturer(0x0499, data), from: Address(7), at: time)
      }
      recording.hear(Recording.iBeacon(1), from: Address(8), at: time + 50)
    }
    var options = Analysis.Options()
    options.custom = Failing()
    var follow = FollowSettings()
    follow.regions = RegionList([
      Region(identifier: "tag", .text(.custom, "tags:3", isPrefix: false))
    ])
    options.follow = follow
    var sink = NoSink()
    var analysis = Analysis([recording.source], options: options)
    let events = try #require(try analysis.run(into: &sink).timeline).events
    let silences = events.compactMap(\.silence)
    #expect(silences.map(\.grade) == [.thin] && silences.map(\.unanswered) == [40])
  }

  @Test func withoutDecodersThereAreNone() throws {
    let beacons = try Analysis.result(Self.recording("one", [(3, 1)])).statistics.summaries()
    #expect(beacons.map(\.kind) == [.iBeacon])
  }

  /// A piece of work counts fields by itself: batches come and go.
  @Test func fieldsTravelWithTheirSightings() {
    let work = FollowWork()
    func add(_ values: [UInt64], _ fields: [CustomFields]) {
      let wholes = values.map { value in
        var draft = BeaconDraft(identity: BeaconIdentity(kind: .custom, count: 0, 0))
        draft.extra.0 = value
        return Sighting(
          of: draft, identity: 0, time: .none, frame: 1, index: 0, address: .none, observer: 0,
          rssi: -60, channel: 255, phy: .unknown)
      }
      let briefs = wholes.indices.map {
        BriefSighting(
          time: .none, frame: 1, transmitter: 0, whole: UInt32($0 + 1), rssi: -60)
      }
      work.add(
        briefs.span.extracting(droppingFirst: 1), wholes: wholes.span, fields, capture: 0,
        numbers: [UInt32]().span)
    }
    func values() -> [CustomValue?] {
      var found: [CustomValue?] = []
      work.withSightings { briefs, wholes in
        for place in briefs.indices {
          let number = Int(wholes[Int(briefs[place].whole) - 1].extra.0)
          found.append(number == 0 ? nil : work.customFields[number - 1][0].value)
        }
      }
      return found
    }
    // The first sighting is not handed on, nor are its fields.
    add([1, 2, 0, 3], [[("a", .int(1))], [("a", .int(2))], [("a", .flag(true))]])
    add([0, 1], [[("a", .text("x"))]])
    #expect(values() == [.int(2), nil, .flag(true), .text("x")])
    #expect(work.customFields.count == 3)
    work.removeAll()
    add([0, 1], [[("a", .number(0.5))]])
    #expect(values() == [.number(0.5)])
  }

  /// Repeats that come whole for somebody else do not change what is followed: a beacon that says one
  /// power and another.
  @Test func whatIsFollowedDoesNotDependOnWhatIsWishedForWhole() throws {
    var recording = Recording("hall")
    for step in 0..<400 {
      recording.hear(
        Recording.iBeacon(1, power: step % 2 == 0 ? -59 : -72), from: Address(8),
        at: Int64(step) * 500, rssi: Int8(-60 - step % 7))
      recording.hear(
        Recording.telemetry(millivolts: UInt16(2000 + step)), from: Address(8),
        at: Int64(step) * 500 + 1)
    }
    func timeline(_ wanted: TransmitterFilter?) throws -> String {
      var options = Analysis.Options()
      options.wanted = wanted
      var follow = FollowSettings()
      follow.wantsProximity = true
      follow.wantsLists = true
      options.follow = follow
      var sink = NoSink()
      var analysis = Analysis([recording.source], options: options)
      let result = try analysis.run(into: &sink)
      let timeline = try #require(result.timeline)
      var ranged: [String] = []
      timeline.ranged.forEach { ranged.append("\($0)") }
      #expect(ranged.count > 10)
      return "\(timeline.events) \(ranged) \(timeline.hints)"
    }
    #expect(try timeline(nil) == timeline(TransmitterFilter { _, _, _ in true }))
  }
}
