import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import Regions
import TestSupport
import Testing

@Suite struct JudgeOrderTests {
  static let one = Address(1, isRandom: true)
  static let two = Address(2, isRandom: true)

  static func settings(_ regions: String...) throws -> FollowSettings {
    var settings = FollowSettings()
    settings.regions = RegionList(try regions.map { try Region.parse($0) })
    return settings
  }

  @Test(
    "What happened is told before a sighting, what it led to behind it, and the clock in between")
  func order() throws {
    var recording = Recording("a")
    recording.hear(Recording.eddystone, from: Self.two, at: 0)
    recording.hear(Recording.eddystone, from: Self.two, at: 40_000)
    recording.hear(Recording.iBeacon(1), from: Self.one, at: 41_000)
    recording.hear(Recording.iBeacon(1), from: Self.one, at: 41_400)
    recording.hear(Recording.eddystone, from: Self.two, at: 80_000)
    let run = try JudgedRun(
      [recording.source],
      try Self.settings("tag=address:00:00:00:00:00:01", "other=address:00:00:00:00:00:02")
    ) { $0.wishes.sightings = .all }
    #expect(
      run.log.lines == [
        "begin 0.000", "sighting 0.000 a1 of 2", "state other inside 0.000 at a",
        "reach 30.000", "exit other 30.000 at a", "state tag outside 30.000 at a",
        "reach 40.000", "sighting 40.000 a2 of 2", "enter other 40.000 at a",
        "reach 41.000", "sighting 41.000 a3 of 1", "enter tag 41.000 at a",
        "reach 41.400", "sighting 41.400 a4 of 1",
        "reach 70.000", "exit other 70.000 at a", "reach 71.400", "exit tag 71.400 at a",
        "reach 80.000", "sighting 80.000 a5 of 2", "enter other 80.000 at a",
        "finish 80.000",
      ])
  }

  @Test("Messages are found behind their sighting, and lost before whatever shows it")
  func messages() throws {
    var recording = Recording("a")
    recording.hear(Recording.iBeacon(1), from: Self.one, at: 0)
    recording.hear(Recording.eddystone, from: Self.two, at: 10_000)
    recording.hear(Recording.iBeacon(1), from: Self.one, at: 50_000)
    var settings = try Self.settings("tag=address:00:00:00:00:00:01")
    let message =
      "{\"beacon\": \"ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f\", \"namespace\": \"n\", "
      + "\"type\": \"offer\", \"content\": \"tea\"}\n"
    settings.messages = try MessageFile.read(Array(message.utf8), name: "messages")
    let run = try JudgedRun([recording.source], settings) {
      $0.wishes.sightings = .all
      $0.tellsReach = false
    }
    #expect(
      run.log.lines == [
        "begin 0.000", "sighting 0.000 a1 of 1", "state tag inside 0.000 at a",
        "message_found offer 0.000 at a", "sighting 10.000 a2 of 2", "exit tag 30.000 at a",
        "message_lost offer 30.000 at a", "sighting 50.000 a3 of 1", "enter tag 50.000 at a",
        "message_found offer 50.000 at a", "finish 50.000",
      ])
  }

  @Test("Sightings of those who were wished for alone, and default regions by their names")
  func wishes() throws {
    var recording = Recording("a")
    for moment in Int64(0)..<5 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: moment * 10)
      recording.hear(Recording.eddystone, from: Self.two, at: moment * 10 + 5)
    }
    let run = try JudgedRun([recording.source]) {
      $0.wishes.sightings = .some(TransmitterFilter { address, _, _ in address.address == 2 })
      $0.tellsReach = false
    }
    #expect(run.log.lines.count { $0.hasPrefix("sighting") } == 5)
    #expect(run.log.lines.allSatisfy { !$0.hasPrefix("sighting") || $0.hasSuffix(" of 2") })
    #expect(
      run.log.lines.contains("state 00010203-0405-0607-0809-0a0b0c0d0e0f inside 0.000 at a"))
    #expect(run.log.regions == run.timeline.regions.map(\.identifier))
  }
}
