import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Testing

@testable import Exports
@testable import Regions

@Suite struct TimelineTextTests {
  static func museum() throws -> TimelineScene {
    var scene = try TimelineScene(
      observers: [("hci0", 0, 871)],
      regions: [
        "lobby=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
        "exhibit A=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:9",
        "staff=eddystone:edd1ebeac04e5defa017",
      ])
    let near = NearestApproach(
      time: TimelineScene.time(20), transmitter: 0,
      distance: Distance(metres: 0.83, interval: 0.51...1.31))
    scene.stay(from: 0, until: 192, already: true, sightings: 1612, nearest: near)
    scene.stay(
      1, from: 161, until: 381, silence: TimelineScene.silence(.deaf, scanOff: 29_000_000_000))
    scene.stay(from: 689, until: nil)
    for region in 1...2 { scene.outside(region, after: 30) }
    scene.timeline.observers[0].deaf = [
      Timeline.Span(from: TimelineScene.time(352), to: TimelineScene.time(422))
    ]
    scene.timeline.hints = [("one_uuid", "region 'lobby' is entered by every beacon of its UUID.")]
    scene.timeline.warnings = ["region 'lobby' is defined twice\u{7}"]
    return scene
  }

  @Test("The nearest beacon is named by what tells it from the others of its region")
  func nearestBeacon() throws {
    let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
    let iBeacon = EventNames.Sender(
      address: .none, kind: .iBeacon, bytes: Array(repeating: 0xF7, count: 16) + [0, 1, 0, 7])
    func name(_ region: String) throws -> String? { iBeacon.name(in: try Region.parse(region)) }
    #expect(try name("a=ibeacon:\(uuid)") == "1:7")
    #expect(try name("a=ibeacon:\(uuid):1") == "1:7")
    #expect(try name("a=ibeacon:\(uuid):1:7") == nil)
    #expect(try name("a=address:c2:35:33:30:25:50") == "iBeacon f7f7…f7f7:1:7")
    let uid = EventNames.Sender(
      address: .none, kind: .eddystoneUID,
      bytes: [0xED, 0xD1, 0xEB, 0xEA, 0xC0, 0x4E, 0x5D, 0xEF, 0xA0, 0x17, 0, 0, 0, 0, 0, 2])
    #expect(try uid.name(in: Region.parse("a=eddystone:edd1ebeac04e5defa017")) == "000000000002")
  }

  @Test func barsVisitsAndHintsStandInOrder() throws {
    let expected = """

      REGIONS   profile site, exit after 30 s
                                       10:00           10:05           10:10
      lobby      2 visits, 6 min 14 s  ██████████░░░░░░░░░▒▒▒▒░░░░░░░░░░░░░░█████████▶
      exhibit A  1 visit, 3 min 40 s   ··░░░░░░░██████████▓▓▒▒░░░░░░░░░░░░░░░░░░░░░░░░
      staff      never                 ··░░░░░░░░░░░░░░░░░▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░░
        █ inside  ▓ inside as last known, receiver deaf  ░ outside  ▒ receiver deaf
        · unknown  ▶ still inside at the end

      VISITS    2026-05-19, UTC
      10:00:00  lobby      already inside  → left 10:03:12, gone            3 min 12 s
                1 612 sightings, last 10:02:42; nearest 0.8 m (0.5–1.3)
      10:02:41  exhibit A  entered         → left 10:06:21, deaf            3 min 40 s
                12 sightings, last 10:05:51; not able to hear: the scan was off for
                29 s of the exit period, no advertiser was heard
      10:11:29  lobby      entered         → still inside                   3 min 02 s
                12 sightings, last 10:11:30, 3 min 01 s before the end
        already inside: heard within an exit period of the beginning; nobody was seen
          to come
        gone: others were heard, and one who stays is silent for so long at one
          sighting in twenty at most: no proof by itself; deaf: it says nothing, the
          radio may not have heard
        nearest: by the signal, as in free sight, and by its scatter alone; walls and
          bodies make it seem farther

      ABOUT THE REGIONS
        ! region 'lobby' is defined twice\\u{7}.
        ! region 'lobby' is entered by every beacon of its UUID.
      """
    let told = try Self.museum().text().joined(separator: "\n")
    #expect(told == expected)
  }

