import Foundation
import Testing

/// `--observers folder`, from outside: a site with a folder for each receiver.
@Suite("--observers folder", .timeLimit(.minutes(60)))
final class FolderObserverTests {
  private let scratch: Scratch

  /// Two receivers at two ends of a room, between which a tag goes; each recording in three files.
  init() throws {
    scratch = try Scratch()
    for (place, receiver) in ["door", "hall"].enumerated() {
      let scenario = """
        {"name": "\(receiver)", "summary": "", "start": "2026-05-19T10:00:00Z", "duration_s": 180,
          "observer": [[0, \(40 * place), 0], [180, \(40 * place), 0]],
          "scan": {"commands": "legacy", "interval_ms": 100, "window_ms": 100},
          "beacons": [{"name": "tag", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d",
            "major": 1, "minor": 1, "address": "c4:a1:00:00:01:01", "interval_ms": 250,
            "path": [[0, 0, 1], [60, 0, 1], [100, 40, 1], [180, 40, 1]]}]}
        """
      try scratch.write("\(receiver).json", Array(scenario.utf8))
      let made = try Tool.shell(
        "mkdir -p site/\(receiver); $TOOL synth --scenario \(receiver).json -o \(receiver).btsnoop && "
          + "$TOOL replay --speed max -q --no-summary --write site/\(receiver)/cap.pcapng --rotate-time 1min "
          + "\(receiver).btsnoop > replay.txt && rm site/\(receiver)/*.lock",
        in: scratch.folder)
      try #require(made.status == 0, "\(made.errors)")
    }
  }

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private static let named = ["--observer", "door=site/door", "--observer", "hall=site/hall"]

  @Test("one of which nothing was recorded stands among the receivers, and is told once")
  func empty() throws {
    _ = try Tool.shell("mkdir -p site/yard", in: scratch.folder)
    // Headers alone are alike, byte for byte, and copies of nothing.
    for name in ["a", "b"] {
      try scratch.write(
        "site/yard/\(name).btsnoop", Array("btsnoop\0\0\0\0\u{1}\0\0\u{3}".utf8) + [0xEA])
    }
    let told = try run(["analyze", "-q", "--observers", "folder", "site"])
    #expect(told.status == 0)
    #expect(told.lines.contains("  yard  recorded nothing (2 captures without a record)"))
    let flat = told.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(flat.contains("yard recorded nothing: of its 2 captures none holds a record"))
    #expect(!flat.contains("it holds no record"))
  }

  @Test("beacons alone are heard by the receivers of folders, too")
  func withoutRegions() throws {
    let site = try SiteScene()
    try site.record("hall", beacons: 1, seconds: 60)
    let told = try Tool.shell(
      "mkdir -p x/hall x/store; cp hall.btsnoop x/hall/a.btsnoop; cp hall.btsnoop x/store/a.btsnoop; "
        + "$TOOL analyze -q --no-regions --observers folder x", in: site.scratch.folder)
    #expect(told.output.contains(/heard by hall -\d+, store -\d+/), "\(told.output)\(told.errors)")
  }

  @Test(
    "is the same as each folder named by itself",
    arguments: [
      ["analyze"], ["analyze", "--format", "json"], ["events", "--format", "ndjson"],
      ["sightings", "--format", "csv"], ["advise", "--format", "json"],
      ["events", "--plugin", "nearest-receiver", "--where", "type == \"alert\""],
    ])
  func same(_ command: [String]) throws {
    let short = try run(command + ["--observers", "folder", "site"])
    let long = try run(command + Self.named + ["site"])
    #expect(short.status == 0 && !short.bytes.isEmpty, "\(short.errors)")
    #expect(short.bytes == long.bytes)
    #expect(short.errors == long.errors)
    #expect(!(try run(command + ["site"])).output.isEmpty)
  }

