import Analysis
import Beacons
import CaptureReader
import Foundation
import FrameDecoder
import Testing

/// Recordings by others, against the counts of independent readers and against tshark.
@Suite struct PublicCaptureTests {
  @Test(.needs(.publicCaptures)) func allOfThemAreThere() throws {
    #expect(Surroundings.publicCaptures.count == 8)
    let expected = try Expected.table()
    #expect(expected.count == 31)
    #expect(Set(expected.map(\.file)).isSubset(of: Surroundings.publicCaptures))
  }

  /// A file that the table does not name holds no iBeacon.
  @Test(.needs(.publicCaptures), arguments: Surroundings.publicCaptures)
  func iBeaconsAreThoseOfTheTable(_ file: String) throws {
    let path = Surroundings.publicFolder.appending(path: file).path
    var counting = Counting()
    var analysis = Analysis([.file(path)])
    let result = try analysis.run(into: &counting)
    #expect(result.problems.isEmpty)
    let start = try #require(result.captures.first).span.earliest
    let found = counting.rows(since: start).map { "\(file)\t\($0)" }
    let expected = try Expected.table().filter { $0.file == file }.map(\.line)
    #expect(differences(found.sorted(), from: expected.sorted()) == [])
  }

  @Test(
    .needs(.publicCaptures, .oracle, .python3, .tshark),
    arguments: runs)
  func sightingsAreThoseOfTheOracle(_ file: String, keepBadCRC: Bool) throws {
    let path = Surroundings.publicFolder.appending(path: file).path
    let oracle = Surroundings.shared.appending(path: "tools/oracle.py").path
    let python = try #require(Surroundings.program("python3"))
    let printed = try Surroundings.run(python, [oracle, path] + (keepBadCRC ? ["--bad-crc"] : []))
    let found = try SightingLines.read(path, keepBadCRC: keepBadCRC)
    #expect(differences(found, from: SightingLines.normalised(printed)) == [])
  }

  /// Only packets on the air carry a checksum.
  private static let runs =
    Surroundings.publicCaptures.map { ($0, false) }
    + Surroundings.publicCaptures.filter { $0.contains(/^nrf|^sdr|^sniffle/) }.map { ($0, true) }

  /// tshark says of every frame whether it advertises; so do we, of the same frames.
  @Test(.needs(.publicCaptures, .tshark), arguments: Surroundings.publicCaptures)
  func advertisingFramesAreThoseOfTshark(_ file: String) throws {
    let path = Surroundings.publicFolder.appending(path: file).path
    let tshark = try #require(Surroundings.program("tshark"))
    let printed = try Surroundings.run(
      tshark, ["-n", "-r", path, "-T", "fields", "-e", "frame.number"] + Self.fields)
    let frames = printed.split(separator: "\n").map(TsharkFrame.init)

    let reader = try CaptureReader.open(.file(path))
    var batch = RecordBatch()
    var decoder = FrameDecoder()
    var found: [Int] = []
    while try reader.next(into: &batch) {
      reader.withBytes { bytes in batch.records.withSpan { decoder.decode($0, bytes) } }
      found += decoder.reports.array.map(\.frame)
    }
    decoder.finish()
    found += decoder.reports.array.map(\.frame)
    let failed = decoder.tally.count(.crcFailed)
    #expect(reader.log.frames == frames.count)
    #expect(found == frames.flatMap { [Int](repeating: $0.number, count: $0.reports) })
    #expect(failed == frames.count(where: \.hasBadCRC))
  }

  private static let fields = [
    "bthci_evt.le_meta_subevent", "bthci_evt.rssi", "btle.access_address",
    "btle.advertising_header.pdu_type", "btle.crc.incorrect", "_ws.malformed",
  ].flatMap { ["-e", $0] }
}

/// A frame as tshark tells it.
private struct TsharkFrame {
  let number: Int
  /// Advertising reports, or one for a packet on the air that is an advertisement.
  let reports: Int
  /// tshark gives up on a damaged packet before it comes to the checksum: in the public captures
  /// all of those it calls malformed have a wrong one (`known-differences.md`).
  let hasBadCRC: Bool

  init(_ line: Substring) {
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    func has(_ column: Int) -> Bool { columns.count > column && !columns[column].isEmpty }
    number = Int(columns[0]) ?? 0
    let isOnAir = has(3) && columns[3] == "0x8e89bed6"
    hasBadCRC = isOnAir && (has(5) || has(6))
    if isOnAir {
      let isAdvertisement = has(4) && !["0x03", "0x05"].contains(columns[4])
      reports = isAdvertisement && !hasBadCRC ? 1 : 0
    } else if has(1), ["0x02", "0x0d"].contains(columns[1]) {
      // Every report has an RSSI.
      reports = columns[2].split(separator: ",").count
    } else {
      reports = 0
    }
  }
}

/// The table of counts that comes with the captures.
private struct Expected {
  let file: String
  let line: String

  static func table() throws -> [Expected] {
    let place = Surroundings.publicFolder.appending(path: "EXPECTED.tsv")
    return try String(contentsOf: place, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { line in
        Expected(
          file: String(line.prefix { $0 != "\t" }), line: line.lowercased())
      }
  }
}

/// iBeacons by advertiser, identity and power.
private struct Counting: FindingSink {
  private struct Row {
    var times: [Int64] = []
    var rssi: [Int8] = []
  }
  private var rows: [String: Row] = [:]

  mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    for place in sightings.indices where sightings[place].kind == .iBeacon {
      let sighting = sightings[place]
      let id = IBeacon.identityText(
        capture.identities.bytes(of: capture.identities[sighting.identity]))
      let parts = id.replacing(":", with: "\t")
      let key = "\(SightingLines.address(sighting.address))\t\(parts)\t\(sighting.power)"
      rows[key, default: Row()].times.append(sighting.time.nanoseconds)
      rows[key, default: Row()].rssi.append(sighting.rssi)
    }
  }

  mutating func pause() {}

  /// In the columns of the table.
  func rows(since start: Timestamp) -> [String] {
    rows.map { key, row in
      let gaps = zip(row.times, row.times.dropFirst()).map { $1 - $0 }
      let seconds = [row.times[0], row.times[row.times.count - 1]].map { $0 - start.nanoseconds }
      let times = (seconds + [gaps.max() ?? 0]).map { nanoseconds in
        String(format: "%.3f", Double(nanoseconds) / 1_000_000_000)
      }
      let levels = [row.rssi.min() ?? 0, row.rssi.max() ?? 0].map { "\($0)" }
      return ([key, "\(row.times.count)"] + times + levels).joined(separator: "\t")
    }
  }
}
