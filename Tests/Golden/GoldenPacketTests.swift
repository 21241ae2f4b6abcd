import Checks
import CaptureReader
import FrameDecoder
import Testing

/// One capture record of a link type → what was on the air, or why it is not taken.
@Suite struct GoldenPacketTests {
  @Test(arguments: Golden.cases("packet"))
  func packet(_ testCase: GoldenCase) throws {
    let number = try #require(testCase.linkType)
    let decoding = Decoding()
    decoding.feed(testCase.bytes, link: .pcap(UInt16(number)))
    decoding.finish()
    #expect(decoding.decoder.tally.records == 1)

    if let ignored = testCase.expect["ignored"]?.text {
      #expect(decoding.reports.isEmpty)
      let unsupported = ignored == "unsupported_linktype"
      #expect(decoding.count(unsupported ? .unsupported : .other) == 1)
      #expect(decoding.reasons == [ignored])
      return
    }
    if !testCase.isAccepted {
      #expect(decoding.reports.isEmpty)
      #expect(decoding.reasons == Set(testCase.reason.map { [$0] } ?? []))
      #expect(decoding.count(.other) + decoding.count(.advertising) == 0)
      return
    }
    #expect(decoding.reasons.isEmpty)
    var wrong = testCase.expect.differences(from: shape(decoding), without: Self.elsewhere)
    wrong += differencesOfWarnings(testCase, found: decoding.warnings)
    #expect(wrong.isEmpty)
  }

  /// Not kept by the decoder: the place of the next packet (chains are joined by set and data id),
  /// the direction (the packet's type says it), the monitor's opcode.
  private static let elsewhere: Set<String> = ["ok", "warnings", "aux_ptr", "direction", "opcode"]

  private func shape(_ decoding: Decoding) -> JSON {
    var members: [String: JSON] = ["reports": .list(decoding.reports.map(\.shape))]
    if let air = decoding.reports.first, air.report.source == .air {
      members.merge(air.airShape) { _, new in new }
    }
    if let fix = decoding.fixes.first {
      members["gps"] = .object([
        "lat": .double(fix.latitude), "lon": .double(fix.longitude),
        "alt_m": fix.altitude.map { .double($0) } ?? .null,
      ])
    }
    if let observer = decoding.decoder.observers.first {
      members["adapter"] =
        observer.adapter == Observer.systemAdapter ? .null : .int(Int(observer.adapter))
      members["text"] = .optional(observer.systemNote)
      if let controller = observer.controller {
        members["new_index"] = .object([
          "type": .int(Int(controller.type)), "bus": .int(Int(controller.bus)),
          "addr": SeenReport.address(controller.address), "name": .text(controller.name),
        ])
      }
    }
    return .object(members)
  }
}
