import CaptureReader
import FrameDecoder
import Testing

/// Extended advertising on the air: pointers, a packet, its continuations.
@Suite struct AuxChainTests {
  /// A packet of the air: where and when it comes, who sends it and what.
  private struct Packet {
    var rf: UInt8
    var at: Int64?
    var address: UInt8?
    var id: UInt16 = 7
    var sid: UInt8? = 2
    /// Where the next one comes; nil: it is the last.
    var next: UInt8?
    /// In 30 µs: a millisecond.
    var offset: UInt8 = 33
    var data: [UInt8] = []
    /// Of link type 256, where the sniffer says that it is an auxiliary one.
    var kind: UInt8?
  }

  private static func fed(_ packets: [Packet]) -> [(address: UInt64, frame: Int, data: [UInt8])] {
    var feeding = Feeding()
    return feed(packets, to: &feeding)
  }

  private static func feed(
    _ packets: [Packet], to feeding: inout Feeding
  ) -> [(address: UInt64, frame: Int, data: [UInt8])] {
    for packet in packets {
      let pdu = Air.extended(
        address: packet.address, dataID: packet.id, sid: packet.sid,
        pointer: packet.next.map { AuxPointer(rf: $0, offset: packet.offset) }, data: packet.data)
      var bytes = Air.withHeader(pdu, rf: packet.rf)
      if let kind = packet.kind {
        bytes[8] |= 0x80
        bytes[9] |= kind << 4
      }
      feeding.feed(bytes, .leLinkLayerWithHeader, at: packet.at)
    }
    feeding.finish()
    return zip(feeding.reports, feeding.data).map { ($0.address.address & 0xFF, $0.frame, $1) }
  }

  @Test func chainsAreJoined() {
    var feeding = Feeding()
    let found = Self.feed(
      [
        Packet(rf: 0, at: 0, next: 5),
        Packet(rf: 5, at: 1, address: 1, next: 6, data: [4, 9, 65, 66]),
        Packet(rf: 6, at: 2, next: 7, data: [67, 2, 1]), Packet(rf: 7, at: 3, data: [6]),
      ], to: &feeding)
    #expect(found.map(\.data) == [[4, 9, 65, 66, 67, 2, 1, 6]])
    let report = feeding.reports.first
    #expect(report?.address == DeviceAddress(0xC605_0403_0201, .random))
    #expect(report?.frame == 2)
    #expect(report?.sid == 2)
    #expect(report?.dataID == 7)
    #expect(feeding.decoder.tally.records == 4)
  }

  /// All three of an event, one after the other.
  @Test func pointersOfAnEventAreOneReportWithTheirPacket() {
    let pointers = [(UInt8(0), 100), (12, 67), (39, 33)].enumerated().map { place, pointer in
      Packet(rf: pointer.0, at: Int64(place), address: 1, next: 5, offset: pointer.1)
    }
    let found = Self.fed(pointers + [Packet(rf: 5, at: 3, data: [2, 1, 6])])
    #expect(found.map(\.data) == [[2, 1, 6]])
    #expect(found.map(\.address) == [1])
    #expect(Self.fed(pointers).map(\.data) == [[]])
  }

  /// Devices with the same firmware count data ids and sets alike.
  @Test func pointersOfTwoWithOneSetLeadWhereTheySay() {
    let found = Self.fed([
      Packet(rf: 0, at: 0, address: 1, next: 5), Packet(rf: 0, at: 0, address: 2, next: 9),
      Packet(rf: 5, at: 1, data: [10]), Packet(rf: 9, at: 1, data: [20]),
    ])
    #expect(found.map(\.address) == [1, 2])
    #expect(found.map(\.data) == [[10], [20]])
  }

  @Test func chainsOfTwoWithOneSetDoNotMix() {
    let found = Self.fed([
      Packet(rf: 3, at: 0, address: 1, next: 5, data: [10]),
      Packet(rf: 4, at: 0, address: 2, next: 9, data: [20]),
      // Which another round of the second one does not end.
      Packet(rf: 0, at: 1, address: 2, next: 8),
      Packet(rf: 9, at: 1, data: [21]), Packet(rf: 5, at: 1, data: [11]),
      Packet(rf: 8, at: 2, address: 2, data: [29]),
    ])
    #expect(found.map(\.address) == [2, 1, 2])
    #expect(found.map(\.data) == [[20, 21], [10, 11], [29]])
  }

