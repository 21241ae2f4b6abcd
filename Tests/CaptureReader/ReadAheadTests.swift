import Dispatch
import Testing

@testable import CaptureReader

/// Bytes in portions of so many at most, and perhaps an error behind them.
private final class PortionedInput: ByteInput {
  let name = "portions"
  let isStream: Bool
  private let bytes: [UInt8]
  private let portion: Int
  private let fails: Bool
  private var position = 0

  init(_ bytes: [UInt8], portion: Int, isStream: Bool = true, fails: Bool = false) {
    self.bytes = bytes
    self.isStream = isStream
    self.portion = portion
    self.fails = fails
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    let count = min(portion, buffer.count, bytes.count - position)
    if count == 0 && fails {
      throw CaptureProblem(.readError, capture: name, detail: "broken")
    }
    unsafe buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}

/// An input that has no more to give until it is let go on, and says when nobody holds it any more.
private final class StuckInput: ByteInput {
  let name = "stuck"
  let isStream = true
  private var first: [UInt8]
  private let goOn: DispatchSemaphore
  private let isGone: DispatchSemaphore

  init(_ first: [UInt8], goOn: DispatchSemaphore, isGone: DispatchSemaphore) {
    self.first = first
    self.goOn = goOn
    self.isGone = isGone
  }

  deinit { isGone.signal() }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if first.isEmpty { goOn.wait() }
    unsafe buffer.copyBytes(from: first)
    defer { first = [] }
    return first.count
  }
}

/// What reading an input came to.
private struct Outcome: Equatable {
  var data: [[UInt8]] = []
  var notes: [ProblemCode: Int] = [:]
  var digest: [UInt8]?

  init(_ input: any ByteInput, readsAhead: Bool) throws {
    let reader = try CaptureReader.open(input, readsAhead: readsAhead)
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      reader.withBytes { span in
        data += batch.records.array.map { record in
          let start = Int(record.start)
          return span.extracting(start..<(start + Int(record.count))).array()
        }
      }
    }
    notes = reader.log.notes.mapValues { $0.count }
    digest = reader.sha256
  }
}

@Suite struct ReadAheadTests {
  /// More bytes than all the windows together hold.
  private static func long(_ sample: Sample) -> [UInt8] {
    sample.file((0..<6000).map { sample.record($0, Sample.event($0, padding: $0 % 500)) })
  }

  @Test(arguments: [Sample.btsnoop, Sample.pcap], [false, true])
  func readingAheadFindsTheSame(_ sample: Sample, _ isStream: Bool) throws {
    let bytes = Self.long(sample)
    #expect(bytes.count > 5 * InputWindow.fileLength)
    for portion in [997, 65_536, bytes.count] {
      func outcome(readsAhead: Bool) throws -> Outcome {
        try Outcome(
          PortionedInput(bytes, portion: portion, isStream: isStream), readsAhead: readsAhead)
      }
      let ahead = try outcome(readsAhead: true)
      let plain = try outcome(readsAhead: false)
      #expect(ahead == plain, "in portions of \(portion)")
      #expect(ahead.data.count == 6000)
      #expect(ahead.digest != nil)
    }
  }

  @Test func anInputThatFailsOnTheWayFailsBehindWhatCameBefore() throws {
    let bytes = Self.long(.btsnoop)
    let ahead = try Outcome(PortionedInput(bytes, portion: 9973, fails: true), readsAhead: true)
    let plain = try Outcome(PortionedInput(bytes, portion: 9973, fails: true), readsAhead: false)
    #expect(ahead == plain)
    #expect(ahead.data.count == 6000)
    #expect(ahead.notes[.readError] == 1)
    #expect(ahead.digest == nil)
  }

  @Test func anInputThatFailsBehindItsHeaderIsAProblem() {
    #expect(throws: CaptureProblem.self) {
      try Outcome(
        PortionedInput(Sample.btsnoop.header, portion: 16, fails: true), readsAhead: true)
    }
  }

  /// The queue is in the middle of a read then.
  @Test func aReaderMayGoBeforeItsInputHasEnded() throws {
    let (goOn, isGone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    do {
      let input = StuckInput(Sample.btsnoop.file(0..<8), goOn: goOn, isGone: isGone)
      let reader = try CaptureReader.open(input, readsAhead: true)
      var batch = RecordBatch()
      #expect(try reader.next(into: &batch))
      #expect(batch.records.count == 8)
    }
    goOn.signal()
    #expect(isGone.wait(timeout: .now() + 60) == .success)
  }
}
