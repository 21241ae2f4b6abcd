import CaptureReader
import CaptureWriter
import TestSupport
import Testing

/// What containers say between their records: losses and pauses.
@Suite struct MarkTests {
  private static let start: Int64 = 1_779_184_800_000_000_000

  private struct Found {
    var marks: [String] = []
    var log = ContainerLog()

    /// - Parameter capacity: of a batch.
    init(_ bytes: [UInt8], capacity: Int = 1024) throws {
      let reader = try CaptureReader.open(.bytes(bytes, name: "x"))
      var batch = RecordBatch(capacity: capacity)
      while try reader.next(into: &batch) {
        // Behind the batch's last record.
        for mark in reader.log.marks {
          #expect(
            batch.records.isEmpty || batch.records[batch.records.count - 1].frame == mark.frame)
          let seconds =
            mark.time.isKnown ? "\((mark.time.nanoseconds - MarkTests.start) / 1_000_000_000)" : "?"
          marks.append(
            "\(mark.kind) \(mark.count) of \(mark.interface) at \(seconds) frame \(mark.frame)"
              + (mark.isBehind ? " behind" : ""))
        }
      }
      log = reader.log
    }
  }

  private static func record(_ second: Int64, drops: UInt32 = 0) -> Record {
    Record(start + second * 1_000_000_000, [4, 0x0E, 1, 0], drops: drops)
  }

  private static let interface = PcapngWriter.Interface(linkType: 187, name: "a", resolution: 9)

  @Test(
    "btsnoop counts what was lost so far; a count that falls began anew", arguments: [1, 3, 1024])
  func btsnoop(_ capacity: Int) throws {
    let drops: [UInt32] = [0, 0, 5, 5, 7, 7, 2, 2, 3, 0, 0]
    let records = drops.enumerated().map { Self.record(Int64($0), drops: $1) }
    let file = BtsnoopWriter(datalink: 1002).file(records)
    let found = try Found(file, capacity: capacity)
    #expect(
      found.marks == [
        "lost 5 of 0 at 2 frame 3", "lost 2 of 0 at 4 frame 5", "lost 2 of 0 at 6 frame 7",
        "lost 1 of 0 at 8 frame 9",
      ])
    // 7 before the count began anew, 3 since: what the marks add up to.
    #expect(found.log.lost.packets == 10)
    #expect(found.log.lost.first.nanoseconds == Self.start + 2_000_000_000)
    #expect(found.log.lost.last.nanoseconds == Self.start + 8_000_000_000)
    let twice = try Found(file + file, capacity: capacity)
    #expect(twice.marks.count == 8)
    #expect(twice.log.lost.packets == 20)
  }

  @Test("Totals of interface statistics do not count again what packets have told")
  func totals() throws {
    let writer = PcapngWriter(.big, [Self.interface, Self.interface])
    func count(_ value: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }
    let at = Self.start + 9_000_000_000
    let bytes =
      writer.header + writer.enhancedPacket(Self.record(0), options: writer.option(4, count(3)))
      + writer.obsoletePacket(Self.record(1), drops: 2)
      + writer.statistics(
        interface: 0, at: at, options: writer.option(5, count(4)) + writer.option(7, count(5)))
      + writer.statistics(interface: 0, at: at, options: writer.option(7, count(9)))
      + writer.statistics(interface: 1, at: at, options: writer.option(5, count(1)))
      + writer.enhancedPacket(Self.record(10))
    let found = try Found(bytes)
    #expect(
      found.marks == [
        "lost 3 of 0 at 0 frame 1", "lost 2 of 0 at 1 frame 2", "lost 4 of 0 at 9 frame 2 behind",
        "lost 1 of 1 at 9 frame 2 behind",
      ])
    #expect(found.log.lost.packets == 10)
  }

  @Test("A recorder's last words, with beginning and end, are no pause; an end alone is one")
  func pauses() throws {
    let writer = PcapngWriter(.little, [Self.interface])
    func moment(_ code: UInt16, _ second: Int64) -> [UInt8] {
      writer.moment(code, Self.start + second * 1_000_000_000, interface: 0)
    }
    func statistics(_ options: [UInt8]) -> [UInt8] {
      writer.statistics(interface: 0, at: Self.start, options: options)
    }
    let head = writer.header + writer.enhancedPacket(Self.record(1))
    let whole = try Found(head + statistics(moment(2, 0) + moment(3, 5)))
    #expect(whole.marks.isEmpty && whole.log.pauses.isEmpty)
    let paused = try Found(
      head + statistics(moment(3, 5)) + statistics(moment(3, 6)) + statistics(moment(2, 8))
        + statistics(moment(2, 9)) + writer.enhancedPacket(Self.record(10)))
    #expect(
      paused.marks == ["off 0 of 0 at 5 frame 1 behind", "on 0 of 0 at 8 frame 1 behind"])
    // A packet shows that capturing went on.
    let shown = try Found(
      head + statistics(moment(3, 5)) + writer.enhancedPacket(Self.record(7))
        + writer.enhancedPacket(Self.record(8)))
    #expect(shown.marks == ["off 0 of 0 at 5 frame 1 behind", "on 0 of 0 at 7 frame 2"])
    #expect(shown.log.pauses.map(\.to.nanoseconds) == [Self.start + 7_000_000_000])
  }
}
