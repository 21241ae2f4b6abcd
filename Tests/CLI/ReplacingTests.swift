import CaptureWriter
import Foundation
import TestSupport
import Testing

/// What is handed over never takes the place of what it is made of.
@Suite("The page") struct ReplacingTests {
  @Test("replaces neither capture nor case") func inputs() throws {
    let scratch = try Scratch()
    let capture = scratch.folder.appending(path: "one.btsnoop")
    let before = Data(try Captures.read(Captures.h4))
    try before.write(to: capture)
    let folder = try Tool.run("analyze", "-q", "--report", capture.path, scratch.folder.path)
    #expect(folder.status == 64)
    #expect(folder.errors.contains("that is a capture, too; name another file."))
    #expect(try Data(contentsOf: capture) == before)
    let file = scratch.folder.appending(path: "c.sqlite").path
    let both = try Tool.run("analyze", "-q", "--case", file, capture.path)
    #expect(both.status == 0)
    let kept = try Data(contentsOf: URL(filePath: file))
    #expect(try Tool.run("case", "report", "-o", file, file).status == 64)
    #expect(
      try Tool.run("analyze", "-q", "--case", file, "--report", file, capture.path).status == 64)
    #expect(try Data(contentsOf: URL(filePath: file)) == kept)
  }

  @Test("and exports replace no capture and no database, whatever they are made of") func evidence()
    throws
  {
    let scratch = try Scratch()
    let site = scratch.folder.appending(path: "c.sqlite").path
    #expect(try Tool.run("analyze", "-q", "--case", site, Captures.h4).status == 0)
    let capture = scratch.folder.appending(path: "one.btsnoop.gz")
    let before = Data(Packing.gzip(try Captures.read(Captures.h4)))
    try before.write(to: capture)
    let other = scratch.folder.appending(path: "other.sqlite")
    try FileManager.default.copyItem(at: URL(filePath: site), to: other)
    let kept = try Data(contentsOf: other)
    for place in [capture.path, other.path] {
      for words in [
        ["export", "--to", "timesketch", "-o", place, site], ["case", "report", "-o", place, site],
        ["analyze", "-q", "--report", place, Captures.h4],
      ] {
        let run = try Tool.run(words)
        #expect(run.status == 64)
        #expect(run.errors.contains("is there already, and is a c"), "\(run.errors)")
      }
    }
    #expect(try Data(contentsOf: capture) == before)
    #expect(try Data(contentsOf: other) == kept)
  }

  @Test("and no frames that were cut out before are, which are what is read") func cutInputs()
    throws
  {
    let scratch = try WalkScene().scratch
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "day"), withIntermediateDirectories: false)
    for words in [
      ["sightings", "--write", "day/cut.pcapng", "walk.btsnoop"],
      ["analyze", "-q", "--case", "day.sqlite", "day/cut.pcapng"],
    ] {
      let run = try Tool.run(words, in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    let place = scratch.folder.appending(path: "day/cut.pcapng")
    let before = try Data(contentsOf: place)
    for input in ["day", "day.sqlite"] {
      let run = try Tool.run(
        ["export", "--to", "pcapng", "-o", "day/cut.pcapng", input], in: scratch.folder)
      #expect(run.status == 64 && run.errors.contains("is a capture"), "\(run.errors)")
      #expect(try Data(contentsOf: place) == before)
    }
  }

  @Test("and frames are cut out anew, but not over what another program made of them") func cuts()
    throws
  {
    let scratch = try WalkScene().scratch
    let place = scratch.folder.appending(path: "cut.pcapng")
    for words in [
      ["export", "--to", "pcapng", "-o", "cut.pcapng", "walk.btsnoop"],
      ["sightings", "--write", "cut.pcapng", "walk.btsnoop"],
    ] {
      #expect(try Tool.run(words, in: scratch.folder).status == 0)
      let first = try Data(contentsOf: place)
      #expect(try Tool.run(words, in: scratch.folder).status == 0)
      #expect(try Data(contentsOf: place) == first)
      // An option behind the comment: the program that wrote it anew.
      let length = Int(first[26]) | Int(first[27]) << 8
      let end = 28 + (length + 3) / 4 * 4
      var edited = Data(first[..<end] + [4, 0, 4, 0] + Array("edit".utf8) + first[end...])
      for at in [4, end + 12] {
        edited[at..<(at + 2)] = Data([UInt8((end + 16) & 255), UInt8((end + 16) >> 8)])
      }
      try edited.write(to: place)
      let refused = try Tool.run(words, in: scratch.folder)
      #expect(refused.status == 64 && refused.errors.contains("is a capture"), "\(refused.errors)")
      #expect(try Data(contentsOf: place) == edited)
      try FileManager.default.removeItem(at: place)
    }
    #expect(
      try Tool.run(
        "export", "--to", "pcapng", "-o", "walk.btsnoop", Captures.folder.path + "/" + Captures.h4,
        in: scratch.folder
      ).status == 64)
  }

  @Test("is not made of a case whose rows were changed") func changed() throws {
    let scratch = try Scratch()
    let file = scratch.folder.appending(path: "c.sqlite")
    #expect(try Tool.run("analyze", "-q", "--case", file.path, Captures.h4).status == 0)
    let page = scratch.folder.appending(path: "p.html").path
    #expect(try Tool.run("case", "report", "-o", page, file.path).status == 0)
    let sum = try #require(
      try Tool.run("case", "query", "--format", "csv", file.path, "SELECT sha256 FROM captures")
        .lines.last?.prefix(64))
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data(sum.utf8))).lowerBound
    bytes[place] = bytes[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    try bytes.write(to: file)
    let refused = try Tool.run("case", "report", "-o", page, file.path)
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(refused.errors.contains("changed since it was sealed: captures"), "\(refused.errors)")
  }
}
