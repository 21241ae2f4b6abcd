import Foundation
import Testing

/// Alerts of a run on their way out.
@Suite("Alerts of a replay", .timeLimit(.minutes(60))) struct AlertDeliveryTests {
  /// The walk lasts 200 s.
  static let rule = Array(
    """
    plugin { version = "1.0", about = "Tells twenty times" }
    every(10, function() alert { severity = "warning", title = "ten \\"more\\"" } end)

    """.utf8)

  private func replay(_ options: [String], _ program: String = "") throws -> (Run, Scratch) {
    let scratch = try WalkScene().scratch
    try scratch.write("ten.lua", Self.rule)
    try scratch.write("take", Array("#!/bin/sh\n\(program)\n".utf8))
    let run = try Tool.shell(
      "chmod +x take; \"$TOOL\" replay --speed max --no-summary --format ndjson --plugin ten.lua "
        + options.joined(separator: " ") + " walk.btsnoop", in: scratch.folder)
    return (run, scratch)
  }

  private func lines(_ file: String, _ scratch: Scratch) throws -> [String] {
    Text.lines(
      try String(contentsOf: scratch.folder.appending(path: file), encoding: .utf8))
  }

  private func alerts(_ run: Run) -> [String] {
    run.lines.filter { $0.contains(#""type":"alert""#) }
  }

  private func expectEVE(_ line: String, of alert: String) throws {
    let eve = try JSON(line)
    let event = try JSON(alert)
    #expect(eve["event_type"] == .text("alert"))
    #expect(eve["beacontrace"] == event)
    #expect(eve["alert"]?["signature"] == event["title"])
    #expect(eve["alert"]?["category"] == event["plugin"])
    #expect(eve["alert"]?["severity"]?.int == 2)
    #expect(eve["alert"]?["action"] == .text("allowed"))
    #expect(eve["pcap_cnt"] == event["evidence"]?.list?.first?["frame"])
    // 2026-05-19T10:00:04.600000+0000 of 2026-05-19T10:00:04.600000000Z
    let time = try #require(event["time"]?.text)
    #expect(eve["timestamp"] == .text(time.prefix(26) + "+0000"))
  }

  @Test("go to a file as lines of EVE, each with its event") func file() throws {
    let (run, scratch) = try replay(["--alerts", "alerts"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let alerts = alerts(run)
    #expect(alerts.count == 20)
    let found = try lines("alerts", scratch)
    #expect(found.count == alerts.count)
    for (line, alert) in zip(found, alerts) { try expectEVE(line, of: alert) }
  }

  @Test("go behind zeros that a power cut left, which are told once; so at each start after it")
  func powerCut() throws {
    let scratch = try WalkScene().scratch
    try scratch.write("ten.lua", Self.rule)
    try scratch.write("told", Array("{\"a\":1}\n".utf8) + [UInt8](repeating: 0, count: 845))
    for start in 1...3 {
      let run = try Tool.run(
        [
          "replay", "--speed", "max", "-q", "--no-summary", "--plugin", "ten.lua", "--alerts",
          "told", "--self-alerts", "walk.btsnoop",
        ], in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
      let told =
        "told: 845 zeros, the first at byte offset 8, as a power cut leaves them: what stood there is lost"
      #expect(run.complaints == (start == 1 ? ["beacontrace: \(told)."] : []))
      let found = try lines("told", scratch).compactMap { try? JSON($0)["alert"] }
      // The run's own alert is the first.
      #expect(found.count == 1 + start * 20)
      #expect(found.first?["signature"] == .text(told))
    }
  }

  @Test("go to a command each, on its standard input") func commands() throws {
    let (run, scratch) = try replay(["--exec", "'./take a\\ b'"], #"cat >> "got $1""#)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let alerts = alerts(run)
    // One command after the other: in the alerts' order.
    let found = try lines("got a b", scratch)
    #expect(found.count == 20)
    for (line, alert) in zip(found, alerts) { try expectEVE(line, of: alert) }
    #expect(try lines("undelivered-alerts.ndjson", scratch).isEmpty)
  }

  @Test(
    "are counted and kept where a command fails, or is not done when the run ends",
    arguments: [
      ("cat > /dev/null; exit 3", "failed", "exit status 3"),
      ("kill -KILL $$", "failed", "ended by signal 9"),
      ("sleep 100", "run_ended", "the run ended before its turn"),
    ])
  func failures(_ program: String, _ reason: String, _ detail: String) throws {
    let (run, scratch) = try replay(["--exec", "./take", "--undelivered", "kept"], program)
    #expect(run.status == 74)
    #expect(alerts(run).count == 20)
    // What went wrong is told when it does, too.
    let word = reason.replacing("_", with: " ")
    #expect(run.complaints.count { $0.contains(" not delivered ") } == 1)
    #expect(
      run.complaints.contains {
        $0.hasPrefix("exec ./take: 20 alerts not delivered (\(word) 20; ")
          && $0.hasSuffix("kept in kept.")
      }, "\(run.errors)")
    let kept = try lines("kept", scratch).map { try JSON($0) }
    #expect(kept.count == 20)
    #expect(kept.allSatisfy { $0["receiver"] == .text("exec ./take") })
    #expect(kept.allSatisfy { $0["reason"] == .text(reason) })
    #expect(kept.contains { $0["detail"] == .text(detail) })
    let ids = try alerts(run).map { try JSON($0)["id"]?.text ?? "" }
    #expect(kept.compactMap { $0["alert"]?["beacontrace"]?["id"]?.text }.sorted() == ids.sorted())
  }

  @Test("do not wait for one another: one command fails, another gets all") func apart() throws {
    let (run, scratch) = try replay(["--exec", "./take", "--exec", "false"], "cat >> got")
    #expect(run.status == 74)
    #expect(try lines("got", scratch).count == 20)
    #expect(
      run.complaints.contains(
        "exec false: 20 alerts not delivered (failed 20; exit status 1), "
          + "kept in undelivered-alerts.ndjson."), "\(run.errors)")
  }

  /// A second or two, so that what happens meanwhile is told meanwhile.
  private func slowly(_ options: String, _ program: String) throws -> (Run, Scratch) {
    let scratch = try WalkScene().scratch
    try scratch.write("ten.lua", Self.rule)
    try scratch.write("take", Array("#!/bin/sh\n\(program)\n".utf8))
    let run = try Tool.shell(
      "chmod +x take; \"$TOOL\" replay --speed 100 --no-summary --plugin ten.lua \(options) "
        + "walk.btsnoop", in: scratch.folder)
    return (run, scratch)
  }

  @Test("that fail are told while the run goes on, the first at once and never each") func told()
    throws
  {
    let (run, _) = try slowly("--exec './take now' --undelivered kept", "exit 7")
    #expect(run.status == 74)
    let told = run.complaints.filter { $0.hasPrefix("beacontrace: exec ./take now: ") }
    #expect(told.count == 1, "\(run.errors)")
    #expect(
      told.first?.hasSuffix(
        ": an alert was not delivered: exit status 7; it is tried again for ten minutes.") == true)
  }

  @Test("that a short outage held up arrive in the end") func outage() throws {
    let (run, scratch) = try slowly(
      "--exec ./take", "[ -e up ] || { touch up; exit 7; }; cat >> got")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try lines("got", scratch).count == 20)
    #expect(try lines("undelivered-alerts.ndjson", scratch).isEmpty)
    #expect(
      run.complaints.contains(
        "beacontrace: exec ./take: alerts are delivered again; none is missing."),
      "\(run.errors)")
  }

  @Test(
    "that there is no room for, or that cannot even be kept, are told at once; so is the receiver")
  func notKept() throws {
    let scratch = try WalkScene().scratch
    try scratch.write(
      "many.lua",
      Array(
        """
        plugin { version = "1.0", about = "Tells 1 100 times at once" }
        after(5, function()
          for n = 1, 1100 do alert { severity = "warning", title = "number " .. n } end
        end)

        """.utf8))
    try scratch.write(
      "take", Array("#!/bin/sh\n[ -e up ] || { touch up; sleep 1; }; cat >> got\n".utf8))
    let run = try Tool.shell(
      "chmod +x take; \"$TOOL\" replay --speed 50 --no-summary --plugin many.lua --self-alerts "
        + "--exec ./take --undelivered /dev/full walk.btsnoop", in: scratch.folder)
    #expect(run.status == 74)
    #expect(
      run.complaints.contains(
        "beacontrace: /dev/full: no space left on device: alerts that are not delivered cannot be "
          + "kept."), "\(run.errors)")
    let told = try #require(run.complaints.first { $0.contains("alerts are delivered again") })
    #expect(told.hasSuffix(" were not."))
    let gap = try lines("got", scratch).map { try JSON($0) }.filter {
      $0["alert"]?["category"] == .text("beacontrace")
        && $0["alert"]?["signature"]?.text.map { told.contains($0) } == true
    }
    #expect(gap.count == 1)
    // As severe as what is missing.
    #expect(gap.first?["alert"]?["severity"]?.int == 2)
  }

  @Test("go where their severity is severe enough, and nowhere else") func severities() throws {
    let scratch = try WalkScene().scratch
    try scratch.write(
      "two.lua",
      Array(
        """
        plugin { version = "1.0", about = "Mild ones and severe ones" }
        every(20, function() alert { severity = "notice", title = "mild" } end)
        every(50, function() alert { severity = "critical", title = "severe" } end)

        """.utf8))
    let run = try Tool.run(
      [
        "replay", "--speed", "max", "-q", "--no-summary", "--format", "ndjson", "--plugin",
        "two.lua", "--alerts", "all", "--exec", "sh -c 'cat >> got'", "--exec-from", "critical",
        "--write-on-alert", "around.pcapng", "--write-on-alert-from", "critical", "--after", "1s",
        "walk.btsnoop",
      ], in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let signatures = { (file: String) in
      try lines(file, scratch).compactMap { try JSON($0)["alert"]?["signature"]?.text }
    }
    #expect(try signatures("all").count { $0 == "mild" } == 10)
    #expect(try signatures("got") == Array(repeating: "severe", count: 4))
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    let around = try #require(files.first { $0.hasPrefix("around-") })
    let told = String(
      decoding: try Data(contentsOf: scratch.folder.appending(path: around)), as: UTF8.self)
    #expect(told.contains(": severe") && !told.contains(": mild"))
    let few = try Tool.run(
      [
        "replay", "--speed", "max", "-q", "--no-summary", "--plugin", "two.lua", "--alerts", "few",
        "--alerts-from", "warning", "walk.btsnoop",
      ], in: scratch.folder)
    #expect(few.status == 0)
    #expect(try signatures("few") == Array(repeating: "severe", count: 4))
  }

  @Test("name their observer as --name says") func observer() throws {
    let (run, scratch) = try replay(
      ["--alerts", "told", "--name", "hall", "--region", "'\(WalkScene.beacon)'"])
    #expect(run.status == 0)
    let observers = try run.lines.compactMap { try JSON($0)["observer"]?.text }
    #expect(Set(observers) == ["hall"], "\(run.output)")
    #expect(try lines("told", scratch).count == 20)
  }
}
