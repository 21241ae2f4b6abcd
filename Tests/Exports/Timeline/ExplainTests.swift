import Analysis
import CaptureReader
import FrameDecoder
import Testing
import TrackReader

@testable import Exports
@testable import Regions

@Suite struct ExplainTests {
  private static let bytes: [UInt8] =
    [0x04, 0x3E, 0x2A, 0x02, 0x01, 0x03, 0x01, 0x50, 0x25, 0x30, 0x33, 0x35, 0xC2, 0x1E]
    + [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15]
    + [0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89]
    + [0x3E, 0, 1, 0, 7, 0xC5, 0xA5]

  static let frame = EvidenceFrame(
    capture: "site.pcapng", frame: 21877, time: TimelineScene.time(351), rssi: -91,
    address: DeviceAddress(0xC235_3330_2550, .random), bytes: bytes, dataRange: 14..<44,
    measuredPower: -59)

  private static func exit(_ scene: inout TimelineScene, _ silence: Silence) -> TimelineEvent {
    var event = scene.event(.exit, 381)
    (event.state, event.lastSeen, event.silence) = (.outside, TimelineScene.time(351), silence)
    event.transmitter = scene.beacon
    event.evidence = [TimelineScene.evidence]
    return event
  }

  private static func text(
    _ scene: TimelineScene, _ event: TimelineEvent, width: Int = 80,
    frames: [EvidenceFrame] = [frame]
  ) -> String {
    ExplainText(width: width).lines(
      Explanation(event, scene.names, frames: frames, captures: [])
    ).joined(separator: "\n")
  }

