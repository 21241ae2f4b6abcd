import CaptureReader
import FrameDecoder
import Testing

/// Extended advertising reports that come in fragments.
@Suite struct FragmentTests {
  /// Status: 0 complete, 1 more to come, 2 truncated.
  private static func event(
    _ data: [UInt8], status: UInt8, address: UInt8 = 1, sid: UInt8 = 1, rssi: UInt8 = 0xC4
  ) -> [UInt8] {
    let report =
      [
        status << 5, 0, 1, address, 2, 3, 4, 5, 0xC6, 1, 2, sid, 127, rssi, 0, 0, 0, 0, 0, 0, 0, 0,
        0,
      ]
      + [UInt8(data.count)] + data
    return [4, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report
  }

  @Test func interleavedFragmentsFindTheirOwn() {
    var feeding = Feeding()
    for address in UInt8(1)...5 { feeding.feed(Self.event([address], status: 1, address: address)) }
    for address in UInt8(1)...5 {
      feeding.feed(Self.event([address + 10], status: 1, address: address))
    }
    // Another advertiser, whole, in between.
    feeding.feed(Self.event([2, 1, 6], status: 0, address: 99))
    for address in (UInt8(1)...5).reversed() {
      feeding.feed(Self.event([address + 20], status: 0, address: address, rssi: 0xBA))
    }
    let joined: [[UInt8]] = [5, 4, 3, 2, 1].map { [$0, $0 + 10, $0 + 20] }
    #expect(feeding.data == [[2, 1, 6]] + joined)
    #expect(feeding.reports.dropFirst().map(\.frame) == [5, 4, 3, 2, 1])
    #expect(feeding.reports.dropFirst().allSatisfy { $0.rssi == -70 })
    #expect(feeding.decoder.tally.records == 16)
  }

  @Test func interfacesDoNotShareFragments() {
    var feeding = Feeding()
    feeding.feed(Self.event([1], status: 1), interface: 0)
    feeding.feed(Self.event([2], status: 1), interface: 1)
    feeding.feed(Self.event([3], status: 0), interface: 0)
    feeding.feed(Self.event([4], status: 0), interface: 1)
    #expect(feeding.data == [[1, 3], [2, 4]])
    #expect(feeding.decoder.observers.map(\.interface) == [0, 1])
  }

  @Test func moreAdvertisersThanAreKeptLoseNothing() {
    var feeding = Feeding()
    for address in UInt8(0)..<200 {
      feeding.feed(Self.event([address], status: 1, address: address))
    }
    feeding.finish()
    #expect(Set(feeding.data) == Set((UInt8(0)..<200).map { [$0] }))
    #expect(feeding.reports.allSatisfy { $0.warnings.contains(.chainUnfinished) })
  }

  @Test func noAdvertisementGrowsBeyond1650Bytes() {
    var feeding = Feeding()
    for _ in 0..<100 { feeding.feed(Self.event([UInt8](repeating: 7, count: 200), status: 1)) }
    feeding.finish()
    #expect(feeding.data.allSatisfy { $0.count <= 1650 })
    #expect(feeding.data.map(\.count).reduce(0, +) == 20_000)
    #expect(feeding.count(.chainTooLong) > 0)
  }

  @Test func aResetEndsWhatWaits() {
    var feeding = Feeding()
    feeding.feed(Self.event([2, 1, 6], status: 1))
    feeding.feed(Hex.bytes("01030c00"))
    feeding.feed(Hex.bytes("040e0401030c00"))
    #expect(feeding.data == [[2, 1, 6]])
    #expect(feeding.reports.first?.warnings == .chainUnfinished)
  }

  @Test func batchesOfRecordsCarryFragmentsAcross() {
    // The same packets, one by one and all at once.
    let packets = [
      Self.event([1, 2], status: 1), Self.event([3], status: 1), Self.event([4], status: 0),
    ]
    var records: [CaptureRecord] = []
    var bytes: [UInt8] = []
    for (index, packet) in packets.enumerated() {
      records.append(
        CaptureRecord(
          time: Timestamp(nanoseconds: 1), frame: index + 1, start: bytes.count,
          count: packet.count, originalCount: UInt32(packet.count), link: .hciH4))
      bytes += packet
    }
    var decoder = FrameDecoder()
    bytes.withRawSpan { decoder.decode(records.span, $0) }
    let report = decoder.reports.first
    #expect(decoder.reports.count == 1)
    #expect(report?.isJoined == true)
    #expect(Array(decoder.joined[Int(report?.start ?? 0)...]) == [1, 2, 3, 4])
  }
}

/// Every record falls into one class, and cut records are told from malformed ones.
@Suite struct RecordClassTests {
  @Test func aCutEventIsTruncatedAndAShortOneMalformed() {
    let event = Hex.bytes("043e0f020100005544332211")
    var cut = Feeding()
    cut.feed(event, original: 18)
    #expect(cut.count(.truncated) == 1)
    var short = Feeding()
    short.feed(event)
    #expect(short.count(.malformed) == 1)
  }