  @Test func chainsOfSeveralSetsDoNotMix() {
    let begun = [UInt8(1), 2, 3].map {
      Packet(rf: 5, at: 0, address: 1, sid: $0, next: 6, data: [3, 9, 64 + $0])
    }
    let ended = [UInt8(3), 1, 2].map { Packet(rf: 6, at: 1, sid: $0, data: [96 + $0]) }
    #expect(
      Self.fed(begun + ended).map(\.data) == [[3, 9, 67, 99], [3, 9, 65, 97], [3, 9, 66, 98]])
  }

  /// Its pointer was to another channel, or to an earlier time: by whom it is is not known.
  @Test(arguments: [(UInt8(9), Int64(1)), (5, 80), (9, 900)])
  func whatNobodyPointedToHasNoAddress(_ rf: UInt8, _ time: Int64) {
    let found = Self.fed([
      Packet(rf: 0, at: 0, address: 1, next: 5), Packet(rf: rf, at: time, data: [2, 1, 6]),
    ])
    #expect(Set(found.map { "\($0.address) \($0.data)" }) == ["1 []", "0 [2, 1, 6]"])
  }

  /// Of a chain of three the middle is lost: the end is not put behind the beginning, nor read by itself.
  @Test func whatComesBehindALostPacketIsNotGluedOn() {
    var feeding = Feeding()
    let found = Self.feed(
      [
        Packet(rf: 3, at: 0, address: 1, next: 5, data: [4, 9, 65]),
        Packet(rf: 7, at: 3, data: [2, 1, 6]),
      ], to: &feeding)
    #expect(Set(found.map { "\($0.address) \($0.data)" }) == ["0 []", "1 [4, 9, 65]"])
    #expect(feeding.count(.chainUnfinished) == 1)
    #expect(feeding.count(.chainStartMissing) == 1)
  }

  /// With an address it is no continuation, wherever it comes.
  @Test func theNextAdvertisementIsNotGluedOn() {
    var feeding = Feeding()
    let found = Self.feed(
      [
        Packet(rf: 3, at: 0, address: 1, next: 5, data: [4, 9, 65]),
        Packet(rf: 5, at: 1, address: 1, data: [2, 1, 6]),
      ], to: &feeding)
    #expect(Set(found.map(\.data)) == [[4, 9, 65], [2, 1, 6]])
    #expect(feeding.count(.chainUnfinished) == 1)
  }

  /// A sniffer says that it is one; two of them, as one points to the other.
  @Test func theMiddleOfAnAdvertisementIsNotReadByItself() {
    var feeding = Feeding()
    let found = Self.feed(
      [
        Packet(rf: 5, at: 0, next: 6, data: [2, 1, 6], kind: 1),
        Packet(rf: 6, at: 1, data: [2, 1, 6], kind: 1),
      ], to: &feeding)
    #expect(found.map(\.data) == [[]])
    #expect(feeding.count(.chainStartMissing) == 1)
    #expect(feeding.count(.chainUnfinished) == 0)
  }

  /// Scan responses may leave id and set out, and packets behind them do.
  @Test func chainsWithoutASetAreJoinedByChannelAndTime() {
    let found = Self.fed([
      Packet(rf: 3, at: 0, address: 1, sid: nil, next: 5, data: [4, 9, 65], kind: 3),
      Packet(rf: 5, at: 1, sid: nil, next: 6, data: [66]),
      Packet(rf: 6, at: 2, sid: nil, data: [67]),
    ])
    #expect(found.map(\.data) == [[4, 9, 65, 66, 67]])
    let last = Self.fed([
      Packet(rf: 3, at: 0, address: 1, next: 5, data: [3, 9, 65]),
      Packet(rf: 5, at: 1, sid: nil, data: [66]),
    ])
    #expect(last.map(\.data) == [[3, 9, 65, 66]])
  }

  /// Times of the computer that a sniffer is plugged in: of the packet pointed to, where no other may be it. Behind one
  /// that goes on at once it is the one behind a lost one.
  @Test func aPacketThatComesLateIsThatOfAPointerAlone() {
    let pointed = Self.fed([
      Packet(rf: 0, at: 0, address: 1, next: 5), Packet(rf: 5, at: 12, data: [2, 1, 6]),
    ])
    #expect(pointed.map { "\($0.address) \($0.data)" } == ["1 [2, 1, 6]"])
    let begun = Self.fed([
      Packet(rf: 3, at: 0, address: 1, next: 5, data: [4, 9, 65]),
      Packet(rf: 5, at: 12, data: [2, 1, 6]),
    ])
    #expect(Set(begun.map { "\($0.address) \($0.data)" }) == ["0 []", "1 [4, 9, 65]"])
  }

  /// A long packet's end is two milliseconds behind its beginning.
  @Test func packetsStampedAtTheirEndsAreJoined() {
    let long = [UInt8](repeating: 7, count: 240)
    let found = Self.fed([
      Packet(rf: 0, at: 0, address: 1, next: 5), Packet(rf: 5, at: 3, next: 6, data: long),
      Packet(rf: 6, at: 2, data: [8]),
    ])
    #expect(found.map(\.data) == [long + [8]])
    #expect(found.map(\.address) == [1])
  }

  /// What it points to in no time at all does not come.
  @Test func aPointerWithoutAnOffsetIsNone() {
    let found = Self.fed([
      Packet(rf: 0, at: 0, address: 1, next: 5, offset: 0),
      Packet(rf: 0, at: 100, address: 2, next: 5), Packet(rf: 5, at: 101, data: [2, 1, 6]),
    ])
    #expect(found.map { "\($0.address) \($0.data)" } == ["1 []", "2 [2, 1, 6]"])
  }

  /// Sniffers guess it, by the channel that another one pointed to.
  @Test func whatIsCalledAContinuationAndIsNoneIsRead() {
    let withAddress = Self.fed([
      Packet(rf: 3, at: 0, address: 1, next: 5, offset: 99, data: [4, 9, 65]),
      Packet(rf: 5, at: 1, address: 2, id: 9, data: [2, 1, 6], kind: 1),
    ])
    #expect(
      Set(withAddress.map { "\($0.address) \($0.data)" }) == ["2 [2, 1, 6]", "1 [4, 9, 65]"])
    let pointedTo = Self.fed([
      Packet(rf: 0, at: 0, address: 1, next: 5), Packet(rf: 5, at: 1, data: [2, 1, 6], kind: 1),
    ])
    #expect(pointedTo.map { "\($0.address) \($0.data)" } == ["1 [2, 1, 6]"])
  }

  /// What was begun before does not wait until the clock comes there again.
  @Test func aClockThatIsSetBackEndsChains() {
    let found = Self.fed([
      Packet(rf: 3, at: 9_000_000, address: 1, next: 5, data: [4, 9, 65]),
      Packet(rf: 3, at: 0, address: 2, id: 9, data: [2, 1, 6]),
    ])
    #expect(found.map(\.address) == [1, 2])
  }

  @Test func whatNeverEndsIsHandedOnMarked() {
    var feeding = Feeding()
    // More than an AuxPtr can reach: another chain of the same set.
    let found = Self.feed(
      [
        Packet(rf: 5, at: 0, address: 1, next: 5, data: [2, 1, 6, 9]),
        Packet(rf: 5, at: 5000, address: 1, data: [2, 1, 4]),
      ], to: &feeding)
    #expect(found.map(\.data) == [[2, 1, 6, 9], [2, 1, 4]])
    #expect(feeding.reports.first?.warnings == .chainUnfinished)
    #expect(feeding.count(.chainUnfinished) == 1)
  }

  /// Where no record has a time, the next round ends what the last one left open.
  @Test func chainsAreJoinedWithoutTimes() {
    let found = Self.fed([
      Packet(rf: 0, address: 1, next: 5), Packet(rf: 5, next: 6, data: [1]),
      Packet(rf: 0, address: 1, next: 5), Packet(rf: 5, next: 6, data: [2]),
      Packet(rf: 6, data: [3]),
    ])
    #expect(found.map(\.data) == [[1], [2, 3]])
  }

  @Test func moreChainsThanAreKeptLoseNothing() {
    var feeding = Feeding()
    let found = Self.feed(
      (0..<200).map { Packet(rf: 5, at: 0, address: 1, id: $0, next: 5, data: [2, 1, 6]) },
      to: &feeding)
    #expect(found.count == 200)
    #expect(Set(feeding.reports.map(\.dataID)).count == 200)
    #expect(feeding.count(.chainUnfinished) == 200)
  }
}
