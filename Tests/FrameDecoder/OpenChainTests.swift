import CaptureReader
import FrameDecoder
import Testing

/// Chains whose beginning or end was missed.
@Suite struct OpenChainTests {
  /// LE Periodic Advertising Report. Status: 0 complete, 1 more to come, 2 truncated.
  private static func periodic(handle: UInt8, status: UInt8, _ data: [UInt8]) -> [UInt8] {
    let report = [0x0F, handle, 0, 127, 0xC4, 0xFF, status, UInt8(data.count)] + data
    return [4, 0x3E, UInt8(report.count)] + report
  }

  @Test func periodicTrainsOfUnknownSendersAreNotJoined() {
    var feeding = Feeding()
    feeding.feed(Self.periodic(handle: 1, status: 1, [1, 2]))
    feeding.feed(Self.periodic(handle: 2, status: 1, [7, 8]))
    feeding.feed(Self.periodic(handle: 2, status: 0, [9]))
    feeding.feed(Self.periodic(handle: 1, status: 0, [3]))
    #expect(feeding.data == [[7, 8, 9], [1, 2, 3]])
  }

  @Test func aTruncatedReportWithoutDataEndsItsChain() {
    var feeding = Feeding()
    feeding.feed(Self.periodic(handle: 1, status: 1, [1, 2]))
    feeding.feed(Self.periodic(handle: 1, status: 2, []))
    feeding.feed(Self.periodic(handle: 1, status: 0, [3]))
    #expect(feeding.data == [[1, 2], [3]])
    #expect(feeding.reports.first?.warnings == .dataTruncatedByController)
  }

  @Test func aTruncatedReportWithoutDataAndChainIsEmpty() {
    var feeding = Feeding()
    feeding.feed(Self.periodic(handle: 1, status: 2, []))
    #expect(feeding.data == [[]])
    #expect(feeding.reports.first?.warnings == FrameWarnings.none)
  }

  /// Data beside a pointer are against the specification, and part of the advertisement all the same.
  @Test func dataOfThePointingPacketAreKept() {
    var feeding = Feeding()
    for (data, isLast, rf) in [([2, 1], false, UInt8(0)), ([6], true, 5)]
      as [([UInt8], Bool, UInt8)]
    {
      let pdu = Air.extended(
        address: 1, dataID: 7, sid: 2, pointer: isLast ? nil : AuxPointer(), data: data)
      feeding.feed(Air.withHeader(pdu, rf: rf), .leLinkLayerWithHeader)
    }
    #expect(feeding.data == [[2, 1, 6]])
    #expect(feeding.reports.first?.frame == 1)
  }

  /// Two advertisers have one data id and set by chance, and the rest gives no address. Behind one that has ended the
  /// younger one takes the place in the table that the older one does not have.
  @Test func whatMayBeOfSeveralChainsIsOfTheYoungest() {
    var feeding = Feeding()
    func feed(_ address: UInt8?, _ dataID: UInt16, _ data: [UInt8], isLast: Bool) {
      let pdu = Air.extended(
        address: address, dataID: dataID, sid: 2, pointer: isLast ? nil : AuxPointer(), data: data)
      feeding.feed(Air.withHeader(pdu, rf: 5), .leLinkLayerWithHeader)
    }
    feed(1, 9, [1], isLast: false)
    feed(2, 7, [2], isLast: false)
    feed(nil, 9, [1], isLast: true)
    feed(3, 7, [3], isLast: false)
    feed(nil, 7, [30], isLast: true)
    feed(nil, 7, [20], isLast: true)
    #expect(feeding.data == [[1, 1], [3, 30], [2, 20]])
    var other = Feeding()
    swap(&feeding, &other)
    feed(2, 7, [2], isLast: false)
    feed(3, 7, [3], isLast: false)
    feed(nil, 7, [30], isLast: true)
    #expect(feeding.data == [[3, 30]])
  }
}