  @Test(arguments: [1, 40, 41, 47, 53, 60, 72, 80, 100, 133, 250])
  func noLineIsLongerThanTheWidth(width: Int) throws {
    var scene = try Self.museum()
    scene.timeline.regions[1].identifier = String(repeating: "wide name ", count: 20)
    scene.timeline.regions[2].identifier = String(repeating: "x", count: 300)
    scene.timeline.hints.append(("long", String(repeating: "y", count: 300)))
    var other = Timeline.Outcome(profile: Profiles.androidBeaconLibrary)
    other.states = scene.timeline.outcomes[0].states
    scene.timeline.outcomes.append(other)
    var second = scene.timeline.observers[0]
    second.name = String(repeating: "observer", count: 9)
    for observers in 1...3 {
      if observers > 1 {
        scene.timeline.observers.append(second)
        scene.stay(1, at: observers - 1, from: 50, until: 90_000)
      }
      let lines = scene.text(width: width)
      let longest = lines.max { $0.count < $1.count } ?? ""
      #expect(longest.count <= max(width, 40), "\(longest)")
      // Bars in full are there at every width.
      #expect(lines.contains { $0.contains("██") })
    }
  }

  @Test func theSiteIsOccupiedWhileAnyObserverIsInside() throws {
    var scene = try TimelineScene(observers: [("north", 0, 600), ("south", 300, 600)])
    scene.stay(at: 0, from: 100, until: 330)
    scene.stay(at: 1, from: 310, until: 400)
    scene.outside(at: 0, after: 30)
    let lines = scene.text().filter { $0.contains("░") && !$0.contains("inside") }
    #expect(
      lines
        == [
          "lobby    occupied 5 min 00 s  ··░░░░░░█████████████████████████░░░░░░░░░░░░░░░░░",
          "  north  1 visit, 3 min 50 s  ··░░░░░░████████████████████░░░░░░░░░░░░░░░░░░░░░░",
          "  south  1 visit, 1 min 30 s                           ·███████░░░░░░░░░░░░░░░░░",
        ])
  }

  @Test func theSiteIsInsideAsLastKnownOnlyWhereNobodyHears() throws {
    var scene = try TimelineScene(observers: [("north", 0, 600), ("south", 0, 600)])
    scene.stay(at: 0, from: 100, until: 400)
    scene.stay(at: 1, from: 250, until: 300)
    for observer in [0, 1] { scene.outside(at: observer, after: 30) }
    scene.timeline.observers[0].deaf = [
      .init(from: TimelineScene.time(200), to: TimelineScene.time(500))
    ]
    let told = scene.text()
    #expect(
      told.filter { $0.contains("██") }
        == [
          "lobby    occupied 5 min 00 s  ··░░░░░░█████████▓▓▓▓████▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░",
          "  north  1 visit, 5 min 00 s  ··░░░░░░█████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒░░░░░░░░",
          "  south  1 visit, 50 s        ··░░░░░░░░░░░░░░░░░░░████░░░░░░░░░░░░░░░░░░░░░░░░░",
        ])
    #expect(told.joined().contains("▓ inside as last known, receiver deaf"))
    scene.timeline.observers[0].deaf = []
    #expect(!scene.text().joined().contains("▓"))
  }

  /// North has it, and hears nothing from 200 s to 400 s; south never hears it.
  private static func deafNorth(_ more: [(Double, Double)] = []) throws -> TimelineScene {
    var scene = try TimelineScene(observers: [("north", 0, 600), ("south", 0, 600)])
    scene.stay(at: 0, from: 100, until: 230, silence: TimelineScene.silence(.deaf))
    for observer in [0, 1] { scene.outside(at: observer, after: 30) }
    scene.timeline.observers[0].deaf = ([(200, 400)] + more).map {
      .init(from: TimelineScene.time($0.0), to: TimelineScene.time($0.1))
    }
    return scene
  }

  /// What holds at seconds.
  private static func site(_ scene: TimelineScene, _ seconds: Double...) -> [StateLine.State] {
    let line = PresenceHistory(scene.timeline, profile: 0).siteLine(0)
    return seconds.compactMap { second in
      let time = TimelineScene.time(second).nanoseconds
      return line?.parts.first { $0.span.from <= time && time < $0.span.to }?.state
    }
  }

  @Test("The site is not known to be outside while whoever had it inside is deaf")
  func theSiteIsNotKnownBehindADeafExit() throws {
    var scene = try Self.deafNorth()
    #expect(
      scene.text(all: true).filter { $0.contains("░░") }
        == [
          "lobby    occupied 2 min 10 s  ··░░░░░░█████████▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░",
          "  north  1 visit, 2 min 10 s  ··░░░░░░█████████▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░",
          "  south  never                ··░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
        ])
    // Another one has it, and heard it go: north may have it all the same.
    scene.stay(at: 1, from: 300, until: 350)
    #expect(Self.site(scene, 290, 320, 360, 410) == [.deaf, .inside, .deaf, .outside])
    // North heard it go.
    var heard = try Self.deafNorth()
    heard.timeline.outcomes[0].stays = []
    heard.stay(at: 0, from: 100, until: 190)
    #expect(Self.site(heard, 180, 195, 300) == [.inside, .outside, .outside])
  }

  @Test("The site is known to be outside once whoever had it inside could hear for an exit period")
  func theSiteIsKnownOnceItWasListenedFor() throws {
    let scene = try Self.deafNorth([(410, 430), (440, 460), (475, 500)])
    #expect(
      Self.site(scene, 405, 420, 435, 450, 480)
        == [.outside, .deaf, .outside, .deaf, .outside])
    // What it had inside again is not what it lost.
    var back = try Self.deafNorth([(430, 450)])
    back.stay(at: 0, from: 405, until: 420)
    #expect(Self.site(back, 300, 403, 410, 440) == [.deaf, .outside, .inside, .outside])
  }

  @Test func observersThatSawNothingTakeNoRows() throws {
    var scene = try TimelineScene(
      observers: (0..<8).map { ("radio \($0)", 0, 600) },
      regions: ["a=url:https://a.example/", "b=url:https://b.example/"])
    for observer in 0..<6 { scene.stay(1, at: observer, from: 100, until: 330) }
    scene.stay(0, at: 2, from: 50, until: 90)
    let lines = scene.text()
    #expect(lines.filter { $0.hasPrefix("  radio 2") }.count == 2)
    #expect(lines.filter { $0.hasPrefix("  radio 5") }.count == 1)
    #expect(lines.contains("  5 others  no visit"))
    #expect(lines.contains("  without any visit: radio 6, radio 7 (--all)"))
    #expect(scene.text(all: true).filter { $0.hasPrefix("  radio 7") }.count == 2)
  }

  @Test func theOnlyObserverWithVisitsNeedsNoSiteLine() throws {
    var scene = try TimelineScene(observers: [("system", 0, 600), ("hci0", 0, 600)])
    scene.stay(at: 1, from: 100, until: 330)
    let lines = scene.text()
    #expect(lines.contains { $0.hasPrefix("lobby  1 visit, 3 min 50 s  ") })
    #expect(lines.contains("  without any visit: system (--all)"))
    #expect(!lines.contains { $0.contains("occupied") })
  }

  @Test func aStayInACircleHasNoSightings() throws {
    var scene = try TimelineScene(regions: ["park=circle:52.52,13.405,50"])
    scene.timeline.outcomes[0].stays = [
      Timeline.Stay(
        visit: Visit(
          inCircle: 0, observer: 0, since: TimelineScene.time(60), wasInsideAlready: false,
          until: TimelineScene.time(120)), nearest: nil)
    ]
    let lines = scene.text()
    #expect(lines.contains { $0.hasPrefix("10:01:00  park  entered         → left 10:02:00  ") })
    #expect(!lines.contains { $0.contains("sighting") })
  }

  /// A stay goes on where positions are missing because nobody saw its end: nobody knows.
  @Test func aStayInACircleIsNotKnownWithoutPositions() throws {
    var scene = try TimelineScene(
      observers: [("hci0", 0, 600)], regions: ["park=circle:52.52,13.405,50"])
    scene.timeline.outcomes[0].stays = [
      Timeline.Stay(
        visit: Visit(
          inCircle: 0, observer: 0, since: TimelineScene.time(0), wasInsideAlready: true,
          until: .none), nearest: nil)
    ]
    let bar = { (scene: inout TimelineScene) in
      try #require(scene.text().first { $0.hasPrefix("park") }).filter { "█·▶".contains($0) }
    }
    #expect(try !bar(&scene).contains("·"))
    scene.timeline.observers[0].unplaced = [
      Timeline.Span(from: TimelineScene.time(300), to: TimelineScene.time(600))
    ]
    let half = try bar(&scene)
    #expect(half.prefix(half.count / 2 - 1).allSatisfy { $0 == "█" }, "\(half)")
    #expect(half.suffix(half.count / 2 - 1).allSatisfy { $0 == "·" }, "\(half)")
    let visit = scene.text().joined(separator: "\n")
    #expect(visit.contains("park  already inside  → not known"), "\(visit)")
    #expect(visit.contains("no position from 10:05:00 on"))
    // Of a beacon's region no position says anything.
    var beacons = try TimelineScene(observers: [("hci0", 0, 600)])
    beacons.stay(from: 0, until: 600)
    beacons.timeline.observers[0].unplaced = scene.timeline.observers[0].unplaced
    #expect(!beacons.text().contains { $0.hasPrefix("lobby") && $0.contains("·") })
  }

  @Test func aShortVisitShows() throws {
    var scene = try TimelineScene(observers: [("hci0", 0, 36_000)])
    scene.stay(from: 7000, until: 7001)
    scene.outside(after: 30)
    let bar = try #require(scene.text().first { $0.hasPrefix("lobby") })
    #expect(bar.filter { $0 == "█" }.count == 1)
  }

  @Test func longListsAreCutUnlessAllIsAskedFor() throws {
    var scene = try TimelineScene(
      regions: (0..<50).map { "r\($0)=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:\($0)" })
    for place in 0..<45 { scene.stay(place, from: Double(place), until: Double(place) + 40) }
    let cut = scene.text()
    #expect(cut.filter { $0.contains("→ left") }.count == 40)
    #expect(cut.contains("  …5 more (--all)"))
    #expect(cut.contains("  …10 more (--all)"))
    let all = scene.text(all: true)
    #expect(all.filter { $0.contains("→ left") }.count == 45)
    #expect(!all.contains { $0.contains("--all") })
  }

  @Test func anotherDayIsSaid() throws {
    var scene = try TimelineScene(observers: [("hci0", 0, 200_000)])
    scene.stay(from: 50_000, until: 51_000)
    scene.stay(from: 90_000, until: 180_000)
    let lines = scene.text()
    #expect(lines.contains("2026-05-20"))
    #expect(lines.contains { $0.contains("→ left 2026-05-21 12:00:00, gone") })
  }

  @Test(arguments: [
    (TimelineScene.silence(.deaf, gap: 72_000_000_000), "nothing was recorded for 1 min 12 s"),
    (TimelineScene.silence(.deaf, heard: 1, scanOff: 9_000_000_000), "the scan was off for 9 s"),
    (
      TimelineScene.silence(
        .deaf, heard: 1, scanOff: 10_000_000, listedOnly: 29_000_000_000),
      "told to (its list, a filter) for 29 s, the scan was off for 10 ms"
    ),
    (TimelineScene.silence(.thin, heard: 1), "too few sightings of those heard last"),
    (
      TimelineScene.silence(.thin, heard: 1, chance: (1_000_000_000, 0.93, 0.12)),
      "likely by loss alone, p = 0.12 (usual interval 1.0 s, loss 93 %)"
    ),
  ])
  func anExitThatProvesLittleSaysWhy(silence: Silence, reason: String) throws {
    var scene = try TimelineScene()
    scene.stay(from: 100, until: 200, silence: silence)
    let text = scene.text(width: 200).joined(separator: "\n")
    #expect(text.contains(", \(silence.grade.rawValue)"))
    #expect(text.contains(reason))
  }

  @Test func nothingSeenAndNoTimesAreSaid() throws {
    var scene = try TimelineScene(regions: [])
    #expect(scene.text().contains { $0.contains("none: no iBeacon") })
    scene = try TimelineScene()
    scene.timeline.observers[0].start = .none
    #expect(scene.text().contains("  no record has a time"))
    #expect(TimelineScene.emptyText().isEmpty)
  }

  @Test func aRegionPastTheLimitIsNotMonitored() throws {
    var profile = Profiles.coreLocation
    profile.limit = 1
    let scene = try TimelineScene(
      regions: ["a=ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e", "b=url:https://b.example/"],
      profiles: [profile])
    let line = try #require(scene.text().first { $0.hasPrefix("b ") })
    #expect(line.contains("not monitored"))
    #expect(line.contains("···") && !line.contains("░"))
  }
}

