import Testing

@testable import CaptureReader

/// Hands over a few bytes at a time.
private final class PiecesInput: ByteInput {
  let name = "pieces"
  let isStream = true
  private var rest: ArraySlice<UInt8>
  private let portion: Int

  init(_ bytes: [UInt8], portion: Int) { (rest, self.portion) = (bytes[...], portion) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = rest.prefix(min(portion, buffer.count))
    rest = rest.dropFirst(piece.count)
    unsafe buffer.copyBytes(from: piece)
    return piece.count
  }
}

/// Several captures in one file (`cat a.pcap b.pcap`): another header in a record's place is no record.
@Suite("Captures joined in one file") struct JoinedCapturesTests {
  private struct Read {
    var records: [(frame: Int, time: Int64, link: LinkType)] = []
    let joined: ContainerLog.Note?
    let codes: Set<ProblemCode>
    let gaps: [ContainerLog.Gap]

    init(_ bytes: [UInt8]) throws { try self.init(MemoryInput(bytes, name: "joined")) }

    init(_ input: any ByteInput) throws {
      let reader = try CaptureReader.open(input, readsAhead: false)
      var batch = RecordBatch()
      while try reader.next(into: &batch) {
        records += batch.records.array.map { (Int($0.frame), $0.time.nanoseconds, $0.link) }
      }
      joined = reader.log.notes[.capturesJoined]
      codes = Set(reader.log.notes.keys)
      gaps = reader.log.gaps
    }
  }

  @Test(
    "are read as one, without a record in the header's place", arguments: [Sample.btsnoop, .pcap])
  func alike(_ sample: Sample) throws {
    let (one, other) = (sample.file(0..<40), sample.file(40..<90))
    let whole = try Read(sample.file(0..<90))
    let found = try Read(one + other)
    #expect(found.records.map(\.frame) == Array(1...90))
    #expect(found.records.map(\.time) == whole.records.map(\.time))
    #expect(found.joined?.count == 1 && found.joined?.firstFrame == 41)
    #expect(found.joined?.firstOffset == Int64(one.count))
    #expect(found.codes == [.capturesJoined])
    let thrice = try Read(one + other + sample.file(90..<91))
    #expect(thrice.records.count == 91 && thrice.joined?.count == 2)
    // A header without records, and one that is cut.
    let ended = try Read(one + sample.header)
    #expect(ended.records.count == 40 && ended.codes == [.capturesJoined])
    let cut = try Read(one + sample.header.dropLast(3))
    #expect(cut.records.count == 40 && cut.codes.contains(.fileTruncated))
  }

  @Test("keep the byte order and the parts of a second of each")
  func otherLayout() throws {
    var big: [UInt8] = [0xA1, 0xB2, 0x3C, 0x4D] + Bytes.big(2, 2) + Bytes.big(4, 2)
    big += [UInt8](repeating: 0, count: 8) + Bytes.big(262_144, 4) + Bytes.big(187, 4)
    let event = Sample.event(7)
    big += Bytes.big(Sample.start + 100, 4) + Bytes.big(5, 4)
    big += Bytes.big(event.count, 4) + Bytes.big(event.count, 4) + event
    let found = try Read(Sample.pcap.file(0..<3) + big + Sample.pcap.file(3..<5))
    try #require(found.records.count == 6 && found.joined?.count == 2)
    #expect(found.records[3].time == Int64(Sample.start + 100) * 1_000_000_000 + 5)
  }

  @Test("of another link type are left out, with what is behind them, and counted")
  func otherLink() throws {
    for (sample, place) in [(Sample.btsnoop, 15), (.pcap, 20)] {
      var header = sample.header
      header[place] = sample.isBigEndian ? 0xE9 : 201
      let other = header + sample.file(40..<60).dropFirst(sample.header.count)
      let found = try Read(sample.file(0..<40) + other)
      #expect(found.records.count == 40 && found.joined == nil)
      #expect(found.codes.contains(.linkTypeChanges), "\(found.codes)")
      #expect(found.gaps.map(\.bytes) == [Int64(other.count)])
      for portion in [1, 7, 24, 25] {
        let pieces = try Read(PiecesInput(sample.file(0..<40) + other, portion: portion))
        #expect(pieces.records.count == 40 && pieces.gaps.map(\.bytes) == [Int64(other.count)])
      }
    }
  }

