import Foundation
import Testing

/// `share`: captures with pseudonyms.
@Suite("Captures that are shared", .timeLimit(.minutes(60)))
struct ShareTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: scratch.folder.appending(path: name)))
  }

  private struct Entry {
    let kind, original, pseudonym, within: String

    /// As it lies in packets, either way round; nil of what is too short to be found by more than chance.
    var bytes: [[UInt8]]? {
      let digits = original.replacing(":", with: "").replacing("-", with: "")
      switch kind {
      case "address", "uuid", "namespace", "eid": break
      default: return nil
      }
      let found = stride(from: 0, to: digits.count, by: 2).compactMap { place -> UInt8? in
        let start = digits.index(digits.startIndex, offsetBy: place)
        return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
      }
      return [found, found.reversed()]
    }
  }

  private func table(_ name: String) throws -> [Entry] {
    let lines = String(decoding: try bytes(name), as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
    #expect(lines.first == "kind,original,pseudonym,of")
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Entry(
        kind: cells[0], original: cells[1], pseudonym: cells[2], within: cells.last ?? "")
    }
  }

  /// Lines of sightings, with what the table says in the place of what it is about.
  private func sightings(_ words: [String], _ table: [Entry]) throws -> [String] {
    let run = try Tool.run(
      ["sightings", "--format", "ndjson", "-q"] + words, in: scratch.folder)
    let known = Dictionary(
      table.map { ("\($0.kind) \($0.within) \($0.original)", $0.pseudonym) },
      uniquingKeysWith: { one, _ in one })
    func other(_ kind: String, _ value: String?, _ within: String = "") -> String {
      guard let value else { return "-" }
      return known["\(kind) \(within) \(value)"] ?? value
    }
    return try run.lines.map { line in
      let json = try JSON(line)
      let text = { (key: String) in json[key]?.text }
      let number = { (key: String) in json[key]?.number.map { String(Int($0)) } }
      var cells = [
        number("frame"), text("time"), number("rssi"), text("kind"), number("channel"),
        text("address_type"), number("measured_power"), number("battery_mv"),
      ].map { $0 ?? "-" }
      cells.append(other("address", text("address")))
      cells.append(other("uuid", text("uuid") ?? text("id1")))
      let uuid = text("uuid") ?? text("id1") ?? ""
      cells.append(other("major", number("major") ?? number("id2"), uuid))
      cells.append(other("minor", number("minor") ?? number("id3"), uuid))
      cells.append(other("namespace", text("namespace")))
      cells.append(other("instance", text("instance"), text("namespace") ?? ""))
      cells.append(other("eid", text("eid")))
      return cells.joined(separator: " ")
    }
  }

  /// Every container and link type.
  @Test("receivers that have a folder each have one again")
  func foldersOfReceivers() throws {
    for (number, name) in ["door", "hall"].enumerated() {
      for file in 1...2 {
        try FileManager.default.createDirectory(
          at: scratch.folder.appending(path: "site/\(name)"), withIntermediateDirectories: true)
        let made = try run(
          "synth", "--duration", "20", "--seed", "\(10 * number + file)", "--out",
          "site/\(name)/\(file).btsnoop")
        try #require(made.status == 0, "\(made.errors)")
      }
    }
    try FileManager.default.copyItem(
      at: scratch.folder.appending(path: "site/door/1.btsnoop"),
      to: scratch.folder.appending(path: "site/loose.btsnoop"))
    let shared = try run("share", "-q", "--into", "shared", "site")
    #expect(shared.status == 0, "\(shared.errors)")
    let files = ["door/1", "door/2", "hall/1", "hall/2", "loose"]
    for file in files { #expect(try !bytes("shared/\(file).pcapng").isEmpty) }
    func observers(_ folder: String) throws -> [String] {
      let run = try run(
        "sightings", "-q", "--format", "ndjson", "--observers", "folder", "\(folder)/door",
        "\(folder)/hall")
      return Set(try run.lines.compactMap { try JSON($0)["observer"]?.text }).sorted()
    }
    #expect(try observers("shared") == ["door", "hall"])
    #expect(try observers("site") == ["door", "hall"])
  }

  @Test("say the same, frame by frame, and name nobody", arguments: Captures.smallRows)
  func theSame(_ row: IndexRow) throws {
    let name =
      "original."
      + (row.file.split(separator: "/").last ?? "").split(separator: ".").dropFirst()
      .joined(separator: ".")
    try scratch.write(name, Captures.read(row.file))
    let made = try run("share", "--into", "shared", "--table", "who.csv", name)
    let plain = try Tool.run(["sightings", "--format", "ndjson", name], in: scratch.folder)
    // What is damaged is read as far as it goes, here as there.
    #expect(made.status == plain.status, "\(made.errors)")
    #expect(
      made.lines.contains {
        $0.hasPrefix("Checked: ") && $0.hasSuffix("are the same, frame by frame.")
      })
    #expect(made.lines.allSatisfy { $0.count <= 80 })
    let table = try table("who.csv")
    let theirs = try sightings(["shared"], [])
    #expect(try sightings([name], table) == theirs)
    #expect(theirs.count == plain.lines.count)
    let file = try bytes("shared/original.pcapng")
    for entry in table {
      for form in entry.bytes ?? [] {
        #expect(file.firstRange(of: form) == nil, "\(entry.kind) \(entry.original)")
      }
    }
  }

  @Test("have the same pseudonyms by the same secret, and others without it") func secrets() throws
  {
    try scratch.write("phone.log", Captures.read(Captures.h4))
    let first = try run("share", "--into", "one", "--secret", "site.secret", "phone.log")
    #expect(first.errors.contains("site.secret: a new secret."))
    let mode = try FileManager.default.attributesOfItem(
      atPath: scratch.folder.appending(path: "site.secret").path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let second = try run("share", "--into", "two", "--secret", "site.secret", "phone.log")
    #expect(second.status == 0 && second.errors.isEmpty, "\(second.errors)")
    #expect(try bytes("one/phone.pcapng") == bytes("two/phone.pcapng"))
    #expect(try run("share", "--into", "three", "phone.log").status == 0)
    #expect(try bytes("one/phone.pcapng") != bytes("three/phone.pcapng"))
  }

  @Test("and who is who is for whoever shared them alone") func tableIsOwn() throws {
    try scratch.write("phone.log", Captures.read(Captures.h4))
    #expect(try run("share", "--into", "shared", "--table", "who.csv", "phone.log").status == 0)
    let mode = try FileManager.default.attributesOfItem(
      atPath: scratch.folder.appending(path: "who.csv").path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("of before 1970 keep their times") func old() throws {
    var bytes = try Captures.read(Captures.h4)
    // btsnoop's times count from the year 0: each record's, 24 bytes behind its beginning less eight.
    var at = 16
    while at + 24 <= bytes.count {
      let count = bytes[(at + 4)..<(at + 8)].reduce(0) { $0 << 8 | Int($1) }
      var time = bytes[(at + 16)..<(at + 24)].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      time -= 60 * 366 * 86_400 * 1_000_000
      for place in 0..<8 {
        bytes[at + 16 + place] = UInt8(truncatingIfNeeded: time >> (56 - 8 * Int64(place)))
      }
      at += 24 + count
    }
    try scratch.write("old.btsnoop", bytes)
    let made = try run("share", "--into", "shared", "old.btsnoop")
    #expect(made.status == 0 && made.output.contains("Checked: 34 sightings"), "\(made.errors)")
    let first = try run("sightings", "--format", "ndjson", "-q", "shared/old.pcapng").lines.first
    #expect(try JSON(first ?? "")["time"]?.text?.hasPrefix("1966-") == true, "\(first ?? "")")
  }

  @Test("are named after the originals, each once") func names() throws {
    for name in ["north/a.btsnoop", "south/a.btsnoop", "b.btsnoop"] {
      try scratch.write("site/\(name)", Captures.read(Captures.h4))
    }
    #expect(try run("share", "--into", "shared", "site").status == 0)
    func shared(_ folder: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(
        atPath: scratch.folder.appending(path: folder).path
      ).filter { $0.hasSuffix(".pcapng") }.sorted()
    }
    #expect(try shared("shared") == ["b.pcapng", "north/a.pcapng", "south/a.pcapng"])
    #expect(try run("share", "--into", "one", "site/north", "site/b.btsnoop").status == 0)
    #expect(try shared("one") == ["a.pcapng", "b.pcapng"])
  }

  @Test("lie as the originals do where receivers have a folder each, so that days can be compared")
  func folders() throws {
    for name in ["w1/shop", "w1/lab", "w2/shop", "2026-05-19/w3/lab"] {
      try scratch.write("site/\(name)/a.btsnoop", Captures.read(Captures.h4))
    }
    func shared(_ folder: String, _ words: String...) throws -> [String] {
      let made = try Tool.run(
        ["share", "-q", "--into", folder] + words, in: scratch.folder)
      #expect(made.status == 0, "\(made.errors)")
      return try FileManager.default.subpathsOfDirectory(
        atPath: scratch.folder.appending(path: folder).path
      ).filter { $0.hasSuffix(".pcapng") }.sorted()
    }
    let all = [
      "2026-05-19/w3/lab/a.pcapng", "w1/lab/a.pcapng", "w1/shop/a.pcapng", "w2/shop/a.pcapng",
    ]
    #expect(try shared("shared", "site") == all)
    #expect(
      try shared("two", "site/w1", "./site/w2/")
        == ["w1/lab/a.pcapng", "w1/shop/a.pcapng", "w2/shop/a.pcapng"])
    let compared = try Tool.run(
      "compare", "-q", "--observers", "folder", "shared/w1", "shared/w2", in: scratch.folder)
    #expect(compared.output.contains("Observer lab"), "\(compared.output)")
    #expect(!compared.output.contains("Observer shop"), "\(compared.output)")
  }

  @Test("say of a damaged original what is wrong with it, to whoever gets them, too")
  func damaged() throws {
    try scratch.write("bad.btsnoop", try BadInputTests.damaged())
    try scratch.write("good.btsnoop", try Captures.read(Captures.h4))
    let shared = try run("share", "--into", "out", "bad.btsnoop", "good.btsnoop")
    #expect(shared.status == 65)
    let text = shared.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(text.contains("the original is damaged: 1 damaged place, "), "\(text)")
    #expect(text.contains("Damaged: 1 of 2 captures"), "\(text)")
    let comment = String(decoding: try bytes("out/bad.pcapng").prefix(600), as: UTF8.self)
    #expect(comment.contains("The original is damaged: 1 damaged place, "), "\(comment)")
    let other = String(decoding: try bytes("out/good.pcapng").prefix(600), as: UTF8.self)
    #expect(other.contains("Shared by beacontrace") && !other.contains("damaged"))
  }

  @Test("of an input that cannot be read there is none, and the others are shared")
  func unreadable()
    throws
  {
    try scratch.write("text.btsnoop", Array("no capture\n".utf8))
    try scratch.write("phone.log", Captures.read(Captures.h4))
    let made = try run("share", "--into", "shared", "text.btsnoop", "phone.log")
    #expect(made.status == 66, "\(made.errors)")
    #expect(made.output.contains("Checked: "))
    let found = try FileManager.default.contentsOfDirectory(
      atPath: scratch.folder.appending(path: "shared").path)
    #expect(found == ["phone.pcapng"])
  }

  @Test("what cannot be done is said before anything is written") func refusals() throws {
    try scratch.write("phone.log", Captures.read(Captures.h4))
    try scratch.write("bad.secret", Array("abc\n".utf8))
    try scratch.write("there/file", [1])
    for (words, status, says) in [
      (["--into", "there", "phone.log"], Int32(74), "there: it is there already"),
      (["--into", "x", "--secret", "bad.secret", "phone.log"], 64, "bad.secret: holds no secret"),
      (["--into", "x", "--table", "phone.log", "phone.log"], 64, "that is a capture, too"),
      (["--into", "x", "--table", "x/who.csv", "phone.log"], 64, "would go along with x"),
      (["--into", "./x", "--secret", "x/../x/a/s", "phone.log"], 64, "would go along with ./x"),
      (["--into", "there", "--secret", "new.secret", "phone.log"], 74, "Nothing was written"),
      (["phone.log"], 64, "--into"),
    ] {
      let run = try Tool.run(["share"] + words, in: scratch.folder)
      #expect(run.status == status && run.errors.contains(says), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: scratch.folder.appending(path: "x").path))
    }
    #expect(try bytes("phone.log") == Captures.read(Captures.h4))
    let path = scratch.folder.appending(path: "new.secret").path
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a capture without a packet is shared as one, wherever it stands") func empty() throws {
    try scratch.write("a-empty.log", Array(Captures.read(Captures.h4).prefix(16)))
    try scratch.write("b.log", Captures.read(Captures.h4))
    let shared = try run("share", "--into", "s", "a-empty.log", "b.log")
    #expect(shared.status == 0, "\(shared.errors)")
    #expect(shared.output.contains("are the same, frame by frame"), "\(shared.output)")
    let read = try run("info", "s/a-empty.pcapng", "s/b.pcapng")
    #expect(read.status == 0, "\(read.errors)")
  }
}
