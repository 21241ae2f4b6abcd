import Foundation
import Testing

/// What `sightings` writes, in its three forms.
@Suite(.timeLimit(.minutes(60)))
struct SightingsTests {
  static func ndjson(_ words: String...) throws -> [String] {
    try Tool.run(["sightings", "--format", "ndjson"] + words).lines
  }

  @Test(arguments: Captures.smallRows)
  func linesHaveTheKeysOfTheContract(_ row: IndexRow) throws {
    let run = try Tool.run("sightings", "--format", "ndjson", row.file)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let lines = run.lines
    #expect(lines.count == row.sightings.values.reduce(0, +))
    // Of the long ones, a part.
    for line in lines.prefix(300) {
      #expect(try SightingKeys.fault(of: line) == nil, "\(line)")
      #expect(line.hasPrefix("{\"capture\":\"\(row.file)\",\"frame\":"))
    }
    for (kind, count) in row.sightings {
      let found = lines.count { $0.contains(",\"kind\":\"\(kind)\",") }
      #expect(found == count, "\(kind)")
    }
  }

  /// Every sighting of twenty thousand beacons has a line, too.
  @Test func manyBeacons() throws {
    let row = try #require(Captures.rows.first { $0.identities > 1000 })
    let lines = try Self.ndjson(row.file)
    #expect(lines.count == row.sightings["ibeacon"])
    #expect(Set(lines).count == lines.count)
  }

  @Test(arguments: Captures.smallRows)
  func cellsHoldTheSameFacts(_ row: IndexRow) throws {
    let lines = try Self.ndjson(row.file)
    let text = try Tool.run("sightings", "--format", "csv", row.file).output
    let rows = CSV.rows(text)
    let columns = try #require(rows.first)
    #expect(rows.count == lines.count + 1)
    #expect(rows.allSatisfy { $0.count == columns.count })
    #expect(columns.prefix(12).map { $0 } == SightingKeys.common.map(\.0))
    for (line, cells) in zip(lines, rows.dropFirst()).prefix(100) {
      let members = try JSON(line).members ?? [:]
      #expect(Set(members.keys).isSubset(of: columns))
      for (column, cell) in zip(columns, cells) {
        #expect(Self.isSame(members[column] ?? .null, cell), "\(column): \(cell)")
      }
    }
  }

  private static func isSame(_ value: JSON, _ cell: String) -> Bool {
    switch value {
    case .null: cell.isEmpty
    case .number(let number): Double(cell) == number
    case .text(let text): cell == text
    case .list(let items): cell == items.compactMap(\.text).joined(separator: " ")
    default: false
    }
  }

  @Test(arguments: Captures.smallRows)
  func textHasOneLineASighting(_ row: IndexRow) throws {
    let run = try Tool.run("sightings", row.file)
    let headings = run.lines.filter { $0.contains("observer ") }
    #expect(!headings.isEmpty)
    let lines = run.lines.filter { !headings.contains($0) }
    let objects = try Self.ndjson(row.file)
    #expect(lines.count == objects.count)
    for (line, object) in zip(lines, objects).prefix(50) {
      let value = try JSON(object)
      let clock = value["time"]?.text.map { String($0.dropFirst(11).prefix(12)) } ?? "no time"
      #expect(line.hasPrefix(clock))
      #expect(line.contains(value["kind"]?.text ?? "?"))
      if let address = value["address"]?.text { #expect(line.contains(address)) }
    }
  }

  @Test(arguments: ["museum/pcap-251-air.pcap", Captures.air, "museum/pcap-272-nordic-v2.pcap"])
  func badChecksumsAreKeptOnDemand(_ file: String) throws {
    let without = try Self.ndjson(file)
    let with = try Self.ndjson("--keep-bad-crc", file)
    let added = with.filter { $0.hasSuffix(",\"warnings\":[\"crc_bad\"]}") }
    #expect(!without.contains { $0.contains("crc_bad") })
    #expect(added.count == 1)
    #expect(with.filter { !added.contains($0) } == without)
    let text = try Tool.run("sightings", "--keep-bad-crc", file).lines
    #expect(text.count { $0.hasSuffix(" ! crc_bad") } == 1)
  }

  @Test(arguments: [
    (Captures.h4, ["btsnoop-h4"]), ("museum/pcap-256.pcap.zst", ["pcap-256"]),
    ("museum/btsnoop-monitor.btsnoop", ["btsnoop-monitor/hci0"]),
    ("museum/bugreport-v2-wide.txt", ["bugreport-v2-wide"]),
    ("museum/pcapng-le.pcapng", ["pcapng-le/bluetooth0", "pcapng-le/sniffer"]),
    ("museum/pcapng-sections.pcapng", ["pcapng-sections/0", "pcapng-sections/1"]),
  ])
  func observers(_ file: String, _ names: [String]) throws {
    let found = try Self.ndjson(file).compactMap { try JSON($0)["observer"]?.text }
    #expect(Set(found) == Set(names))
  }

  /// Two files of one name: two observers.
  @Test func capturesOfOneName() throws {
    let scratch = try Scratch()
    for (folder, file) in [("hall", Captures.air), ("yard", "museum/pcap-187-hci.pcap")] {
      try scratch.write("\(folder)/site.pcap", try Captures.read(file))
    }
    let run = try Tool.run(
      "sightings", "--format", "ndjson", "hall/site.pcap", "yard", in: scratch.folder)
    #expect(run.errors.isEmpty)
    let found = try run.lines.compactMap { try JSON($0)["observer"]?.text }
    #expect(Set(found) == ["hall/site", "yard/site"])
    #expect(found.count { $0.hasPrefix("yard") } > 20)
  }

  // MARK: Several captures

  static let pairs = [
    (Captures.h4, Captures.air), ("museum/pcap-201-hci-direction.pcap", Captures.walk),
    ("recorded/monitor.pcap", "recorded/ext-mgmt-scan.pcap"),
    ("museum/pcapng-sections.pcapng", Captures.h4),
  ]

  @Test(arguments: pairs)
  func capturesAreMergedByTime(_ first: String, _ second: String) throws {
    let merged = try Self.ndjson(first, second)
    let other = try Self.ndjson(second, first)
    #expect(merged.sorted() == other.sorted())
    for capture in [first, second] {
      let prefix = "{\"capture\":\"\(capture)\","
      let alone = try Self.ndjson(capture)
      #expect(merged.filter { $0.hasPrefix(prefix) } == alone)
      #expect(other.filter { $0.hasPrefix(prefix) } == alone)
    }
    for lines in [merged, other] { #expect(Self.isInOrder(lines)) }
  }

  /// By time, where a capture's clock that steps back holds its sightings at the latest time so
  /// far, and sightings without a time follow the one before.
  private static func isInOrder(_ lines: [String]) -> Bool {
    var clocks: [Substring: Substring] = [:]
    var turn: Substring = ""
    for line in lines {
      let capture = line.dropFirst(12).prefix { $0 != "\"" }
      var clock = clocks[capture] ?? ""
      if let start = line.range(of: "\"time\":\"") {
        clock = max(clock, line[start.upperBound...].prefix(30))
      }
      clocks[capture] = clock
      if clock < turn { return false }
      turn = clock
    }
    return true
  }

  @Test(arguments: ["text", "ndjson", "csv"])
  func twoRunsGiveTheSameBytes(_ format: String) throws {
    let words = ["sightings", "--format", format, Captures.walk, Captures.air, Captures.h4]
    let first = try Tool.run(words)
    #expect(try Tool.run(words).bytes == first.bytes)
    #expect(first.status == 0)
  }
}