  @Test("What a profile passes over as it has no RSSI may have come, where there was any")
  func exitOfAProfileThatAsksForAnRSSI() throws {
    var scene = try TimelineScene(profiles: [Profiles.androidBeaconLibrary])
    let event = Self.exit(&scene, TimelineScene.gone)
    #expect(Self.text(scene, event).contains("nothing from this region for 30.000 s"))
    scene.timeline.hints = [("sightings_without_rssi", "5 of 20 sightings have no RSSI")]
    let text = Self.text(scene, event).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("nothing from this region that had an RSSI for 30.000 s"))
  }

  @Test func aDeafExitFromTheFrameToTheGrade() throws {
    var scene = try TimelineScene()
    scene.timeline.observers[0].deaf = [
      Timeline.Span(from: TimelineScene.time(352), to: TimelineScene.time(422))
    ]
    let event = Self.exit(
      &scene,
      TimelineScene.silence(.deaf, scanOff: 29_000_000_000, chance: (351_000_000, 0.11, 1e-20)))
    let expected = """
      exit of lobby at 2026-05-19 10:06:21.000 UTC by observer hci0 (profile site,
        exit after 30 s)
        region                   ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7
        last matching sighting   frame 21 877 of site.pcapng, 10:05:51.000, −91 dBm,
                                 ibeacon f782…893e:1:7 from c2:35:33:30:25:50
            04 3e 2a 02 01 03 01 50 25 30 33 35 c2 1e 02 01 06 1a ff 4c 00 02 15 f7 82
                                 address──────────                               uuid─
            6d a6 4f a2 4e 98 80 24 bc 5b 71 e0 89 3e 00 01 00 07 c5 a5
            uuid───────────────────────────────────── major minor
        then                     nothing from this region for 30.000 s, the limit is
                                 30 s; by loss alone, p < 10⁻⁶ (usual interval 350 ms,
                                 loss 11 %), if each packet is lost by itself
        was anyone heard?        no advertiser at all after 10:05:51.000, until
                                 10:06:21.000
        was the radio listening? no: the scan was off for 29.000 s of that time; deaf
                                 10:05:52.000–10:07:02.000
        therefore                deaf: this exit says nothing about the beacon
        numbers used             exit_after 30 s, cycle 0 s, scan_window 0 s,
                                 scan_interval 0 s, enter_on_first_sight no, limit
                                 none, smoothing trimmed, ignore_unknown_rssi no,
                                 ranging_period 1 s, distance_model path-loss,
                                 path_loss_exponent 2.0, immediate_below 0.5 m,
                                 near_up_to 4.0 m, cushion 10.0 m, dwell 20 s,
                                 max_radius none
        event id                 20c4e81f0b37a9d2
      """
    #expect(Self.text(scene, event) == expected)
  }

  @Test(arguments: [
    (
      TimelineScene.gone,
      ["yes, last at 10:01:00.000", "as far as is known", "gone: the radio heard others"]
    ),
    (
      TimelineScene.silence(.thin, heard: 360),
      [
        "too few sightings of those heard last", "yes, last at 10:06:00.000",
        "thin: the beacon may have gone",
      ]
    ),
    (
      TimelineScene.silence(.deaf, gap: 70_000_000_000),
      ["nothing was recorded for 70.000 s", "deaf: this exit says nothing"]
    ),
  ])
  func theGradeFollowsFromWhatWasHeard(silence: Silence, words: [String]) throws {
    var scene = try TimelineScene()
    let text = Self.text(scene, Self.exit(&scene, silence), width: 300)
    for word in words { #expect(text.contains(word), "\(word)") }
  }

  @Test func anEntryNamesWhatWasKnownBefore() throws {
    var scene = try TimelineScene()
    var event = scene.event(.enter, 400)
    event.state = .inside
    #expect(
      Self.text(scene, event, width: 200).contains("never inside since this observer's first"))
    scene.stay(from: 100, until: 200)
    scene.stay(from: 400, until: nil)
    #expect(
      Self.text(scene, event, width: 200).contains(
        "last seen at 10:02:50.000, left at 10:03:20.000"))
  }

  @Test func theFirstSightIsAnEntryWhereTheProfileSaysSo() throws {
    var scene = try TimelineScene(profiles: [Profiles.androidBeaconLibrary])
    var event = scene.event(.enter, 40)
    event.state = .inside
    #expect(Self.text(scene, event, width: 200).contains("takes the first sight for an entry"))
    scene.outside(after: 31)
    #expect(Self.text(scene, event, width: 200).contains("the state was outside"))
  }

  @Test func whenExitsAreTestedIsSaid() throws {
    var profile = Profiles.ablLegacy
    for (settings, words) in [
      ([], "10 s and it is tested at the end of each cycle of 1.1 s"),
      (
        ["scan_window=10", "scan_interval=300"],
        "10 s and it is tested at the end of each scan window, every 300 s"
      ),
    ] {
      profile = try profile.with(settings.map { try ProfileOverride(parsing: $0) })
      var scene = try TimelineScene(profiles: [profile])
      let event = Self.exit(&scene, TimelineScene.gone)
      #expect(Self.text(scene, event, width: 300).contains(words))
    }
  }

  @Test func aCircleNamesItsBoundary() throws {
    let scene = try TimelineScene(regions: ["park=circle:52.52,13.405,50"])
    for type in [TimelineEventType.enter, .exit] {
      var event = scene.event(type, 100)
      event.crossedAt = TimelineScene.time(79.5)
      let text = Self.text(scene, event, width: 300)
      #expect(text.contains("at 10:01:19.500; told 20.500 s later"))
      #expect(text.contains("a cushion of 10.0 m (on entry at most half the radius) for 20 s"))
    }
  }

  /// Metres north of the centre, and what the receiver says of its error.
  @Test(
    arguments: [
      (
        [(50.4, 300), (25, 300)],
        "each of the 2 positions lies nearer to the border than its error, and 300.0 m is more than the circle's "
          + "radius of 50.0 m: on which side of the border the observer was is not certain"
      ),
      (
        [(52, 4.5), (30, 4.5)],
        "1 of the 2 positions lies nearer to the border than its error: on which side of the border the observer "
          + "was is not certain"
      ),
      (
        [(50, 0.5)],
        "the position lies nearer to the border than its error: on which side of the border the observer was is "
          + "not certain"
      ),
      ([(200, 60), (20, 4)], "an error of 60.0 m is more than the circle's radius of 50.0 m"),
      ([(52, 1.5), (30, 4.5)], nil), ([(52, 0), (30, nil)], nil),
    ] as [([(Double, Double?)], String?)])
  func aPositionSaysItsError(_ fixes: [(Double, Double?)], _ told: String?) throws {
    let scene = try TimelineScene(regions: ["park=circle:52.52,13.405,50"])
    var event = scene.event(.enter, 100)
    event.crossedAt = TimelineScene.time(79.5)
    event.fixes = fixes.enumerated().map { place, fix in
      Fix(
        time: TimelineScene.time(70 + 10 * Double(place)), latitude: 52.52 + fix.0 / 111_195.08,
        longitude: 13.405, accuracy: fix.1)
    }
    let text = Self.text(scene, event, width: 300)
    #expect(text.contains("accuracy") == (told != nil), "\(text)")
    if let told { #expect(text.contains(told), "\(text)") }
    for error in fixes.compactMap(\.1) {
      #expect(text.contains("border, with an error of \(error) m") == (error > 0), "\(text)")
    }
  }

  @Test func theFirstStateIsNoEntry() throws {
    let scene = try TimelineScene()
    var event = scene.event(.state, 10)
    event.state = .inside
    #expect(Self.text(scene, event, width: 200).contains("no boundary was seen to be crossed"))
    event.state = .outside
    #expect(
      Self.text(scene, event, width: 200).contains("no match within 30 s of the first record"))
  }

  @Test func aNumberOfTheRegionsOwnIsTheOneUsed() throws {
    let scene = try TimelineScene(
      regions: ["a=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e,exit_after=10"])
    let text = Self.text(scene, scene.event(.enter), width: 300)
    #expect(text.contains("exit after 10 s)"))
    #expect(text.contains("exit_after 10 s (this region), cycle 0 s"))
  }

  @Test func aChangeOfProximityShowsItsNumbers() throws {
    let scene = try TimelineScene()
    var event = scene.event(.proximity)
    (event.from, event.to, event.rssi) = (.near, .far, -80.25)
    event.distance = Distance(metres: 11.2, interval: 8...15.5)
    event.transmitter = scene.beacon
    event.evidence = [TimelineScene.evidence]
    let text = Self.text(scene, event, width: 200)
    for word in [
      "near → far", "−80.3 dBm (smoothing trimmed)", "−59 dBm at 1 m", "11 m (8.0–16)",
      "immediate below 0.5 m, near up to 4.0 m", "zone far",
    ] { #expect(text.contains(word), "\(word)") }
  }

  @Test func aFrameThatIsNotAtHandIsNamedAllTheSame() throws {
    var scene = try TimelineScene()
    let text = Self.text(scene, Self.exit(&scene, TimelineScene.gone), width: 200, frames: [])
    #expect(text.contains("frame 21 877 of site.pcapng, which cannot be read again"))
  }

  @Test(arguments: [1, 60, 61, 75, 80, 121, 300])
  func noLineIsLongerThanTheWidth(width: Int) throws {
    var scene = try TimelineScene()
    scene.timeline.regions[0].identifier = String(repeating: "r", count: 150)
    var events = EventsTests.all(&scene).map(\.0)
    events.append(Self.exit(&scene, TimelineScene.gone))
    for event in events {
      let lines = ExplainText(width: width).lines(
        Explanation(event, scene.names, frames: [Self.frame], captures: []))
      #expect(lines.map(\.count).max() ?? 0 <= max(60, width), "\(event.type.rawValue)")
      #expect(lines.contains { $0.contains("20c4e81f0b37a9d2") })
    }
  }
}

