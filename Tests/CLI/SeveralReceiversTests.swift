import Foundation
import Testing

/// Captures of several receivers, from outside: who heard what, and what was meant.
@Suite(.timeLimit(.minutes(60)))
struct SeveralReceiversTests {
  private static let logs = "FS/data/misc/bluetooth/logs"

  /// Folders with a copy each, in which the last byte tells it from the others: else they would be left out.
  private static func scratch(_ paths: [String], _ capture: String = Captures.h4) throws -> Scratch
  {
    let scratch = try Scratch()
    for (place, path) in paths.enumerated() {
      var bytes = try Captures.read(capture)
      bytes[bytes.count - 1] ^= UInt8(place)
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: path).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      try scratch.write(path, bytes)
    }
    return scratch
  }

  @Test func phonesOfBugReportsAreToldApartInEveryColumn() throws {
    let scratch = try Self.scratch(
      ["anna", "bert"].map { "site/bugreport-\($0)/\(Self.logs)/btsnoop_hci.log" })
    for words in [["analyze"], ["events"]] {
      let run = try Tool.run(words + ["site"], in: scratch.folder)
      #expect(run.output.contains("anna/bt"), "\(run.output)")
      #expect(run.output.contains("bert/bt"), "\(run.output)")
    }
  }

  @Test func sightingsOfSeveralObserversHaveAColumnForThem() throws {
    let scratch = try Self.scratch(["north.btsnoop", "south.btsnoop"])
    let run = try Tool.run("sightings", "north.btsnoop", "south.btsnoop", in: scratch.folder)
    let headings = run.lines.filter { $0.contains("UTC") }
    #expect(headings.count == 1 && headings[0].hasSuffix(" UTC, observer north"), "\(headings)")
    let rest = run.lines.drop { !$0.contains("  south             ") }
    #expect(rest.count > 2)
    #expect(
      rest.allSatisfy {
        $0.contains("  south             ") || $0.contains("  north             ")
      },
      "\(rest.prefix(5))")
    let one = try Tool.run("sightings", "north.btsnoop", in: scratch.folder)
    #expect(one.lines.dropFirst().allSatisfy { !$0.contains("north") })
  }

  @Test(arguments: [
    (["--clock", "pi.btsnoop=+2h"], "did you mean 'site/pi.btsnoop'?"),
    (["--clock", "site/pj.btsnoop=+2h"], "did you mean 'site/pi.btsnoop'?"),
    (["--clock", "hci.log=+2h"], "did you mean 'site/anna/hci.log' or 'site/bert/hci.log'?"),
    (["--clock", "elsewhere.pcap=+2h"], "name it among them, too."),
    (["--observer", "phone=./pi.btsnoop"], "did you mean 'site/pi.btsnoop'?"),
  ])
  func aCaptureOfAFolderIsGuessed(_ words: [String], _ said: String) throws {
    let scratch = try Self.scratch(["site/pi.btsnoop", "site/anna/hci.log", "site/bert/hci.log"])
    let run = try Tool.run(["analyze"] + words + ["site"], in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.errors.contains(said), "\(run.errors)")
  }

  @Test func linksToFoldersAreTold() throws {
    let scratch = try Self.scratch(["site/pi.btsnoop", "b/walk.btsnoop"])
    let run = try Tool.shell(
      "ln -s ../b site/link; ln -s b alone; mkdir c; ln -s ../b c/link; \"$TOOL\" info site; \"$TOOL\" info c",
      in: scratch.folder)
    #expect(
      run.errors.hasPrefix(
        "site/link is a link to a folder and was not followed: name that folder, too.\n"),
      "\(run.errors)")
    #expect(!run.errors.contains("no capture and was"))
    #expect(run.errors.contains("c/link leads to a folder: name that folder instead."))
  }

  @Test func exportsSayThatAClockWasMoved() throws {
    let scratch = try Self.scratch(["site/pi.btsnoop"], Captures.h4)
    let words = ["-q", "--clock", "site/pi.btsnoop=+2h", "site"]
    func export(_ form: String) throws -> Run {
      try Tool.run(["export", "--to", form] + words, in: scratch.folder)
    }
    let lines = try export("timesketch").lines.map { try JSON($0) }
    let moved = lines.filter { $0["clock_moved_s"]?.number == 7200 }
    #expect(moved.contains { $0["data_type"]?.text == "beacontrace:capture" })
    #expect(
      lines.filter { $0["data_type"]?.text == "beacontrace:event" }
        .allSatisfy { $0["clock_moved_s"]?.number == 7200 })
    let pcapng = String(decoding: try export("pcapng").bytes, as: UTF8.self)
    #expect(pcapng.contains(", clock moved by +7200 s"))
    #expect(pcapng.contains("\nclock moved by +7200 s: in the capture it is of 2026-05-19 10:"))
    let perfetto = String(decoding: try export("perfetto").bytes, as: UTF8.self)
    #expect(perfetto.contains("clock_moved_s"))
    let plain = try Tool.run("export", "-q", "--to", "timesketch", "site", in: scratch.folder)
    #expect(!plain.output.contains("clock_moved_s"))
    let made = try Tool.run(["analyze", "--case", "site.sqlite"] + words, in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let rows = try Tool.run(
      "case", "query", "--format", "csv", "site.sqlite", "SELECT moved_ns FROM captures",
      in: scratch.folder)
    #expect(rows.output == "moved_ns\r\n7200000000000\r\n")
  }

  @Test func aHostsOwnMessagesAreNoReceiver() throws {
    let scratch = try Self.scratch(["pi.btsnoop"], "museum/btsnoop-monitor.btsnoop")
    let run = try Tool.run(
      "analyze", "--report", "page.html", "--case", "pi.sqlite", "pi.btsnoop", in: scratch.folder)
    let rows = try Tool.run(
      "case", "query", "--format", "csv", "pi.sqlite", "SELECT name, is_host FROM observers",
      in: scratch.folder)
    try #require(rows.output.contains("pi/system,1"), "\(rows.output)")
    #expect(!run.output.contains("pi/system (--all)"), "\(run.output)")
    let page = String(
      decoding: try Data(contentsOf: scratch.folder.appending(path: "page.html")), as: UTF8.self)
    #expect(page.contains("One receiver listened: pi/hci0"))
    #expect(!page.contains("2 receivers together"))
  }

  /// Two that differ in their UUID alone.
  @Test func theListOfBeaconsHasANameForEach() throws {
    let scratch = try Scratch()
    let uuid: [UInt8] = [0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0]
    let bytes = Data(try Captures.read(Captures.h4))
    var patched = bytes
    var from = bytes.startIndex
    while let found = bytes.range(of: Data(uuid), in: from..<bytes.endIndex) {
      patched.replaceSubrange(found.upperBound..<found.upperBound + 4, with: [0, 1, 0, 1])
      from = found.upperBound
    }
    try scratch.write("day.btsnoop", Array(patched))
    let made = try Tool.run(
      "export", "--to", "regions", "-o", "site.txt", "day.btsnoop", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let list = Text.lines(
      try String(contentsOf: scratch.folder.appending(path: "site.txt"), encoding: .utf8))
    #expect(list.filter { $0.hasPrefix("ibeacon 1-1") }.count == 2, "\(list)")
    #expect(list.contains("url example.com/hall=url:https://example.com/hall"), "\(list)")
    #expect(list.allSatisfy { $0.isEmpty || $0.hasPrefix("#") || $0.contains("=") })
    let run = try Tool.run(
      "analyze", "--regions", "site.txt", "day.btsnoop", in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.output.contains("twice"), "\(run.output)")
  }
}
