import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Days and hours by clocks on the wall: `devices --local`, `--from` and `--to`.
@Suite struct LocalDevicesTests {
  private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
  private static let watch = Address(0xC111_1111_1111, isRandom: true)
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// - Parameter moments: seconds since 1970 at which a watch is heard.
  private func run(_ words: String, in zone: String = berlin, at moments: [Int64]) throws -> Run {
    let records = moments.map { moment in
      let report = HCI.LegacyReport(Self.watch, [2, 1, 6], rssi: -50)
      let packet = HCI.advertisingReport(report)
      return Record(moment * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    try scratch.write("door.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
    return try Tool.shell("TZ='\(zone)' \"$TOOL\" \(words) door.btsnoop", in: scratch.folder)
  }

  /// Times and what stands below them; without the numbers.
  private static func rows(_ run: Run) -> [String] {
    run.lines.filter { $0.contains(/^\d\d|^ {13}(until|from)/) }.map { line in
      line.hasPrefix(" ") ? line.trimmingPrefix { $0 == " " }.description : String(line.prefix(11))
    }.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// 2026-10-24T22:00:00Z, when it becomes the day of 25 hours in Berlin.
  private static let midnight: Int64 = 1_792_879_200

  @Test func daysAreThoseOfTheClockOf25Hours() throws {
    let moments = [-60, 0, 25 * 3600 - 60, 25 * 3600].map { Self.midnight + $0 }
    let run = try run("devices --local --every 24h", at: moments)
    #expect(
      Self.rows(run) == [
        "2026-10-24", "00:00–00:00", "2026-10-25", "00:00–00:00",
        "until 2026-10-26 00:00 CET (UTC+1), 1 d 01 h later", "2026-10-26", "00:00–00:00",
      ], "\(run.output)")
    #expect(run.output.contains("in 2 of 1 500 minutes"), "\(run.output)")
  }

  @Test(arguments: [
    ("1h", ["02:00–03:00", "from here on CET (UTC+1)", "02:00–03:00"]),
    ("3h", ["00:00–03:00", "from here on CET (UTC+1)", "02:00–03:00"]),
  ])
  func anHourThatIsThereTwiceHasTwoRows(every: String, rows: [String]) throws {
    let moments = [2 * 3600 + 1800, 3 * 3600 + 1800].map { Self.midnight + $0 }
    let run = try run("devices --local --every \(every)", at: moments)
    #expect(Self.rows(run) == ["2026-10-25"] + rows, "\(run.output)")
    #expect(!run.output.contains("until"))
  }

  @Test func hoursBeginAtWholeHoursOfTheClock() throws {
    let run = try run("devices --local", in: "<+0545>-5:45", at: [Self.midnight])
    #expect(Self.rows(run) == ["2026-10-25", "03:00–04:00"], "\(run.output)")
    let usual = try Tool.run("devices", "door.btsnoop", in: scratch.folder)
    #expect(Self.rows(usual) == ["2026-10-24", "22:00–23:00"], "\(usual.output)")
  }

  @Test func longRowsSayWhenTheyEnd() throws {
    let run = try run("devices --every 48h", at: [Self.midnight])
    #expect(
      Self.rows(run)[1...] == ["00:00–00:00", "until 2026-10-26 00:00, 2 d 00 h later"],
      "\(run.output)")
  }

  @Test func aRowOfWhichAPartCountsIsThatPart() throws {
    let run = try run(
      "devices --from '2026-10-24 22:10' --to '2026-10-24 22:30'", at: [Self.midnight + 900])
    #expect(Self.rows(run)[1...] == ["22:10–22:30"], "\(run.output)")
    #expect(run.output.contains("in 1 of 20 minutes"), "\(run.output)")
  }

  /// The last hours that 64 bits of nanoseconds hold, and the first ones.
  @Test(arguments: [9_223_372_000, -9_223_372_000] as [Int64])
  func rowsAtTheEndsOfTimeAreCutOffThere(moment: Int64) throws {
    for words in ["devices", "devices --every 720h --format csv", "devices --local --every 24h"] {
      let run = try run(words, in: "<+14>-14", at: [moment])
      #expect(run.status == 0 && run.lines.count >= 2, "\(words): \(run.output) \(run.errors)")
    }
    let run = try run("devices --format csv", at: [moment])
    let limit =
      moment > 0
      ? ",2262-04-11T23:47:16.854775807Z," : "\n1677-09-21T00:12:43.145224193Z,"
    #expect(run.output.contains(limit), "\(run.output)")
  }

  /// In Chile the clocks go from 00:00 to 01:00 (04:00 UTC); in Cuba they go from 01:00 back to 00:00.
  @Test(arguments: [
    ("<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2026-09-06", "2026-09-07", 1_788_667_200, 23),
    ("CST5CDT,M3.2.0/0,M11.1.0/1", "2026-11-01", "2026-11-02", 1_793_505_600, 25),
  ])
  func aDayBeginsWithItsFirstMoment(
    zone: String, day: String, next: String, start: Int64, hours: Int64
  ) throws {
    let moments = [start - 1, start, start + hours * 3600 - 1, start + hours * 3600]
    let window = "devices --each --local --from \(day) --to \(next)"
    let run = try run(window, in: zone, at: moments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(/static +2 +2\b/), "\(run.output)")
    let refused = try self.run("devices --local --from '\(day) 00:30'", in: zone, at: moments)
    #expect(refused.status == 64, "\(refused.output)")
  }
}
