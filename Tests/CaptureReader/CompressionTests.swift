import CaptureReader
import Testing

/// Six records of `Sample.btsnoop`, packed by the usual tools.
enum Packed {
  /// Two members that follow one another, the border inside a record.
  static let gzip = bytes([
    "1f8b08000000000002ff4b2a29cecbcf2f600002460606e657405a188a9941820c8f9e5f57f73dc0c06227c0",
    "c40856c2c27a8c85999381e10856a5b14c0e50a58c30a58c3894e6b834809502004fa249d1830000001f8b08",
    "000000000002ff636064626066613dc6c2ccc9c47084818141188a991940e0d1f3ebead56d0758ec04981819",
    "1899614a997128ed3ac90055ca0253ca8243e92c6e07a85256985256862300449532ff8f000000",
  ])

  static let zstd = bytes([
    "28b52ffd64120075030064046274736e6f6f700000000001000003ea000000130300e2e7d7274dc000043e10",
    "02010405c60403090000c45d024001016c448002027b86c003038ac90004049a0b40050500c412008008900d",
    "a8071e03ae0355c0bbc01d500f3c065c07aa8077813b9cfac3a87e9c8bd9757792476174",
  ])

  private static func bytes(_ lines: [String]) -> [UInt8] {
    let digits = lines.joined().compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

/// Packed captures read like unpacked ones.
@Suite struct CompressionTests {
  static let events = (0..<6).map { Sample.event($0) }

  @Test func membersOfAGzipFileAreOneStream() {
    let reading = Reading(Packed.gzip)
    #expect(reading.compression == .gzip)
    #expect(reading.data == Self.events)
    #expect(reading.codes.isEmpty)
  }

  @Test func zerosBehindTheLastMemberArePadding() {
    let reading = Reading(Packed.gzip + [UInt8](repeating: 0, count: 512))
    #expect(reading.data == Self.events)
    #expect(reading.codes.isEmpty)
  }

  @Test func anythingElseBehindTheLastMemberIsDamage() {
    let reading = Reading(Packed.gzip + Array("and then some".utf8))
    #expect(reading.data == Self.events)
    #expect(reading.codes == ["compressed_stream_damaged"])
  }

  @Test func zstdReadsLikeGzip() {
    let reading = Reading(Packed.zstd)
    #expect(reading.compression == .zstd)
    #expect(reading.data == Self.events)
    #expect(reading.codes.isEmpty)
  }

  @Test func skippableFramesAndFurtherFramesAreSteppedThrough() {
    let skippable: [UInt8] = [0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
    let reading = Reading(skippable + Packed.zstd + skippable)
    #expect(reading.data == Self.events)
    #expect(reading.codes.isEmpty)
  }

  @Test func aStreamThatEndsEarlyKeepsWhatItGave() {
    for packed in [Packed.gzip, Packed.zstd] {
      var most = 0
      for cut in 20..<packed.count {
        let reading = Reading(Array(packed[..<cut]))
        #expect(reading.data == Array(Self.events.prefix(reading.data.count)), "cut at \(cut)")
        most = max(most, reading.data.count)
        // A cut between two members cannot be told from the end; then a record is cut.
        #expect(
          reading.problem != nil || reading.codes.contains("compressed_stream_truncated")
            || reading.codes.contains("file_truncated"), "cut at \(cut)")
      }
      #expect(most > 0)
    }
  }

  @Test func nothingPackedIsSaidToBeEmpty() {
    let gzip: [UInt8] =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0] + [UInt8](repeating: 0, count: 8)
    let skippable: [UInt8] = [0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
    for packed in [gzip, skippable] {
      let problem = Reading(packed).problem
      #expect(problem?.code == .emptyFile)
      #expect(problem?.detail.contains("unpacked") == true)
    }
  }
}
