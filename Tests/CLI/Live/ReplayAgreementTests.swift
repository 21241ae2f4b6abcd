import CaptureWriter
import Foundation
import Testing

/// A replay, and what it records, give what the file itself gives.
@Suite("A replayed capture", .timeLimit(.minutes(60))) struct ReplayAgreementTests {
  /// Its packets without a time get one.
  static let untimed = "museum/pcapng-sections.pcapng"
  static let rows = Captures.rows.filter { $0.file != untimed }

  /// Events are told when they are decided. Of several observers it is not always the order of time.
  @Test("gives the events of the file, with their ids", arguments: rows)
  func events(_ row: IndexRow) throws {
    let run = try Tool.run(ReplayedRun.words + [row.file])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let events = try ReplayedRun.events(of: row.file)
    #expect(!events.isEmpty)
    let hasOne = Set(try events.map { try JSON($0)["observer"]?.text }).count == 1
    #expect(hasOne ? run.lines == events : run.lines.sorted() == events.sorted())
  }

  @Test("gives the sightings of the file", arguments: rows)
  func sightings(_ row: IndexRow) throws {
    let run = try Tool.run(ReplayedRun.words + ["--sightings", row.file])
    #expect(run.status == 0)
    let found = run.lines.filter(ReplayedRun.isSighting)
    #expect(try found == ReplayedRun.sightings(of: row.file))
    #expect(run.lines.count > found.count)
  }

  @Test("gives packets without a time that of the packet before")
  func untimedPackets() throws {
    let run = try Tool.run(ReplayedRun.words + ["--sightings", Self.untimed])
    let found = run.lines.filter(ReplayedRun.isSighting)
    let file = try ReplayedRun.sightings(of: Self.untimed)
    #expect(found.count == file.count)
    var before: JSON?
    for (found, file) in zip(found, file) {
      guard file.contains(#""time":null"#) else {
        #expect(found == file)
        before = try JSON(file)["time"]
        continue
      }
      let members = try JSON(found).members
      #expect(
        try members?.filter { $0.key != "time" } == JSON(file).members?.filter { $0.key != "time" })
      // The packet before may have been no sighting.
      let time = try #require(members?["time"]?.text)
      #expect(time >= (before?.text ?? ""))
    }
  }

  // MARK: What is recorded

  /// Link types that btsnoop has a number for.
  static func isHCI(_ row: IndexRow) throws -> Bool {
    let names = try Tool.run("info", row.file).output
    return !["192", "251", "256", "272"].contains { names.contains("link type   \($0) ") }
      && !row.file.contains("pcapng-")
  }

  private func compare(_ row: IndexRow, recordedAs ending: String) throws {
    let scratch = try Scratch()
    var stem = row.file.split(separator: "/").last.map(String.init) ?? ""
    stem = stem.prefix { $0 != "." } + ""
    let record = "\(stem).\(ending)"
    let path = scratch.folder.appending(path: record).path(percentEncoded: false)
    let run = try Tool.run(ReplayedRun.words + ["--write", path, row.file])
    #expect(run.status == 0, "\(run.errors)")
    let events = try ReplayedRun.events(of: record, in: scratch.folder)
    #expect(!events.isEmpty)
    #expect(
      events.map(ReplayedRun.unnamed).sorted() == run.lines.map(ReplayedRun.unnamed).sorted())
    #expect(
      try ReplayedRun.sightings(of: record, in: scratch.folder).map(ReplayedRun.unnamed)
        == ReplayedRun.sightings(of: row.file).map(ReplayedRun.unnamed))
  }

  @Test("is recorded as a pcapng that gives the same", arguments: rows)
  func pcapng(_ row: IndexRow) throws { try compare(row, recordedAs: "pcapng") }

  @Test("is recorded as a btsnoop that gives the same, where it is HCI", arguments: rows)
  func btsnoop(_ row: IndexRow) throws {
    guard try !Self.isHCI(row) else { return try compare(row, recordedAs: "btsnoop") }
    let scratch = try Scratch()
    let path = scratch.folder.appending(path: "x.btsnoop").path(percentEncoded: false)
    let run = try Tool.run(ReplayedRun.words + ["--write", path, row.file])
    #expect(run.status == 74)
    #expect(run.output.isEmpty)
    #expect(run.complaints.count == 1)
    #expect(
      run.errors.hasPrefix(
        "beacontrace: \(path): btsnoop holds one interface, of the Linux monitor"))
    #expect(run.errors.hasSuffix(" Name the file .pcapng, which holds any.\n"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  // MARK: Several

  @Test("is put together with others by time")
  func several() throws {
    let files = ["museum/pcap-187-hci.pcap", "museum/pcap-251-air.pcap", "recorded/multi.pcap"]
    func place(_ line: String) -> String {
      line.replacing(/"capture":"[^"]*","frame":\d+/, with: "")
    }
    let run = try Tool.run(ReplayedRun.words + ["--sightings"] + files)
    #expect(run.status == 0, "\(run.errors)")
    let found = run.lines.filter(ReplayedRun.isSighting)
    #expect(found.allSatisfy { $0.hasPrefix(#"{"capture":"replay","frame":"#) })
    let times = try found.map { try JSON($0)["time"]?.text ?? "" }
    #expect(times == times.sorted())
    let apart = try Tool.run(["sightings", "--format", "ndjson"] + files).lines
    #expect(found.map(place).sorted() == apart.map(place).sorted())
    #expect(
      Set(try found.compactMap { try JSON($0)["observer"]?.text }) == [
        "pcap-187-hci", "pcap-251-air", "multi/hci0",
      ])
    // Ids and the moments at which something is sure have to do with frames: who is inside what has not.
    func inside(_ lines: [String]) throws -> Set<String> {
      Set(
        try lines.map { try JSON($0) }.filter { $0["state"]?.text == "inside" }.map {
          "\($0["observer"]?.text ?? "") \($0["region"]?.text ?? "") \($0["state"]?.text ?? "")"
        })
    }
    let events = try Tool.run(["events", "--format", "ndjson"] + files).lines
    #expect(try inside(run.lines.filter { !ReplayedRun.isSighting($0) }) == inside(events))
  }
}
