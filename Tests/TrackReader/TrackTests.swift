import CaptureReader
import Foundation
import Testing
import TrackReader

@Suite struct TrackTests {
  private static let start: Int64 = 1_700_000_000

  private func span(_ from: Int64, _ to: Int64) -> (Timestamp, Timestamp) {
    (
      Timestamp(nanoseconds: (Self.start + from) * 1_000_000_000),
      Timestamp(nanoseconds: (Self.start + to) * 1_000_000_000)
    )
  }

  /// The track runs from 0 to 10 s.
  @Test(arguments: [
    (-10, -1, false), (-10, 0, true), (3, 4, true), (10, 20, true), (11, 12, false),
  ])
  func aTrackHasToShareAMomentWithTheCapture(_ from: Int64, _ to: Int64, _ shares: Bool) throws {
    let track = try TrackText.read(TrackText.gpx((0...10).map { _ in (1, 2) }))
    let (first, last) = span(from, to)
    if shares {
      try track.checkOverlap(capture: "a.pcap", from: first, to: last)
    } else {
      #expect(throws: TextProblem.self) {
        try track.checkOverlap(capture: "a.pcap", from: first, to: last)
      }
    }
  }

  @Test func aTrackOfAnotherYearIsToldWithBothSpans() throws {
    let track = try TrackText.read(TrackText.gpx([(1, 2), (1, 3)]))
    let (first, last) = span(365 * 86_400, 365 * 86_400 + 60)
    let problem = #expect(throws: TextProblem.self) {
      try track.checkOverlap(capture: "site.pcapng", from: first, to: last)
    }
    #expect(
      problem?.description
        == "walk.gpx: runs from 2023-11-14 22:13:20 UTC to 2023-11-14 22:13:21 UTC, site.pcapng "
        + "from 2024-11-13 22:13:20 UTC to 2024-11-13 22:14:20 UTC: they share no moment. A track "
        + "has to be of the capture's time, in UTC.")
    #expect(throws: TextProblem.self) {
      try track.checkOverlap(capture: "site.pcapng", from: .none, to: .none)
    }
  }

  @Test(arguments: [
    ("2023-11-14T22:13:20Z", 1_700_000_000_000), ("2023-11-14t22:13:20z", 1_700_000_000_000),
    ("2023-11-14 22:13:20.25Z", 1_700_000_000_250),
    ("2023-11-14T17:13:20.250-05:00", 1_700_000_000_250),
    ("2023-11-15T03:43:20+0530", 1_700_000_000_000), ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00Z", 951_825_600_000),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000),
  ])
  func timesAreRead(_ text: String, _ milliseconds: Int64) {
    let reading = UTCTime.read(text.utf8)
    #expect(reading?.time.nanoseconds == milliseconds * 1_000_000)
    #expect(reading?.hasZone == true)
  }

  @Test(arguments: [
    "", "now", "2023-11-14", "2023-11-14T22:13Z", "2023-13-14T22:13:20Z", "2023-02-29T22:13:20Z",
    "2023-11-14T24:13:20Z", "2023-11-14T22:13:61Z", "2023-11-14T22:13:20.Z",
    "2023-11-14T22:13:20+25:00", "2023-11-14T22:13:20ZZ", "9999-11-14T22:13:20Z",
    "0001-11-14T22:13:20Z", "-023-11-14T22:13:20Z",
  ])
  func whatIsNoTimeIsNotRead(_ text: String) { #expect(UTCTime.read(text.utf8) == nil) }

  /// What programs write is read strictly; what people type or copy, as `explain` prints it.
  @Test(arguments: [
    ("2023-11-14 22:13:20 UTC", 1_700_000_000_000),
    ("2023-11-14 22:13:20.250 UTC", 1_700_000_000_250),
    ("2023-11-14T22:13:20 Z", 1_700_000_000_000), ("2023-11-15 03:43:20 +0530", 1_700_000_000_000),
    ("2023-11-15 03:43:20 +05:30", 1_700_000_000_000), ("2023-11-14T22:13:20Z", 1_700_000_000_000),
  ])
  func typedTimesAreRead(_ text: String, _ milliseconds: Int64) {
    let reading = UTCTime.read(typed: text)
    #expect(reading?.time.nanoseconds == milliseconds * 1_000_000)
    #expect(reading?.hasZone == true)
    #expect(UTCTime.read(text.utf8) == nil || !text.contains("UTC"))
  }

  @Test(arguments: ["2023-11-14 22:13:20 CET", "2023-11-14 22:13:20  UTC", "22:13:20 UTC", "UTC"])
  func whatIsNoTypedTimeIsNotRead(_ text: String) { #expect(UTCTime.read(typed: text) == nil) }

  /// Days and their text against Foundation, over all years that nanoseconds hold.
  @Test func daysAreThoseOfTheCalendar() throws {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
    for day in stride(from: -106_000, to: 106_000, by: 97) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3723)
      let text = String(date.formatted(style).dropLast()) + " UTC"
      let time = Timestamp(nanoseconds: (Int64(day) * 86_400 + 3723) * 1_000_000_000)
      #expect(UTCTime.text(time) == text)
      #expect(UTCTime.read(text.dropLast(4).utf8)?.time == time)
    }
  }

  /// A thousandth of a degree of latitude is 111 m.
  @Test func jumpsAreCountedAndKept() throws {
    let places: [(Double, Double)] = [(1, 2), (1.0026, 2), (1.0054, 2), (40, 2), (1.0054, 2)]
    let track = try TrackText.read(TrackText.gpx(places))
    #expect(track.fixes.count == 5)
    #expect(
      track.log.texts == [
        "3 jumps are faster than 300 m/s: the positions on both sides of them were kept (lines 4, 5, 6)."
      ])
    // Over the date line, and what scatters within a tenth of a second.
    let near = try TrackText.read(
      TrackText.gpx(points: [
        "<trkpt lat=\"1\" lon=\"179.9999\"><time>2023-11-14T22:13:20Z</time></trkpt>",
        "<trkpt lat=\"1\" lon=\"-179.9999\"><time>2023-11-14T22:13:21Z</time></trkpt>",
        "<trkpt lat=\"1.0005\" lon=\"-179.9999\"><time>2023-11-14T22:13:21.1Z</time></trkpt>",
      ]))
    #expect(near.log.notes.isEmpty)
  }

  @Test func severalTracksAreOneAndTheirFixesNameTheFile() throws {
    let first = try TrackText.read(TrackText.gpx([(1, 1), (2, 2)]))
    let second = TrackReader.nmea(
      Array((TrackText.rmc("221319", "141123") + TrackText.rmc("221321.5", "141123")).utf8),
      name: "b.nmea")
    let merged = MergedTracks([first, second, first])
    #expect(
      merged.fixes.map(\.place) == [
        .line(1, file: 1), .line(2, file: 0), .line(3, file: 0), .line(2, file: 1),
      ])
    #expect(merged.repeated == 2)
  }
}
