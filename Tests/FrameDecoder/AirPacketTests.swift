import CaptureReader
import FrameDecoder
import Testing

/// Checksum and whitening, against values computed elsewhere.
@Suite struct AirPacketTests {
  /// PDU and the three bytes as they stand in a file.
  static let checksums = [
    ("4224010000eeffc002011a1aff4c000215000102030405060708090a0b0c0d0e0f00010002c5", "2c1fbd"),
    ("c30c010203040506a1a2a3a4a5a6", "d0fed2"),
    ("070100", "7595ae"),
    ("0006aabbccddeeff", "6b3c19"),
  ]

  @Test(arguments: checksums)
  func packetsWithTheRightChecksumPassAndOthersDoNot(_ pdu: String, _ crc: String) {
    let bytes = Hex.bytes("d6be898e" + pdu + crc)
    #expect(Air.checksum(Hex.bytes(pdu)) == Hex.bytes(crc))
    var right = Feeding()
    right.feed(bytes, .leLinkLayer)
    #expect(right.count(.crcFailed) == 0)
    // Any bit of PDU or checksum.
    for place in 4..<bytes.count where place != 5 {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        var wrong = Feeding()
        wrong.feed(damaged, .leLinkLayer)
        #expect(wrong.count(.crcFailed) == 1, "byte \(place) bit \(bit)")
        #expect(wrong.reports.isEmpty)
      }
    }
  }

  /// Channel index, RF channel, and the first 16 bytes that whitening adds.
  static let whitening: [(channel: UInt8, rf: UInt8, stream: String)] = [
    (37, 0, "8dd257a13da766b0753111489677f8e3"), (38, 12, "d6c5442059dee18f1ba5af427b4ecd60"),
    (39, 39, "1f374a5f85f69c9ac1d6c5442059dee1"), (0, 1, "40b2bcc31f374a5f85f69c9ac1d6c544"),
    (10, 11, "9ac1d6c5442059dee18f1ba5af427b4e"), (36, 38, "442059dee18f1ba5af427b4ecd60eb62"),
  ]

  @Test(arguments: whitening.indices)
  func whiteningIsTakenOff(_ row: Int) {
    let (channel, rf, stream) = Self.whitening[row]
    // 2 + 9 + 3 bytes: no more than the stream is known for.
    let pdu = Hex.bytes("4209010000eeffc0020106")
    let open = pdu + Air.checksum(pdu)
    let whitened = zip(open, Hex.bytes(stream)).map { $0 ^ $1 }
    var feeding = Feeding()
    feeding.feed(
      [rf, 0xCE, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x02, 0x00, 0xD6, 0xBE, 0x89, 0x8E] + whitened,
      .leLinkLayerWithHeader)
    #expect(feeding.data == [[2, 1, 6]])
    #expect(feeding.reports.first?.channel == channel)
    #expect(feeding.reports.first?.rssi == -50)
  }

  @Test func badChecksumsAreKeptOnRequestAndMarked() {
    let bytes = Hex.bytes("d6be898e0009554433221100020106000000")
    var strict = Feeding()
    strict.feed(bytes, .leLinkLayer)
    #expect(strict.reports.isEmpty && strict.count(.crcFailed) == 1)
    var lenient = Feeding(FrameDecoder.Options(keepBadCRC: true))
    lenient.feed(bytes, .leLinkLayer)
    #expect(lenient.data == [[2, 1, 6]])
    #expect(lenient.reports.first?.warnings == .crcBad)
    #expect(lenient.count(.advertising) == 1)
  }
}
