import CaptureReader
import Regions
import Testing
import TrackReader

@testable import Analysis

/// What is restored beside regions of beacons.
@Suite("After a restart, beside regions of beacons")
struct RestartOfOthersTests {
  typealias Heard = Restarting.Heard

  private static func messages(_ contents: String...) throws -> [BeaconMessage] {
    try contents.enumerated().map { minor, content in
      BeaconMessage(
        beacon: try MessageBeacon(
          "ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:\(minor + 1)"), namespace: "n", type: "t",
        content: .text(content))
    }
  }

  @Test("a message is not found again, and lost when it truly is")
  func messages() throws {
    var part = try Restarting("none=url:http://none/")
    part.settings.messages = try Self.messages("one", "two")
    let heard = [Heard(at: 1, minor: 1), Heard(at: 2, minor: 2), Heard(at: 10, minor: 9)]
    let first = try part.run(heard)
    #expect(first.events == ["message_found one 1.0", "message_found two 2.0"])
    let later = try part.run(
      Restarting.mixed(Restarting.others(50...100), [Heard(at: 60, minor: 2)]), after: first.state)
    #expect(
      later.events.filter { $0.hasPrefix("message") } == [
        "message_lost one 80.0 last 1.0 uncited", "message_lost two 90.0 last 60.0",
      ])
    #expect(
      later.told == [
        "hci0: goes on with the saved state (profile site): inside 0 of 0 regions, 2 messages within "
          + "reach"
      ])
    // Still within reach of nobody's sighting: what the next run is given is when it truly was seen.
    let short = try part.run([Heard(at: 50, minor: 9)], after: first.state)
    #expect(
      short.state?.profiles[0].observers[0].messages.map { Restarting.seconds($0.lastSeen) }
        == [1, 2])
    // Another text is another message.
    part.settings.messages = try Self.messages("other", "two")
    let changed = try part.run(
      [Heard(at: 50, minor: 1), Heard(at: 51, minor: 2)], after: first.state)
    #expect(changed.events == ["message_found other 50.0"])
  }

  /// North at 5 m/s through a circle of 115 m around the place of second 100.
  private static func walking(_ option: String = "") throws -> Restarting {
    let points = stride(from: 0, through: 200, by: 10).map { second in
      let time = "2026-05-19T10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
      let latitude = 52.5 + Double(second) * 5 / 111_195
      return "<trkpt lat=\"\(latitude)\" lon=\"13.4\"><time>\(time)</time></trkpt>"
    }
    let text =
      "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"t\" "
      + "xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>" + points.joined()
      + "</trkseg></trk></gpx>"
    var part = try Restarting("yard=circle:\(52.5 + 500 / 111_195.0),13.4,115\(option)")
    part.settings.tracks = [try TrackReader.read(Array(text.utf8), name: "walk.gpx")]
    return part
  }

  @Test("a circle is crossed as in the run as a whole", arguments: [20, 60, 105, 115, 150, 190])
  func circle(_ cut: Int) throws {
    let part = try Self.walking()
    let heard = Restarting.others(0...200)
    let whole = try part.run(heard)
    #expect(
      whole.events.map { $0.prefix { $0 != " " } } == ["state(outside)", "enter", "exit"])
    let first = try part.run(heard.filter { $0.at < Double(cut) })
    let second = try part.run(heard.filter { $0.at >= Double(cut) }, after: first.state)
    #expect(first.events + second.events == whole.events)
    let stays = whole.timeline.outcomes[0].stays.map(\.visit)
    if (100..<145).contains(cut) {
      #expect(second.timeline.outcomes[0].stays.map(\.visit) == stays)
    }
  }

  @Test("a circle is not crossed sooner where the stay beyond it was interrupted")
  func dwell() throws {
    let part = try Self.walking()
    let first = try part.run(Restarting.others(0...90))
    #expect(first.events.count == 1)
    let second = try part.run(Restarting.others(91...200), after: first.state)
    // 20 s from the beginning of the run, not from the boundary.
    #expect(second.events.first == "enter yard 111.0")
  }

  @Test("an entry that waits for the display is told at the next marker, of circles too")
  func display() throws {
    for (var part, heard, cut) in [
      (
        try Restarting(Restarting.hall + ",notify_entry_state_on_display=yes"),
        Restarting.mixed(
          Restarting.others(0...160), (50...160).map { Heard(at: Double($0) + 0.5, minor: 2) }),
        100.0
      ),
      (
        try Self.walking(",notify_entry_state_on_display=yes"), Restarting.others(0...160), 105.0
      ),
    ] {
      part.settings.displayMarkers = [
        Timestamp(nanoseconds: (Recording.start + 120_000) * 1_000_000)
      ]
      let whole = try part.run(heard)
      let first = try part.run(heard.filter { $0.at < cut })
      let second = try part.run(heard.filter { $0.at >= cut }, after: first.state)
      #expect(first.events.count == 1, "\(first.events)")
      #expect(
        second.events.first?.hasPrefix("enter \(part.settings.regions.regions[0].identifier) 120.0")
          == true)
      #expect(second.events.count == whole.events.count - 1)
      #expect(second.timeline.events[0].crossedAt == whole.timeline.events[1].crossedAt)
    }
  }

  @Test("a judge is told the states, as of regions that keep their events back")
  func judge() throws {
    var part = try Restarting(
      Restarting.lobby, Restarting.hall, "yard=circle:0,0,100")
    let first = try part.run(
      Restarting.mixed(
        Restarting.others(0...40), [Heard(at: 39, minor: 1), Heard(at: 1, minor: 2)]))
    #expect(first.events.last == "enter lobby 39.0")
    let log = JudgeLog()
    part.settings.judge = log
    let later = try part.run(Restarting.others(45...50), after: first.state)
    #expect(later.events == [])
    #expect(
      log.lines.filter { $0.contains("state") } == [
        "silenced state hall outside 45.000 at hci0", "silenced state lobby inside 45.000 at hci0",
      ])
  }
}
