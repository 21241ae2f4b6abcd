import Testing

@testable import CaptureReader

/// An input that comes in pieces.
private final class PiecewiseInput: ByteInput {
  let name = "pieces"
  let isStream = true
  private var pieces: [[UInt8]]

  init(_ pieces: [[UInt8]]) { self.pieces = pieces }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    guard !pieces.isEmpty else { return 0 }
    let piece = pieces.removeFirst()
    unsafe buffer.copyBytes(from: piece)
    return piece.count
  }
}

@Suite struct PiecesTests {
  /// In a record's data lies what reads as two records, the second one as long as the damage behind
  /// goes; what follows there is none. Wherever a piece ends, that is no reason to take the record
  /// back.
  @Test func whatOnlyLooksLikeRecordsIsToldWithTheBytesBehind() throws {
    let inner = Sample.pcap.record(4, [4, 0x0E, 0])
    let open = Sample.pcap.record(4, [UInt8](repeating: 4, count: 64)).prefix(16)
    let outer = Sample.pcap.record(4, [4, 0xFF, 7] + inner + open + [4, 0xFF, 7])
    let damage = [UInt8](repeating: 0xFE, count: 120)
    let before = (0..<4).flatMap { Sample.pcap.record($0, Sample.event($0)) }
    let after = (5..<12).flatMap { Sample.pcap.record($0, Sample.event($0)) }
    let bytes = Sample.pcap.header + before + outer + damage + after
    let whole = Reading(bytes).data
    #expect(whole.count == 12)

    for end in 24..<bytes.count {
      let reader = try CaptureReader.open(
        PiecewiseInput([Array(bytes[..<end]), Array(bytes[end...])]))
      var batch = RecordBatch()
      var data: [[UInt8]] = []
      while try reader.next(into: &batch) {
        reader.withBytes { span in
          data += batch.records.array.map { record in
            let start = Int(record.start)
            return span.extracting(start..<(start + Int(record.count))).array()
          }
        }
      }
      #expect(data == whole, "in pieces of \(end) and \(bytes.count - end) bytes")
    }
  }
}