  @Test("without it each file is a radio of its own, and the option is proposed") func proposed()
    throws
  {
    let alone = try run(["analyze", "site"]).output.replacing(/\s+/, with: " ")
    #expect(
      alone.contains(
        /site\/door \(\d\), site\/hall \(\d\)\. If one radio wrote each folder: --observers folder/),
      "\(alone)")
    let together = try run(["analyze", "--observers", "folder", "site"]).output
    #expect(!together.contains("each taken for a radio of its own"))
    #expect(together.contains("\n  door ") && together.contains("\n  hall "), "\(together)")
  }

  @Test("tells the move of the tag from receiver to receiver once") func move() throws {
    let run = try run([
      "events", "--observers", "folder", "--plugin", "nearest-receiver", "--format", "ndjson",
      "--where",
      "type == \"alert\"", "site",
    ])
    let alerts = try run.lines.map { try JSON($0) }
    #expect(alerts.count == 1, "\(run.output)")
    #expect(alerts.first?["fields"]?["from"]?.text == "door")
    #expect(alerts.first?["fields"]?["to"]?.text == "hall")
  }

  @Test("a case keeps who wrote what, and goes on with files that come later") func kept() throws {
    let files = try run(["info", "--format", "json", "site"])
    #expect(files.status == 0)
    let first = try Tool.shell(
      "mkdir -p day/door day/hall; for r in door hall; do for f in $(ls site/$r | head -n 2); do "
        + "cp site/$r/$f day/$r/; done; done; "
        + "$TOOL analyze --observers folder --case site.sqlite day > first.txt && "
        + "for r in door hall; do cp site/$r/$(ls site/$r | tail -n 1) day/$r/; done; "
        + "$TOOL analyze --observers folder --case site.sqlite day > second.txt",
      in: scratch.folder)
    #expect(first.status == 0, "\(first.errors)")
    let whole = try run([
      "case", "query", "--format", "csv", "site.sqlite", "SELECT name FROM observers ORDER BY name",
    ])
    #expect(whole.lines.joined() == "name\rdoor\rhall\r", "\(whole.errors)")
    let verified = try run(["case", "verify", "site.sqlite"])
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test("compares receiver with receiver, however their recordings are cut") func compared() throws
  {
    let made = try Tool.shell(
      "mkdir whole; mkdir whole/door whole/hall; cp door.btsnoop whole/door/a.btsnoop; cp hall.btsnoop whole/hall/a.btsnoop",
      in: scratch.folder)
    #expect(made.status == 0)
    let run = try run(["compare", "--observers", "folder", "whole", "site"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("by 2 radios"))
    #expect(run.output.contains("0 missing, 0 new, 0 changed, 1 as before"), "\(run.output)")
  }

  @Test("compares folders whose names differ by a date alone, and tells what is left") func dated()
    throws
  {
    let made = try Tool.shell(
      "mkdir -p may/door-2026-05-12T10-00-00Z may/hall june/door-2026-06-12T10-00-00Z june/hall june/attic; "
        + "cp door.btsnoop may/door-2026-05-12T10-00-00Z/a.btsnoop; cp hall.btsnoop may/hall/a.btsnoop; "
        + "cp door.btsnoop june/door-2026-06-12T10-00-00Z/b.btsnoop; cp hall.btsnoop june/hall/b.btsnoop; "
        + "cp hall.btsnoop june/attic/b.btsnoop",
      in: scratch.folder)
    #expect(made.status == 0)
    let run = try run(["compare", "--observers", "folder", "--format", "json", "may", "june"])
    #expect(run.status == 0, "\(run.errors)")
    let remarks = try JSON(run.bytes)["remarks"]?.list ?? []
    let radios = remarks.filter { $0["code"]?.text?.hasPrefix("radio_") == true }
    #expect(radios.map { $0["code"]?.text } == ["radio_new"], "\(run.output)")
    #expect(radios.first?["text"]?.text?.contains("attic") == true)
  }

  @Test("compare is the same as with each folder named by itself") func comparedAlike() throws {
    let short = try run(["compare", "--observers", "folder", "site", "--after", "site/hall"])
    let long = try run(
      ["compare"] + Self.named + ["site", "--after", "site/hall"])
    #expect(short.status == 0, "\(short.errors)")
    #expect(short.bytes == long.bytes)
    #expect(short.errors == long.errors)
    let files = try ["door", "hall"].map { receiver in
      let names = try FileManager.default.contentsOfDirectory(
        atPath: scratch.folder.appending(path: "site/\(receiver)").path)
      let paths = names.sorted().map { "site/\(receiver)/\($0)" }
      return ["--observer", "\(receiver)=" + paths.joined(separator: ",")]
    }
    let each = try run(["compare"] + files.joined() + ["site", "--after", "site/hall"])
    #expect(short.bytes == each.bytes)
  }

  @Test("the page is the same as with each folder named by itself") func page() throws {
    let made = try Tool.shell(
      "$TOOL analyze --observers folder --report short.html site > short.txt && "
        + "$TOOL analyze --observer door=site/door --observer hall=site/hall --report long.html site > long.txt && "
        + "sed -i 's/long.html/short.html/' long.txt && cmp short.html long.html && cmp short.txt long.txt",
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test("tells what lies in nobody's folder") func loose() throws {
    _ = try Tool.shell("cp door.btsnoop site/x.btsnoop", in: scratch.folder)
    let text = try run(["analyze", "--observers", "folder", "site"]).output
      .replacing(/\s+/, with: " ")
    #expect(
      text.contains(
        "site/x.btsnoop lies in no receiver's folder: it is taken for a radio of its own"),
      "\(text)")
  }

  @Test("does not say of a path that leads nowhere in whose folder it lies") func nowhere() throws {
    for command in ["events", "clocks", "analyze"] {
      let run = try run([command, "--observers", "folder", "site", "nowhere"])
      #expect(run.status == 66 && run.errors.contains("nowhere: cannot be opened"), "\(run.errors)")
      let told = (run.errors + run.output).replacing(/\s+/, with: " ")
      #expect(!told.contains("lies in no receiver's folder"), "\(told)")
    }
  }

  private static let missing =
    "holds no capture that could be read: where it is a receiver's folder, that receiver is missing here."

  @Test("tells of a receiver's folder that holds no capture") func missing() throws {
    let made = try Tool.shell(
      "mkdir -p site/yard site/.hidden copies/hall copies/door && cp site/hall/* copies/hall && "
        + "cp site/hall/* copies/door", in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    for command in ["events", "clocks", "sightings"] {
      let loud = try run([command, "--observers", "folder", "site"])
      #expect(
        loud.status == 0 && loud.errors.contains("site/yard \(Self.missing)"), "\(loud.errors)")
      #expect(!loud.errors.contains("hidden"), "\(loud.errors)")
      #expect(try run([command, "-q", "--observers", "folder", "site"]).errors.isEmpty)
    }
    let told = try run(["analyze", "-q", "--observers", "folder", "site"])
    #expect(told.status == 0 && told.errors.isEmpty, "\(told.errors)")
    #expect(
      told.output.replacing(/\s+/, with: " ").contains("! site/yard \(Self.missing)"),
      "\(told.output)")
    let json = try JSON(
      run(["analyze", "-q", "--observers", "folder", "--format", "json", "site"]).bytes)
    let remarks = json["remarks"]?.list?.filter { $0["code"]?.text == "receiver_missing" } ?? []
    #expect(remarks.map { $0["text"]?.text } == ["site/yard \(Self.missing)"])
    // Without the option, and of copies that are left out, nothing is missing.
    #expect(!(try run(["analyze", "-q", "site"])).output.contains("no capture that could be read"))
    let copies = try run(["analyze", "--observers", "folder", "copies"])
    #expect(!copies.errors.contains(Self.missing), "\(copies.errors)")
  }

  @Test("a case keeps which receiver was missing, until a capture of it is there")
  func missingInCase()
    throws
  {
    let made = try Tool.shell(
      "mkdir site/yard && $TOOL analyze -q --observers folder --case site.sqlite site > story.txt && "
        + "$TOOL case verify site.sqlite", in: scratch.folder)
    #expect(made.status == 0 && made.output.contains("every table comes out the same"), "\(made)")
    let query = "SELECT count(*) FROM remarks WHERE code = 'receiver_missing'"
    func count() throws -> String {
      try run(["case", "query", "--format", "csv", "site.sqlite", query]).lines.last ?? ""
    }
    // The remark, and what stands where files that were passed over do.
    #expect(try count() == "2\r")
    let added = try Tool.shell(
      "cp door.btsnoop site/yard/a.btsnoop && $TOOL analyze -q --case site.sqlite site/yard > story.txt",
      in: scratch.folder)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try count() == "0\r")
  }

  @Test("a file is no folder of captures, and live has nothing to put together") func refused()
    throws
  {
    let odd = try run(["analyze", "--observers", "files", "site"])
    #expect(odd.status == 64 && odd.errors.contains("folder"), "\(odd.errors)")
    let live = try run(["live", "-i", "bluetooth-monitor", "--observers", "folder"])
    #expect(live.status == 64 && live.errors.contains("--name hall"), "\(live.errors)")
  }
}
