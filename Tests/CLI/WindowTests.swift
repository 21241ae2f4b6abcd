import Foundation
import Testing

/// `--from` and `--to`: what was told in a part of the time.
@Suite struct WindowTests {
  private static let walk = "museum-walk.btsnoop.gz"

  @Test(arguments: [
    (["--from", "2026-05-19 10:05", "--to", "2026-05-19 10:10"], "10:05:00", "10:10:00"),
    (["--from", "2026-05-19T10:05:00.5Z"], "10:05:00.5", "23:59"),
    (["--to", "2026-05-19T12:01+02:00"], "09:00", "10:01:00"),
    // As explain prints it, and as date does.
    (["--from", "2026-05-19 10:07:11.648 UTC"], "10:07:11.648", "23:59"),
    (["--to", "2026-05-19 12:01:00 +0200"], "09:00", "10:01:00"),
    (["--from=2026-05-19", "--to=2026-05-20"], "00:00", "23:59"),
  ])
  func onlyWhatIsInsideIsTold(_ words: [String], from: String, to: String) throws {
    for (command, field) in [("events", "time"), ("sightings", "time")] {
      func times(_ words: [String]) throws -> [String] {
        let run = try Tool.run([command, "--format", "ndjson", Self.walk] + words)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return try run.lines.map { line in
          let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          let time = try #require(object?[field] as? String, "\(line)")
          return String(time.dropFirst("2026-05-19T".count))
        }
      }
      let all = try times([])
      let inside = try times(words)
      #expect(!inside.isEmpty)
      // The same lines in the same order, and none is missing.
      #expect(inside == all.filter { $0 >= from && $0 < to })
    }
  }

  @Test func withoutAZoneItIsTheTimeThatIsShown() throws {
    let local = try Tool.shell(
      "TZ=CET-1CEST,M3.5.0,M10.5.0/3 $TOOL events --local --from '2026-05-19 12:05' \(Self.walk)")
    let usual = try Tool.run("events", "--from", "2026-05-19 10:05", Self.walk)
    #expect(!usual.lines.isEmpty && local.lines.count == usual.lines.count)
    #expect(local.lines.dropFirst().first?.contains("  12:0") == true, "\(local.output)")
  }

  /// Clocks here: forward at 01:00 UTC on March 29, back at 01:00 UTC on October 25.
  @Test(arguments: [
    (
      "2026-10-25 02:30",
      "was twice here: give the one that is meant with Z, of 2026-10-25 00:30:00 UTC (CEST (UTC+2)) and "
        + "2026-10-25 01:30:00 UTC (CET (UTC+1))"
    ),
    ("2026-03-29 02:30", "is in an hour that clocks here left out"),
  ])
  func aTimeThatIsNotOneIsRefused(text: String, words: String) throws {
    let command = "TZ=CET-1CEST,M3.5.0,M10.5.0/3 $TOOL events --local"
    let run = try Tool.shell("\(command) --from '\(text)' \(Self.walk)")
    #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
    let clear = try Tool.shell("\(command) --to '\(text.dropLast(5))03:30' \(Self.walk)")
    #expect(clear.status == 0, "\(clear.errors)")
  }

  @Test func whatHasNoTimeIsCounted() throws {
    let sections = "museum/pcapng-sections.pcapng"
    let all = try Tool.run("sightings", "--format", "csv", sections)
    let timed = try Tool.run("sightings", "--format", "csv", "--from", "2000-01-01", sections)
    let missing = all.lines.count - timed.lines.count
    #expect(missing > 0)
    #expect(timed.complaints == ["beacontrace: \(missing) sightings without a time, left out."])
  }

  /// Outside nothing is asked, so that nothing fails there.
  @Test(arguments: ["events", "sightings"])
  func expressionsAreAskedOfNothingOutside(command: String) throws {
    let run = try Tool.run(
      command, "--from", "2026-05-20", "--where", "nil + 1", Self.walk)
    #expect(run.status == 0)
    #expect(run.complaints.count == 1 && run.errors.contains("in that time"), "\(run.errors)")
  }

  @Test func expressionsAreAskedOfWhatIsInside() throws {
    let run = try Tool.run(
      "events", "--from", "2026-05-19 10:05", "--where", "type == \"exit\"", Self.walk)
    #expect(!run.lines.isEmpty)
    #expect(run.lines.dropFirst().allSatisfy { $0.contains("  exit  ") }, "\(run.output)")
  }

  @Test(arguments: ["events", "sightings"])
  func aDayWithNothingIsTold(command: String) throws {
    let run = try Tool.run(command, "--from", "2026-05-20", Self.walk)
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(
      run.errors.contains(
        "no \(command.dropLast()) in that time; there are some 2026-05-19 10:00:00–10:1"),
      "\(run.errors)")
    let quiet = try Tool.run(command, "-q", "--from", "2026-05-20", Self.walk)
    #expect(quiet.errors.isEmpty)
  }

  @Test(arguments: ["10:05", "2026-13-01", "2026-05-19 25:00", "yesterday", "2026-05-19T10:00:00X"])
  func whatIsNoTimeIsRefused(text: String) throws {
    let run = try Tool.run("events", "--from", text, Self.walk)
    #expect(run.status == 64)
    #expect(run.errors.contains("--from '\(text)' is no time: write a day"), "\(run.errors)")
  }

  @Test func anEndBeforeTheBeginningIsRefused() throws {
    let run = try Tool.run(
      "sightings", "--from", "2026-05-19 10:05", "--to", "2026-05-19 10:05", Self.walk)
    #expect(run.status == 64)
    #expect(run.errors.contains("--to is not after --from"), "\(run.errors)")
  }
}
