import CaptureWriter
import TestSupport
import Testing

/// Checksums and codes against published values.
struct PackingTests {
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
}
