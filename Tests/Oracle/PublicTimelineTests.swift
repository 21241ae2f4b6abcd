import Analysis
import CaptureReader
import Foundation
import Regions
import Testing

/// The timeline of recordings by others. What is expected was worked out by a script that shares no code
/// with the project: record times, reports and scan commands as tshark tells them, L + P, and the
/// grades by SEMANTICS 2.
@Suite struct PublicTimelineTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    /// Seconds.
    let exitAfter: Int
    /// Nanoseconds since 1970, type, state or grade, frame.
    let events: [String]
    var testDescription: String { "\(file), \(exitAfter) s" }
  }

  static let cases = [
    Case(
      file: "raspberrypi-20260519.pcapng", exitAfter: 30,
      events: [
        "1779233192849965000 state inside 30", "1779233246021563000 exit deaf 946",
        "1779233280377359000 enter 1097",
      ]),
    Case(
      file: "android-extended-malformed-ad.btsnoop", exitAfter: 30,
      events: [
        "1646745476294144000 state inside 288", "1646745506603359000 exit deaf 435",
        "1646745544521700000 enter 6761", "1646745574889500000 exit deaf 6949",
      ]),
    // t0 + P is past before the first match.
    Case(
      file: "bluetooth0-small.pcap", exitAfter: 10,
      events: ["1701381700459581000 state outside", "1701381701507483000 enter 111"]),
    Case(
      file: "sniffle-small.pcap", exitAfter: 30, events: ["1733845276264360000 state inside 10"]),
  ]

  @Test(.needs(.publicCaptures), arguments: cases)
  func eventsAreThoseWorkedOutByHand(_ example: Case) throws {
    let timeline = try Self.timeline(example.file, exitAfter: example.exitAfter)
    let told = timeline.events.map { event in
      var line = "\(event.time.nanoseconds) \(event.type.rawValue)"
      if event.type == .state { line += " \(event.state?.rawValue ?? "")" }
      if let silence = event.silence { line += " \(silence.grade.rawValue)" }
      return event.evidence.reduce(line) { "\($0) \($1.number)" }
    }
    #expect(told == example.events)
  }

  /// Beacons that are heard every ten or twenty seconds, by a phone that hears others all the time: the
  /// exits that 10 and 5 s make are no departures.
  @Test(.needs(.publicCaptures), arguments: [(10, 6, 0), (5, 29, 6)])
  func slowBeaconsAreNeverGone(_ exitAfter: Int, _ thin: Int, _ deaf: Int) throws {
    let timeline = try Self.timeline("android-20240127.btsnoop", exitAfter: exitAfter)
    let grades = timeline.events.compactMap { $0.silence?.grade }
    #expect(grades.count { $0 == .thin } == thin)
    #expect(grades.count { $0 == .deaf } == deaf)
    #expect(!grades.contains(.gone))
  }

  private static func timeline(_ file: String, exitAfter: Int) throws -> Timeline {
    var follow = FollowSettings()
    follow.profiles = [
      try Profiles.site.with([ProfileOverride(name: "exit_after", "\(exitAfter)")])
    ]
    var options = Analysis.Options()
    options.follow = follow
    let path = Surroundings.publicFolder.appending(path: file).path
    var analysis = Analysis([.file(path)], options: options)
    var none = NoSink()
    return try #require(try analysis.run(into: &none).timeline)
  }
}
