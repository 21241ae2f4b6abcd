import CaptureReader
import Testing
import TrackReader

@Suite struct GoldenTrackTests {
  @Test func allRowsAreThere() {
    #expect(GoldenTrack.all("gpx").count == 9)
    #expect(GoldenTrack.all("nmea").count == 13)
  }

  @Test(arguments: GoldenTrack.all("gpx"))
  func gpx(_ row: GoldenTrack) throws {
    guard row.expect.ok else {
      let problem = #expect(throws: TextProblem.self) {
        try TrackReader.gpx(Array(row.input.utf8), name: "t.gpx")
      }
      #expect(problem?.code.rawValue == row.expect.reason)
      return
    }
    let track = try TrackReader.gpx(Array(row.input.utf8), name: "t.gpx")
    try compare(track, row, try #require(row.expect.points))
  }

  @Test(arguments: GoldenTrack.all("nmea"))
  func nmea(_ row: GoldenTrack) throws {
    let track = TrackReader.nmea(Array(row.input.utf8), name: "t.nmea")
    try compare(track, row, try #require(row.expect.fixes))
  }

  private func compare(_ track: Track, _ row: GoldenTrack, _ points: [GoldenTrack.Point]) throws {
    #expect(Set(track.log.notes.map(\.code.rawValue)) == row.expect.warnings)
    try #require(track.fixes.count == points.count)
    for (fix, point) in zip(track.fixes, points) {
      #expect(fix.time.nanoseconds == (try point.milliseconds()) * 1_000_000)
      #expect(abs(fix.latitude - point.lat) < 1e-9)
      #expect(abs(fix.longitude - point.lon) < 1e-9)
      #expect(fix.altitude == point.ele_m ?? point.alt_m)
    }
  }
}
