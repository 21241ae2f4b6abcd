import Foundation
import Testing

/// What is told of a recording that lies in several files is what is told of it in one.
@Suite("rotated recordings", .timeLimit(.minutes(60))) struct RotatedRecordingTests {
  private let scratch: Scratch

  /// A quarter of an hour in one file and in files of two minutes below `cut`; the scan is off from 270 to 300 s,
  /// `b` dies at 350 s.
  init() throws {
    scratch = try Scratch()
    let beacons = [("a", 1, ""), ("b", 2, #", "dies_s": 350"#), ("c", 3, "")].map {
      name, minor, more in
      """
      {"name": "\(name)", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
        "minor": \(minor), "address": "c4:a1:00:00:01:0\(minor)", "at": [3, \(minor)], "interval_ms": 500\(more)}
      """
    }
    let scenario = """
      {"name": "cut", "start": "2026-05-19T10:00:00Z", "duration_s": 900, "radio": {"loss": 0.1},
        "scan": {"commands": "legacy", "pauses": [[270, 300]]}, "observer": [[0, 1, 0]],
        "beacons": [\(beacons.joined(separator: ", "))]}
      """
    try scratch.write("cut.json", Array(scenario.utf8))
    let made = try Tool.shell(
      "mkdir cut; $TOOL synth --scenario cut.json -o whole.btsnoop && $TOOL replay --speed max -q "
        + "--no-summary --write cut/cap.pcapng --rotate-time 2min whole.btsnoop > replay.txt && rm -f cut/*.lock",
      in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func files() throws -> [String] {
    try Tool.shell("ls cut/*.pcapng", in: scratch.folder).lines
  }

  private static func flat(_ text: String) -> String {
    text.split { " \n".contains($0) }.joined(separator: " ")
  }

  @Test("a scan that was on before a file began counts up to the command that ends it")
  func scanOfBefore() throws {
    let files = try files()
    #expect(files.count == 8)
    let run = try Tool.run("analyze", "--format", "json", files[2], in: scratch.folder)
    let scan = try JSON(run.output)["captures"]?.list?[0]["observers"]?.list?[0]["scan"]
    let windows = scan?["windows"]?.list ?? []
    #expect(windows.map { $0["inferred"] } == [.bool(true), .bool(false)])
    #expect(windows.first?["end_reason"]?.text == "disabled")
    #expect(windows.first?["from"]?.text?.hasPrefix("2026-05-19T10:0") == true)
    #expect(windows.first?["to"]?.text?.hasPrefix("2026-05-19T10:04:2") == true)
    let text = try Tool.run("info", files[2], in: scratch.folder)
    #expect(
      Self.flat(text.output).contains("duplicates kept; the first began before the capture"),
      "\(text.output)")
    // All files together listened as long as the one.
    func listened(_ captures: [String]) throws -> Double {
      let run = try Tool.run(["analyze", "--format", "json"] + captures, in: scratch.folder)
      let captures = try JSON(run.output)["captures"]?.list ?? []
      return captures.reduce(0) { sum, capture in
        sum + (capture["observers"]?.list?[0]["scan"]?["listening_s"]?.number ?? 0)
      }
    }
    let (whole, cut) = (try listened(["whole.btsnoop"]), try listened(files))
    #expect(abs(whole - 870) < 2 && abs(whole - cut) < 8, "\(whole) \(cut)")
  }

  @Test("a second between two files is no pause of the radio") func seam() throws {
    let whole = try Tool.run("analyze", "whole.btsnoop", in: scratch.folder)
    let cut = try Tool.run("analyze", "--observers", "folder", "cut", in: scratch.folder)
    for run in [whole, cut] {
      let text = Self.flat(run.output)
      #expect(text.contains("1:2 was not heard any more from 10:05:4"), "\(run.output)")
      #expect(
        text.contains("the radio went on listening until 10:14:59 and heard 2 others"),
        "\(run.output)")
    }
  }

  @Test("whose clock was moved is told where the output has no place for it") func moved() throws {
    for command in [["sightings"], ["events"], ["devices"], ["advise"]] {
      let run = try Tool.run(command + ["--clock", "+5min", "whole.btsnoop"], in: scratch.folder)
      #expect(
        run.errors.contains(
          "whole.btsnoop: its times are told 5 min 00 s later than they stand in it (--clock)"),
        "\(command): \(run.errors)")
      let quiet = try Tool.run(
        command + ["-q", "--clock", "+5min", "whole.btsnoop"], in: scratch.folder)
      #expect(quiet.errors == "")
    }
    let compared = try Tool.run(
      "compare", "--clock", "+5min", "whole.btsnoop", "whole.btsnoop", in: scratch.folder)
    #expect(compared.errors.contains("whole.btsnoop: its times are told 5 min 00 s later"))
    let files = try files()
    let several = try Tool.run(["sightings", "--clock", "+5min"] + files, in: scratch.folder)
    #expect(several.errors.contains(" and 7 more: their times are told 5 min 00 s later"))
    // So does an explanation out of a case.
    let made = try Tool.run(
      "analyze", "--clock", "+5min", "--case", "c.sqlite", "whole.btsnoop", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let events = try Tool.run(
      "events", "-q", "--clock", "+5min", "--format", "ndjson", "whole.btsnoop", in: scratch.folder)
    let id = try #require(try events.lines.first.flatMap { try JSON($0)["id"]?.text })
    let kept = try Tool.run("explain", id, "c.sqlite", in: scratch.folder)
    let told = try Tool.run("explain", "--clock", "+5min", id, "whole.btsnoop", in: scratch.folder)
    #expect(kept.output == told.output && told.output.contains("its clock"), "\(kept.output)")
  }
}