  @Test("of another container are told as such, whatever they are behind")
  func otherContainer() throws {
    let own: [Sample] = [.btsnoop, .pcap]
    let pcapng: [UInt8] =
      [0x0A, 0x0D, 0x0D, 0x0A] + Bytes.little(28, 4) + [0x4D, 0x3C, 0x2B, 0x1A] + [1, 0, 0, 0]
      + [UInt8](repeating: 0xFF, count: 8) + Bytes.little(28, 4)
    for sample in own {
      let others =
        own.filter { $0.format != sample.format }.map { ($0.format, $0.file(40..<60)) } + [
          ("pcapng", pcapng)
        ]
      for (name, other) in others {
        let found = try Read(sample.file(0..<40) + other)
        #expect(found.records.count == 40 && found.gaps.map(\.bytes) == [Int64(other.count)])
        #expect(
          found.gaps.first?.detail
            == "another capture begins, of \(name): files of several formats were joined; give each by itself"
        )
        #expect(found.gaps.first?.isAnotherCapture == true)
      }
      // What is no header is damage.
      let damaged = try Read(sample.file(0..<40) + [UInt8](repeating: 0xFF, count: 60))
      #expect(damaged.gaps.first?.isAnotherCapture == false)
    }
  }

  /// At the end of the input the reader asks again for what is behind a record that claims more than there is.
  @Test(
    "of another link type are counted once behind damage, too", arguments: [Sample.btsnoop, .pcap])
  func otherLinkBehindDamage(_ sample: Sample) throws {
    var header = sample.header
    header[sample.isBigEndian ? 15 : 20] = sample.isBigEndian ? 0xE9 : 201
    let other = header + sample.file(40..<60).dropFirst(sample.header.count)
    let records = (10..<40).flatMap { sample.record($0, Sample.event($0)) }
    let bytes = sample.file(0..<10) + sample.record(10, claiming: 15_872) + records + other
    let found = try Read(bytes)
    let left = found.gaps.filter { $0.reason == .linkTypeChanges }
    #expect(found.gaps.count == 2 && left.map(\.bytes) == [Int64(other.count)], "\(found.gaps)")
  }

  @Test("are found once, whatever stands behind their header", arguments: [Sample.btsnoop, .pcap])
  func damageBehind(_ sample: Sample) throws {
    let records = (20..<40).flatMap { sample.record($0, Sample.event($0)) }
    let junk: [UInt8] = [0xA2, 0xAE, 0xFF, 0xFF, 0x17]
    let found = try Read(sample.file(0..<20) + sample.header + junk + records)
    #expect(found.joined?.count == 1 && found.records.count == 40)
    #expect(found.gaps.map(\.bytes) == [Int64(junk.count)], "\(found.gaps)")
  }

  @Test("are found wherever a window ends", arguments: [Sample.btsnoop, .pcap])
  func portions(_ sample: Sample) throws {
    let bytes = sample.file(0..<5) + sample.file(5..<9)
    for portion in [1, 3, 7, 16, 24, 25] {
      let found = try Read(PiecesInput(bytes, portion: portion))
      #expect(found.records.count == 9 && found.codes == [.capturesJoined], "\(portion)")
    }
  }

  @Test("a header of a version that is not known is none")
  func unknownVersion() throws {
    var header = Sample.btsnoop.header
    header[11] = 9
    let found = try Read(Sample.btsnoop.file(0..<40) + header + Sample.btsnoop.file(40..<60))
    #expect(!found.codes.isDisjoint(with: ProblemCode.damaging))
    #expect(found.records.count >= 60)
  }
}
