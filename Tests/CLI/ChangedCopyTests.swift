import Foundation
import Testing

/// Copies of captures whose times, order or counters were changed are no second receiver and no second day.
@Suite("A changed copy", .timeLimit(.minutes(60))) struct ChangedCopyTests {
  private let site: SiteScene

  init() throws {
    site = try SiteScene()
    try site.record("door", beacons: 3, seconds: 400)
  }

  private func bytes(_ name: String = "door.btsnoop") throws -> [UInt8] {
    [UInt8](try Data(contentsOf: site.scratch.folder.appending(path: name)))
  }

  private func records() throws -> [[UInt8]] { try BtsnoopRecords.of("door.btsnoop", site.scratch) }

  private static func later(_ record: [UInt8], by seconds: Int64) -> [UInt8] {
    BtsnoopRecords.later(record, by: seconds)
  }

  private func write(_ name: String, _ records: [[UInt8]]) throws {
    try site.scratch.write(name, Array(try bytes().prefix(16)) + records.flatMap { $0 })
  }

  @Test("has its name printed as text, whatever is in it") func hostileName() throws {
    let name = "sh\u{1B}[31mift.btsnoop"
    try write(name, try records().map { Self.later($0, by: 7200) })
    for words in [["clocks", "door.btsnoop", name], ["compare", "door.btsnoop", "--after", name]] {
      let run = try Tool.run(words, in: site.scratch.folder)
      #expect(run.output.contains("holds the signals of"), "\(words) \(run.output)")
      #expect(!(run.output + run.errors).contains("\u{1B}[31m"), "\(words) \(run.output)")
    }
  }

  @Test("that is a part, at the same times, is told as that") func part() throws {
    try write("end.btsnoop", Array(try records().dropFirst(300)))
    let run = try Tool.run(["clocks", "door.btsnoop", "end.btsnoop"], in: site.scratch.folder)
    let flat = run.output.replacing(/\s+/, with: " ")
    #expect(
      flat.contains("at the same times") && flat.contains("one is a copy or a part of the other."),
      "\(run.output)")
  }

  @Test("with other times is told by analyze, compare and clocks, and no clock is mended for it")
  func otherTimes() throws {
    try write("copy.btsnoop", try records().map { Self.later($0, by: 7200) })
    let told =
      "copy.btsnoop holds the signals of door.btsnoop once more, in the same order, each 2 h 00 min later"
    let zone =
      "one of them is a copy whose times were changed, or was converted with another time zone."
    let both = ["door.btsnoop", "copy.btsnoop"]
    for words in [
      both, both + ["--observer", "door=door.btsnoop,copy.btsnoop"],
    ] {
      let run = try Tool.run(["analyze", "-q"] + words, in: site.scratch.folder)
      let flat = run.output.replacing(/\s+/, with: " ")
      #expect(flat.contains(told) && flat.contains(zone), "\(run.output)")
      #expect(!flat.contains("--clock options"), "\(run.output)")
    }
    let document = try JSON(
      try Tool.run(["analyze", "-q", "--format", "json"] + both, in: site.scratch.folder).bytes)
    let codes = document["remarks"]?.list?.compactMap { $0["code"]?.text } ?? []
    #expect(codes.contains("signals_repeated") && !codes.contains("clocks_differ"))
    #expect(try site.words("compare", "door.btsnoop", "copy.btsnoop").contains("AFTER: " + told))
    let clocks = try site.words("clocks", "door.btsnoop", "copy.btsnoop")
    #expect(clocks.contains("WARNING: " + told) && !clocks.contains("--clock c"), "\(clocks)")
    let compared = try JSON(
      try Tool.run(["clocks", "--format", "json"] + both, in: site.scratch.folder).bytes)
    #expect(compared["remarks"]?.list?.map { $0["code"]?.text } == ["signals_repeated"])
    try write("week.btsnoop", try records().map { Self.later($0, by: 604_801) })
    let week = try site.words("analyze", "-q", "door.btsnoop", "week.btsnoop")
    #expect(week.contains("each 7 d 1 s later") && !week.contains("another time zone"), "\(week)")
  }

  @Test("of which the end is missing is of no second radio, in whatever receiver's folder")
  func cutShort() throws {
    let half = try bytes()
    try site.scratch.write("all/door/door.btsnoop", half)
    try site.scratch.write("all/door/door-half.btsnoop", Array(half.prefix(half.count / 2)))
    for words in [["all"], ["--observers", "folder", "all"]] {
      let run = try Tool.run(["analyze", "-q"] + words, in: site.scratch.folder)
      let flat = run.output.replacing(/\s+/, with: " ")
      #expect(flat.contains("hold the same packets: by a sample, all of"), "\(run.output)")
      #expect(!flat.contains("two radios"), "\(run.output)")
    }
  }

  @Test("with the name of a copy is left out, and the other one read")
  func named() throws {
    let whole = try bytes()
    for name in ["a.btsnoop", "a (1).btsnoop", "a - Copy.btsnoop", "Copy of a.btsnoop"] {
      try site.scratch.write("named/\(name)", whole)
    }
    let run = try Tool.run(["analyze", "--format", "json", "named"], in: site.scratch.folder)
    let document = try JSON(run.bytes)
    let read = document["captures"]?.list?.compactMap { $0["capture"]?.text }
    #expect(read == ["named/a.btsnoop"], "\(run.errors)")
  }

  @Test("whose parts stand in another order has no time without a record, and says so")
  func otherOrder() throws {
    let records = try records()
    let start = records.count / 2
    try write("swapped.btsnoop", Array(records[start...] + records[..<start]))
    let flat = try site.words("analyze", "-q", "swapped.btsnoop")
    #expect(flat.contains("The clock was set, records are not in the order of time, or times were"))
    // The commands that begin the scan are the first records again, as in what was joined.
    try write("joined.btsnoop", Array(records[..<10] + records[start...] + records[10..<start]))
    let joined = try site.words("analyze", "-q", "joined.btsnoop")
    #expect(joined.contains("of it without any record as they follow one another ("), "\(joined)")
    #expect(
      joined.contains(
        "\(start - 10) records of that time stand elsewhere in the file: records are not in the order"
      ),
      "\(joined)")
    #expect(joined.contains("clock: times of joined.btsnoop step back, by up to"), "\(joined)")
    #expect(
      !(try site.words("analyze", "-q", "door.btsnoop")).contains("as they follow one another"))
  }

  @Test("whose counter of lost packets falls says so") func counter() throws {
    let records = try records().enumerated().map { place, record in
      var record = record
      record[15] = place < 100 ? 50 : place < 200 ? 0 : 7
      return record
    }
    try write("falls.btsnoop", records)
    let flat = try site.words("analyze", "-q", "falls.btsnoop")
    #expect(
      flat.contains(
        "its counter of lost packets falls (first at frame 101: the counter of lost packets goes from 50 to 0)"
      ),
      "\(flat)")
    try write(
      "grows.btsnoop",
      records.map { record in
        var record = record
        if record[15] == 0 { record[15] = 50 }
        if record[15] == 7 { record[15] = 57 }
        return record
      })
    let grows = try site.words("analyze", "-q", "grows.btsnoop")
    #expect(grows.contains("the recorder lost 57 packets") && !grows.contains("falls"), "\(grows)")
  }
}
