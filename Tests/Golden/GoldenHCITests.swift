import Checks
import CaptureReader
import FrameDecoder
import Testing

/// HCI packets, alone and in sequence → reports, synchronisations, scan windows.
@Suite struct GoldenHCITests {
  @Test(arguments: Golden.cases("hci_h4"))
  func packet(_ testCase: GoldenCase) {
    let decoding = Decoding()
    if testCase.expect["sync_lost"] != nil { decoding.feed(Self.established, link: .hciH4) }
    decoding.feed(testCase.bytes, link: .hciH4)
    var wrong = differencesOfWarnings(testCase, found: decoding.warnings)
    decoding.finish()

    let found = JSON.object(["reports": .list(decoding.reports.map(\.shape))])
    wrong += testCase.expect.differences(from: found, without: Self.elsewhere)
    let rejected =
      decoding.count(.malformed) + decoding.count(.unsupported) + decoding.count(.truncated)
    #expect(testCase.isAccepted == (rejected == 0))
    #expect(decoding.reasons == Set(testCase.reason.map { [$0] } ?? []))
    // Last: it feeds one packet more.
    if let sync = testCase.expect["sync"] { wrong += differences(ofSync: sync, decoding) }
    if let lost = testCase.expect["sync_lost"] {
      wrong += differences(ofSync: lost, decoding, isLost: true)
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: Golden.cases("hci_sequence"))
  func sequence(_ testCase: GoldenCase) {
    let decoding = Decoding()
    for packet in testCase.packets {
      decoding.feed(packet.bytes, link: .hciH4, time: Int64(packet.micros) * 1000)
    }
    decoding.finish()
    // A batch result with a scan response counts once.
    let reports = decoding.reports.filter {
      $0.report.source != .batch || $0.report.pdu != .scanRsp
    }
    let scans = decoding.decoder.observers.flatMap(\.scan.windows)
    let found = JSON.object([
      "reports": testCase.expect["reports"]?.int == nil
        ? .list(reports.map(\.shape)) : .int(reports.count),
      "windows": .list(scans.filter { !$0.isInferred }.map(Self.shape)),
      "batch": .list(Self.batch(decoding.reports)),
    ])
    var wrong = testCase.expect.differences(from: found, without: Self.elsewhere)
    wrong += differencesOfWarnings(testCase, found: decoding.warnings)
    #expect(wrong.isEmpty)
  }

  /// Compared apart, or not kept: the type of a constant-tone extension says nothing about beacons.
  private static let elsewhere: Set<String> = [
    "ok", "reason", "warnings", "sync", "sync_lost", "cte_type",
  ]

  /// LE Periodic Advertising Sync Established, handle 1.
  private static let established = Hex.bytes("043e100e0001000701010000eeffc002500000")

  /// What the decoder knows of a train shows in the next report of it.
  private func differences(ofSync expected: JSON, _ decoding: Decoding, isLost: Bool = false)
    -> [String]
  {
    guard let handle = expected["sync_handle"]?.int else { return ["no handle"] }
    let bytes: [UInt8] = [
      4, 0x3e, 8, 0x0f, UInt8(handle & 0xff), UInt8(handle >> 8), 127, 0xC0, 0xff, 0, 0,
    ]
    decoding.feed(bytes, link: .hciH4)
    guard let report = decoding.reports.last else { return ["no periodic report"] }
    if isLost { return report.report.address == .none ? [] : ["still known after it was lost"] }
    let shape = report.shape
    let found = JSON.object([
      "sync_handle": shape["sync_handle"] ?? .null,
      "addr": shape["addr"] ?? .null,
      "addr_type": shape["addr_type"] ?? .null,
      "sid": shape["sid"] ?? .null,
      "phy": shape["primary_phy"] ?? .null,
      "interval_ms": shape["periodic_interval_ms"] ?? .null,
    ])
    // Of a failed synchronisation no report can follow; the accuracy of a clock is of no use here.
    return expected.differences(from: found, at: "sync", without: ["status", "clock_accuracy"])
  }

  private static func shape(_ window: ScanState.Window) -> JSON {
    .object([
      "start_us": .int(Int(window.start.nanoseconds / 1000)),
      "end_us": .int(Int(window.end.nanoseconds / 1000)),
      "end_reason": .text(window.endReason.rawValue),
      "active": window.parameters.map { .bool($0.isActive) } ?? .null,
      "interval_ms": window.parameters.map { .double(Double($0.interval) * 0.625) } ?? .null,
      "window_ms": window.parameters.map { .double(Double($0.window) * 0.625) } ?? .null,
      "filter_duplicates": window.filtersDuplicates.map { .bool($0) } ?? .null,
    ])
  }

  private static func batch(_ reports: [SeenReport]) -> [JSON] {
    reports.filter { $0.report.source == .batch && $0.report.pdu != .scanRsp }.map { seen in
      let response = reports.first {
        $0.report.frame == seen.report.frame && $0.report.index == seen.report.index
          && $0.report.pdu == .scanRsp
      }
      return .object([
        "addr": SeenReport.address(seen.report.address),
        "addr_type": SeenReport.kind(seen.report.address),
        "tx_power_raw": .int(Int(seen.report.txPower)),
        "rssi_dbm": SeenReport.power(seen.report.rssi),
        "seen_us": .int(Int(seen.report.time.nanoseconds / 1000)),
        "data": .text(Hex.text(seen.data)),
        "scan_response": .text(Hex.text(response?.data ?? [])),
      ])
    }
  }
}