extension TimelineScene {
  static func emptyText() -> [String] {
    TimelineText(style: Style(colour: false), showsAll: false, width: nil).lines(
      EventNames(Timeline(), captures: [], statistics: BeaconStatistics()))
  }
}

@Suite struct ProfileDifferencesTests {
  private static func scene() throws -> TimelineScene {
    var scene = try TimelineScene(profiles: [Profiles.site, Profiles.ablLegacy])
    scene.outside(after: 30)
    scene.outside(profile: 1, after: 10)
    scene.stay(from: 100, until: 200)
    scene.stay(profile: 1, from: 100, until: 180)
    return scene
  }

  @Test func whereAndForHowLongProfilesDisagree() throws {
    let lines = try Self.scene().text()
    let start = try #require(lines.firstIndex { $0.hasPrefix("PROFILES") })
    #expect(
      Array(lines[start...]) == [
        "PROFILES   abl-legacy (exit after 10 s, cycles of 1.1 s) beside site",
        "  lobby: differ for 40 s in 2 spans",
        "    10:00:10–10:00:30  lobby: site unknown, abl-legacy outside",
        "    10:03:00–10:03:20  lobby: site inside, abl-legacy outside",
      ])
  }

  @Test func agreementIsSaid() throws {
    var scene = try TimelineScene(profiles: [Profiles.site, Profiles.coreLocation])
    for profile in 0...1 {
      scene.outside(profile: profile, after: 30)
      scene.stay(profile: profile, from: 100, until: 200)
    }
    #expect(scene.text().contains("  Their states agree all the time, in every region."))
  }

  @Test func spansBeyondTwentyAreCounted() throws {
    var scene = try TimelineScene(profiles: [Profiles.site, Profiles.ablLegacy])
    for place in 0..<25 {
      scene.stay(from: Double(place) * 20 + 40, until: Double(place) * 20 + 50)
      scene.stay(profile: 1, from: Double(place) * 20 + 40, until: Double(place) * 20 + 45)
    }
    for profile in 0...1 { scene.outside(profile: profile, after: 10) }
    let lines = scene.text()
    #expect(lines.contains("  lobby: differ for 2 min 05 s in 25 spans"))
    #expect(lines.filter { $0.contains("abl-legacy outside") }.count == 20)
    #expect(lines.contains("  …5 more (--all)"))
  }

  @Test("who is known to be outside from an earlier run is outside from the start")
  func outsideFromStart() throws {
    var scene = try TimelineScene()
    scene.outside(after: 30)
    let unknown = PresenceHistory(scene.timeline, profile: 0)
    #expect(unknown.line(0, at: 0, deafness: .everywhere)?.parts.first?.state == .unknown)
    scene.timeline.outcomes[0].outsideFromStart = [
      (observer: 0, region: 0, time: TimelineScene.time(0))
    ]
    let known = PresenceHistory(scene.timeline, profile: 0)
    #expect(known.line(0, at: 0, deafness: .everywhere)?.parts.map(\.state) == [.outside])
  }
}
