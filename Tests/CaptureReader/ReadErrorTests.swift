import Testing

@testable import CaptureReader

/// An input that fails on the way.
private final class FailingInput: ByteInput {
  let name = "failing"
  let isStream = false
  private var chunks: [[UInt8]]

  init(_ chunks: [[UInt8]]) { self.chunks = chunks }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    guard !chunks.isEmpty else { throw CaptureProblem(.readError, capture: name, detail: "broken") }
    let chunk = chunks.removeFirst()
    unsafe buffer.copyBytes(from: chunk)
    return chunk.count
  }
}

@Suite struct ReadErrorTests {
  @Test func anInputThatFailsOnTheWayHasNoDigest() throws {
    let records = (0..<3).map { Sample.pcap.record($0, Sample.event($0)) }
    let reader = try CaptureReader.open(FailingInput([Sample.pcap.header] + records))
    var batch = RecordBatch()
    var count = 0
    while try reader.next(into: &batch) { count += batch.records.count }
    #expect(count == 3)
    #expect(reader.log.notes[.readError]?.count == 1)
    #expect(reader.sha256 == nil)
  }
}
