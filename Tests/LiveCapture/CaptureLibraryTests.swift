import LiveCapture
import Testing

@Suite("libpcap") struct CaptureLibraryTests {
  @Test("is the one that is linked")
  func version() { #expect(CaptureLibrary.version.hasPrefix("libpcap version 1.")) }
}
