import Foundation
import Testing

/// `export`, from outside: where it writes, and what it refuses.
@Suite(.timeLimit(.minutes(60)))
struct ExportTests {
  /// As the tool lists them.
  static let forms = [
    "timesketch", "perfetto", "geojson", "eve", "csv", "ndjson", "pcapng", "regions",
  ]
  private static let plugin = "../plugins/beacon-silent.lua"

  @Test func withoutAFormThereIsTheListOfThem() throws {
    let run = try Tool.run("export")
    #expect(run.status == 0)
    #expect(run.lines.map { $0.split(separator: " ").first.map(String.init) } == Self.forms)
    #expect(run.lines.allSatisfy { $0.hasSuffix(".") })
  }

  @Test(arguments: [
    (["export", "x"], "--to is missing: the form, one of timesketch, perfetto,"),
    (["export", "--to", "timesketch"], "Nothing to export: name captures, or a case."),
    (["export", "--to", "csv", "x"], "csv is a folder of files: name it with -o tables."),
    (["export", "--to", "parquet", "x"], "Please provide one of the following:\n  - timesketch"),
    (
      ["export", "--to", "eve", "-o", Captures.h4, Captures.h4],
      "-o \(Captures.h4): that is an input, too; name another file."
    ),
  ])
  func wrongUsage(_ words: [String], _ says: String) throws {
    let run = try Tool.run(words)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test(.enabled(if: Shells.has("script"), "script is not installed"))
  func whatIsNoTextDoesNotGoToATerminal() throws {
    let run = try Tool.shell(
      "script -qec \"$TOOL export --to pcapng \(Captures.h4)\" /dev/null | tr -d '\\r'")
    #expect(run.output.contains("pcapng is not for terminals"))
  }

  @Test(arguments: forms.filter { $0 != "csv" })
  func aCaseGivesTheBytesThatItsCapturesGive(_ form: String) throws {
    let scratch = try Scratch()
    let made = scratch.path("site.sqlite")
    let options = ["--plugin", Self.plugin]
    #expect(
      try Tool.run(["analyze", "-q", "--case", made] + options + [Captures.walk]).status == 0)
    let fromCase = try Tool.run("export", "--to", form, made)
    let fromCapture = try Tool.run(["export", "-q", "--to", form] + options + [Captures.walk])
    let file = scratch.path("out")
    let written = try Tool.run(
      ["export", "-q", "--to", form, "-o", file] + options + [Captures.walk])
    #expect(fromCase.status == 0 && fromCapture.status == 0 && written.status == 0)
    #expect(!fromCase.bytes.isEmpty)
    #expect(fromCase.bytes == fromCapture.bytes)
    #expect(try Data(contentsOf: URL(filePath: file)) == fromCase.bytes)
    #expect(written.output.isEmpty && written.errors.isEmpty)
  }

  /// Names that somebody gave by hand may have stood there.
  @Test func whatTakesTheFilesPlaceIsTold() throws {
    let scratch = try Scratch()
    let list = scratch.path("site.txt")
    func written() throws -> String? {
      try Tool.run("export", "--to", "regions", "-o", list, Captures.h4).complaints.last
    }
    #expect(try written() == "Wrote \(list).")
    // The same once more is nobody's loss.
    #expect(try written() == "Wrote \(list).")
    try scratch.write("site.txt", Array("lobby=ibeacon:…\n".utf8))
    #expect(try written() == "Wrote \(list) in the place of the file that was there.")
  }

  @Test func csvIsANewFolder() throws {
    let scratch = try Scratch()
    let folder = scratch.path("tables")
    let run = try Tool.run("export", "--to", "csv", "-o", folder, Captures.h4)
    #expect(run.status == 0)
    #expect(run.complaints.last == "Wrote \(folder).")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains("visits.csv") && files.contains("captures.csv"))
    #expect(!files.contains("sightings.csv"))
    let again = try Tool.run("export", "--to", "csv", "-o", folder, Captures.h4)
    #expect(again.status == 74)
    #expect(again.errors.contains("it is there already; name another folder, or remove it"))
    let kept = scratch.path("kept")
    _ = try Tool.run("export", "--to", "csv", "--keep-sightings", "-o", kept, Captures.h4)
    let sightings = try String(contentsOfFile: kept + "/sightings.csv", encoding: .utf8)
    #expect(sightings.split(separator: "\r\n").count > 10)
  }

  @Test func nothingIsLeftBesideWhatCannotBeWritten() throws {
    let scratch = try Scratch()
    let run = try Tool.run(
      "export", "--to", "eve", "-o", scratch.path("no/such/folder.json"), Captures.h4)
    #expect(run.status == 74)
    #expect(run.errors.contains("cannot be written: no such file or directory"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
  }

  /// What is no file stays what it is.
  @Test func aPipeIsWrittenInto() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      mkfifo pipe
      cat pipe &
      "$TOOL" export -q --to timesketch -o pipe \(Captures.folder.path)/\(Captures.h4)
      wait
      test -p pipe && echo still a pipe
      "$TOOL" export -q --to timesketch -o /dev/stdout \(Captures.folder.path)/\(Captures.h4) | wc -l
      "$TOOL" export -q --to timesketch -o /dev/fd/5 \(Captures.folder.path)/\(Captures.h4) 5>&1 | wc -l
      """, in: scratch.folder)
    #expect(run.output.contains("Capture Begin"))
    let lines = run.lines.filter { $0.contains("timestamp_desc") }.count
    #expect(lines > 2)
    #expect(run.lines.suffix(3) == ["still a pipe", "\(lines)", "\(lines)"], "\(run.errors)")
  }

  @Test func aCaseHasItsOptionsAndGoesAlone() throws {
    let scratch = try Scratch()
    let made = scratch.path("site.sqlite")
    #expect(try Tool.run("analyze", "-q", "--case", made, Captures.h4).status == 0)
    let options = try Tool.run("export", "--to", "eve", "--profile", "core-location", made)
    #expect(options.status == 64)
    #expect(options.errors.contains("is a case, with its captures and options in it"))
    let two = try Tool.run("export", "--to", "eve", made, Captures.h4)
    #expect(two.status == 64)
    #expect(two.errors.contains("name it alone, or add to it"))
  }

  @Test func whatIsNoCaptureEndsAsEverywhere() throws {
    let scratch = try Scratch()
    try scratch.write("alerts.json", Array("old".utf8))
    let file = scratch.path("alerts.json")
    let run = try Tool.run("export", "--to", "eve", "-o", file, "INDEX.tsv")
    #expect(run.status == 66)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).count == 1)
  }
}

extension Scratch {
  fileprivate func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }
}