@Suite struct MarkedBytesTests {
  private static func lines(_ count: Int, width: Int, _ marks: [(String, Range<Int>)]) -> [String] {
    MarkedBytes(
      bytes: (0..<count).map { UInt8($0) },
      marks: marks.map { MarkedBytes.Mark(name: $0, range: $1) }
    ).lines(width: width)
  }

  @Test func namesStandUnderTheirFirstByte() {
    #expect(
      Self.lines(6, width: 40, [("id", 1..<3), ("power", 4..<5)])
        == ["00 01 02 03 04 05", "   id───    power"])
  }

  @Test func namesThatWouldCoverEachOtherTakeAnotherRow() {
    #expect(
      Self.lines(4, width: 40, [("power", 1..<2), ("rssi", 2..<3)])
        == ["00 01 02 03", "   power", "      rssi"])
  }

  @Test func aFieldGoesOnInTheNextRow() {
    #expect(
      Self.lines(5, width: 8, [("uuid", 1..<5)])
        == ["00 01 02", "   uuid─", "03 04", "uuid─"])
  }

  @Test(arguments: 2...50)
  func neverWider(width: Int) {
    let lines = Self.lines(60, width: width, [("measured_power", 0..<60), ("x", 59..<60)])
    #expect(lines.allSatisfy { $0.count <= max(width, 2) })
  }

  @Test func anIdentityIsLookedForInTheAdvertisingDataAlone() throws {
    let scene = try TimelineScene()
    let sender = scene.names.sender(scene.beacon)
    var frame = ExplainTests.frame
    frame.bytes = sender.bytes + [9] + sender.bytes
    frame.dataRange = 21..<41
    #expect(frame.marked(sender).marks.map(\.range) == [21..<37, 37..<39, 39..<41])
    frame.dataRange = nil
    #expect(frame.marked(sender).marks.map(\.range) == [0..<16, 16..<18, 18..<20])
    frame.dataRange = 30..<99
    #expect(frame.marked(sender).marks.isEmpty)
  }
}
