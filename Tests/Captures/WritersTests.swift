import CaptureWriter
import FrameEncoder
import Synth
import TestSupport
import Testing

/// The writers' own arithmetic against published values.
struct WritersTests {
  @Test func checksums() {
    #expect(Packing.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Packing.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    #expect(
      SHA256.hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func base64(_ text: String, _ expected: String) {
    #expect(Packing.base64(Array(text.utf8)) == expected)
  }

  @Test func airChecksum() {
    let pdu = [UInt8](
      hex: "4224010000eeffc002011a1aff4c000215000102030405060708090a0b0c0d0e0f00010002c5")
    #expect(Air.crc(pdu).hex == "2c1fbd")
    #expect(Air.crc([7, 1, 0]).hex == "7595ae")
  }

  @Test(arguments: [
    (UInt8(37), "8dd257a13da766b0753111489677f8e3"), (0, "40b2bcc31f374a5f85f69c9ac1d6c544"),
    (36, "442059dee18f1ba5af427b4ecd60eb62"),
  ])
  func whitening(_ channel: UInt8, _ stream: String) {
    let zeros = [UInt8](repeating: 0, count: 20)
    #expect(Air.whiten(zeros, channel: channel).dropFirst(4).map { $0 } == [UInt8](hex: stream))
  }

  @Test func generator() {
    // Seed 1234567, as published with the algorithm.
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }
}
