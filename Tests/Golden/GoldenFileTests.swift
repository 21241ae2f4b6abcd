import Checks
import CaptureReader
import FrameDecoder
import Testing

/// Whole files → format, records, and what the container says beside them.
@Suite struct GoldenFileTests {
  @Test(arguments: Golden.cases("file"))
  func file(_ testCase: GoldenCase) throws {
    let reading = Reading(testCase.bytes)
    #expect(reading.problem?.code.rawValue == testCase.reason)
    guard testCase.isAccepted else { return #expect(reading.records.isEmpty) }

    let whole = reading.records.filter { $0.fault == .none }
    let shapes = whole.map(shape)
    let skipped = reading.records.filter { $0.fault == .note || $0.fault == .unknownType }
    let found = JSON.object([
      "format": .text(format(reading)),
      "compression": .optional(reading.compression?.rawValue),
      "records": .list(shapes),
      "skipped": .int(skipped.count),
      "dropped": .int(Int(reading.log.lost.packets)),
      "fcs_len_bits": .optional(reading.log.interfaces.first?.frameCheckBits),
      "gps_fixes": .list(reading.fixes.map(Self.shape)),
    ])
    var wrong = testCase.expect.differences(from: found, without: Self.elsewhere)
    wrong += differencesOfWarnings(testCase, found: reading.warnings)
    if let first = testCase.expect["first_records"]?.list {
      let start = JSON.list(Array(shapes.prefix(first.count)))
      wrong += JSON.list(first).differences(from: start, at: "first_records")
    }
    #expect(wrong.isEmpty)
    #expect(shapes.count >= testCase.expect["min_records"]?.int ?? 0)
    #expect(shapes.count <= testCase.expect["max_records"]?.int ?? .max)
    #expect(reading.decoding.decoder.tally.records == reading.log.frames)
  }

  /// Compared apart; `section` is not kept, interfaces are numbered through all sections.
  private static let elsewhere: Set<String> = [
    "ok", "warnings", "warnings_include", "first_records", "min_records", "max_records", "section",
  ]

  private func format(_ reading: Reading) -> String {
    guard reading.format == "btsnoop" else { return reading.format }
    switch reading.log.interfaces.first?.link {
    case .some(.btsnoopH1): return "btsnoop_h1"
    case .some(.btsnoopMonitor): return "btsnoop_monitor"
    default: return "btsnoop_h4"
    }
  }

  /// HCI data stand with their type byte, which some containers keep beside the data.
  private func shape(_ record: SeenRecord) -> JSON {
    var members: [String: JSON] = [:]
    var direction = record.direction
    let type = typeBeside(record)
    let data = (type.map { [$0] } ?? []) + record.bytes
    if record.link == .btsnoopMonitor {
      let adapter = record.tag >> 16
      members["adapter"] = adapter == 0xffff ? .null : .int(Int(adapter))
      members["opcode"] = .int(Int(record.tag & 0xffff))
      // The opcode says it: 2 command, 3 event.
      direction = type == 1 ? .hostToController : type == 4 ? .controllerToHost : .unknown
    }
    members["ts_ns"] = record.time.isKnown ? .int(Int(record.time.nanoseconds)) : .null
    members["data"] = .text(Hex.text(data))
    members["orig_len"] = .int(Int(record.originalCount) + (type == nil ? 0 : 1))
    members["linktype"] = .optional(record.link.number)
    members["interface"] = .int(Int(record.interface))
    switch direction {
    case .hostToController: members["direction"] = .text("host_to_controller")
    case .controllerToHost: members["direction"] = .text("controller_to_host")
    case .unknown: break
    }
    return .object(members)
  }

  /// The H4 type that the record's tag stands for; nil where the data hold it.
  private func typeBeside(_ record: SeenRecord) -> UInt8? {
    switch record.link {
    case .btsnoopH1: [2, 2, 1, 4][Int(record.tag & 3)]
    case .btsnoopMonitor: [2: 1, 3: 4, 4: 2, 5: 2, 6: 3, 7: 3, 18: 5, 19: 5][record.tag & 0xffff]
    case .packetLogger:
      [0: 1, 1: 4, 2: 2, 3: 2, 8: 3, 9: 3, 0x12: 5, 0x13: 5][record.tag]
    default: nil
    }
  }

  private static func shape(_ fix: PositionFix) -> JSON {
    .object([
      "time_us": .int(Int(fix.time.nanoseconds / 1000)), "lat": .double(fix.latitude),
      "lon": .double(fix.longitude),
    ])
  }
}

/// The table is all there: a suite without cases would pass.
@Suite struct GoldenTableTests {
  @Test func everyCaseOfTheseAreasIsRun() {
    let kinds = ["ad", "hci_h4", "hci_sequence", "packet", "file"]
    #expect(kinds.map { Golden.cases($0).count } == [124, 60, 15, 58, 77])
    #expect(Golden.cases.count == 334)
    #expect(Golden.cases.allSatisfy { kinds.contains($0.kind) })
    #expect(Set(Golden.cases.map(\.id)).count == 334)
    #expect(Golden.warnings.count > 50)
  }
}