  /// Two legacy reports.
  private static let two = Hex.bytes(
    "043e1c0202 0300060504030201 03020106c4 0300160504030201 03020106c4")

  @Test("records that lack reports at their end are counted, where the recorder cut them")
  func cutOff() {
    var feeding = Feeding()
    feeding.feed(Self.two)
    feeding.feed(Self.two.dropLast(), original: Self.two.count)
    // Short by itself, and with bytes cut that are none of its event.
    feeding.feed(Self.two.dropLast())
    feeding.feed(Self.two, original: Self.two.count + 4)
    feeding.feed(Self.two.dropLast(9), original: Self.two.count)
    #expect(feeding.reports.count == 7)
    #expect(feeding.count(.advertising) == 5 && feeding.count(.truncated) == 0)
    let found = feeding.decoder.tally.cutOff
    #expect(found.count == 2 && found.firstFrame == 2)
  }

  @Test func linkTypesThatCannotBeReadAreUnsupported() {
    var feeding = Feeding()
    feeding.feed([1, 2, 3], .pcap(1))
    feeding.feed([1, 2, 3], .pcap(1002))
    #expect(feeding.count(.unsupported) == 2)
    #expect(feeding.decoder.tally.records == 2)
  }

  @Test func faultsOfTheContainerAreCountedToo() {
    let faults: [RecordFault] = [.empty, .unknownInterface, .overrunsBlock, .unknownType, .note]
    let records = faults.enumerated().map { index, fault in
      CaptureRecord(
        time: .none, frame: index + 1, start: 0, count: 0, originalCount: 0, link: .hciH4,
        fault: fault)
    }
    var decoder = FrameDecoder()
    [UInt8]().withRawSpan { decoder.decode(records.span, $0) }
    #expect(decoder.tally.records == 5)
    #expect(decoder.tally.count(.malformed) == 3)
    #expect(decoder.tally.count(.unsupported) == 1)
    #expect(decoder.tally.count(.other) == 1)
  }
}

/// The walk over advertising data.
@Suite struct ADWalkerTests {
  private func walk(_ bytes: [UInt8]) -> (types: [UInt8], data: [[UInt8]], FrameWarnings) {
    bytes.withRawSpan { span in
      var walker = ADWalker()
      var types: [UInt8] = []
      var data: [[UInt8]] = []
      while walker.next(span) {
        types.append(walker.type)
        data.append(span.extracting(walker.start..<(walker.start + walker.count)).array())
      }
      return (types, data, walker.warnings)
    }
  }

  @Test func zeroLengthEndsTheData() {
    #expect(walk([0, 0, 0]).2.isEmpty)
    #expect(walk([2, 1, 6, 0, 0, 0]).types == [1])
    let hidden = walk([2, 1, 6, 0, 2, 10, 4])
    #expect(hidden.types == [1])
    #expect(hidden.2 == .dataAfterTerminator)
  }

  @Test func lengthOneIsATypeWithoutData() {
    let found = walk([1, 9, 1, 8])
    #expect(found.types == [9, 8])
    #expect(found.data == [[], []])
  }

  @Test func overrunsAreDroppedAndWhatCameBeforeIsKept() {
    for tail: [UInt8] in [[1], [2, 9], [255], [31, 0xFF, 1, 2]] {
      let found = walk([2, 1, 6] + tail)
      #expect(found.types == [1])
      #expect(found.2 == .adOverrun)
    }
  }

  @Test func lengthsAreUnsigned() {
    let long = [UInt8](repeating: 7, count: 254)
    let found = walk([255, 0x16] + long + [2, 1, 6])
    #expect(found.types == [0x16, 1])
    #expect(found.data.first == long)
    #expect(found.2.isEmpty)
  }

  @Test func nothingIsNothing() {
    #expect(walk([]).types.isEmpty)
    #expect(walk([]).2.isEmpty)
  }
}
