import CaptureReader
import Checks
import FrameDecoder
import Testing

/// Notes of malformed records and of steps of clocks, beside what is counted of them.
@Suite struct RemarkTests {
  private static func notes(_ bytes: [UInt8]) throws -> (Decoding, ContainerLog) {
    var options = FrameDecoder.Options()
    options.notesMalformed = true
    options.notesClock = true
    let decoding = Decoding(options)
    let reader = try CaptureReader.open(.bytes(bytes, name: "capture"))
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      reader.withBytes { span in batch.records.withSpan { decoding.feed($0, span) } }
    }
    decoding.finish()
    return (decoding, reader.log)
  }

  @Test(arguments: Golden.cases("file").filter(\.isAccepted))
  func asManyAreNotedAsCounted(_ testCase: GoldenCase) throws {
    let (decoding, log) = try Self.notes(testCase.bytes)
    // What belongs to nobody is counted only.
    guard !decoding.decoder.observers.isEmpty else { return #expect(decoding.notes.isEmpty) }
    let steps =
      (log.notes[.timeGoesBackwards]?.count ?? 0) + (log.notes[.timeJumpsForward]?.count ?? 0)
    #expect(decoding.notes.count { $0.kind == .clock } == steps)
    #expect(decoding.notes.count { $0.kind == .malformed } <= decoding.count(.malformed))
    let places = decoding.notes.map(\.frame)
    #expect(places == places.sorted())
  }
}
