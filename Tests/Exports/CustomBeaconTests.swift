import Beacons
import CaptureReader
import FrameDecoder
import Testing

@testable import Analysis
@testable import Exports

/// Beacons that somebody's own decoders found, as `analyze` tells them.
@Suite struct CustomBeaconTests {
  /// - Parameter times: seconds at which each is heard.
  private static func result(_ ids: [String], at times: [Int64] = [0]) -> AnalysisResult {
    var table = IdentityTable()
    var statistics = BeaconStatistics()
    for id in ids {
      let number = UInt32(table.count)
      let any = BeaconIdentity(kind: .custom, count: 255, 0)
      table.append(any, bytes: CustomFormat.identity("ruuvi", id))
      let identity = statistics.number(of: table[number], in: table)
      let transmitter = statistics.number(
        of: Transmitter(address: DeviceAddress(5, .random), identity: identity, observer: 0))
      for seconds in times {
        let time = Timestamp(nanoseconds: (1_700_000_000 + seconds) * 1_000_000_000)
        let whole = Sighting(
          of: BeaconDraft(identity: table[number]), identity: number, time: time, frame: 1,
          index: 0, address: DeviceAddress(5, .random), observer: 0, rssi: -60, channel: 255,
          phy: .unknown)
        let brief = BriefSighting(
          time: time, frame: 1, transmitter: transmitter, whole: 1, rssi: -60)
        statistics.add(
          [brief].span, wholes: [whole].span, capture: 0, numbers: [UInt32]().span)
      }
    }
    var result = AnalysisResult()
    result.captureNames = ["site.pcapng"]
    result.observers = ["site"]
    result.statistics = statistics
    return result
  }

  @Test func jsonHasTheDecoderBesideTheId() throws {
    let collector = EventCollector()
    try AnalysisJSON.write(
      Self.result(["c0ffee", "a:\"b\" \u{1B}[2J", String(repeating: "9", count: 40)]),
      to: collector)
    for id in ["c0ffee", "a:\\\"b\\\"%20%1B[2J", String(repeating: "9", count: 40)] {
      let wanted =
        "{\"kind\":\"custom\",\"id\":\"ruuvi:\(id)\",\"decoder\":\"ruuvi\",\"sightings\":1,"
      #expect(collector.string.contains(wanted), "\(id)")
    }
    #expect(!collector.string.contains("power"))
  }

  @Test func theTableNamesThem() throws {
    let result = Self.result(["c0ffee"])
    let table = BeaconTable(style: Style(colour: false), showsAll: true)
    let beacons = result.statistics.summaries()
    let lines = table.lines(beacons, IdentifierChains(beacons, result), result)
    #expect(lines.contains("Of decoders in plugins"))
    #expect(lines.contains { $0.hasPrefix("  ruuvi:c0ffee ") })
  }

  /// `301 min 49 s` was 30 sightings, every 1 min 49 s.
  @Test("figures that fill their columns never touch") func wideInterval() throws {
    let result = Self.result(["c0ffee"], at: (0..<30).map { $0 * 109 })
    let table = BeaconTable(style: Style(colour: false), showsAll: true)
    let beacons = result.statistics.summaries()
    let lines = table.lines(beacons, IdentifierChains(beacons, result), result)
    let row = try #require(lines.first { $0.hasPrefix("  ruuvi:c0ffee ") })
    #expect(row.contains(#/ 30 1 min \d\d s +-60 /#), "\(row)")
  }

  @Test func theTableStaysInItsColumnsWhateverTheLetters() throws {
    let result = Self.result(["c0ffee", "展", "cafe\u{301}", "🦖"])
    let table = BeaconTable(style: Style(colour: false), showsAll: true)
    let beacons = result.statistics.summaries()
    let lines = table.lines(beacons, IdentifierChains(beacons, result), result)
    let rows = lines.filter { $0.hasPrefix("  ruuvi:") }
    #expect(rows.count == 4 && Set(rows.map(\.columns)).count == 1, "\(rows)")
  }
}

@Suite struct SightingColumnsTests {
  /// A contract: columns stay where they are.
  @Test func everyFieldHasItsColumn() {
    #expect(
      SightingsCSV.fields.joined(separator: " ")
        == "uuid major minor measured_power namespace instance tx_power url version battery_mv "
        + "temperature_c adv_count uptime_s ciphertext salt mic eid beacon_code company id1 id2 id3 "
        + "reserved key eid_sent clock_s lasts_s clock_due_s")
    for format in BeaconFormats.all where format.kind != .custom {
      for field in format.blankFields { #expect(SightingsCSV.fields.contains("\(field.name)")) }
    }
  }
}
