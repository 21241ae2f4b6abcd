import CaptureReader
import Testing

/// A record's fraction of a second and its two lengths, read four bytes too late, look like a time
/// and lengths again, and so do those behind it. After damage such readings must not win.
@Suite struct ShiftedRecordTests {
  struct Layout: Sendable, CustomTestStringConvertible {
    let isBigEndian: Bool
    let isNanoseconds: Bool
    /// A recorder whose clock was never set counts from 1970.
    let start: Int

    var testDescription: String {
      "\(isNanoseconds ? "ns" : "µs") \(isBigEndian ? "big" : "little") from \(start)"
    }

    func number(_ value: Int) -> [UInt8] {
      isBigEndian ? Bytes.big(value, 4) : Bytes.little(value, 4)
    }

    var header: [UInt8] {
      number(isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4)
        + (isBigEndian ? [0, 2, 0, 4] : [2, 0, 4, 0]) + number(0) + number(0) + number(65535)
        + number(192)
    }

    /// Its first four bytes, read as a number, could be a length on the wire.
    func data(_ record: Int) -> [UInt8] {
      number(0x1800) + [192, 0, UInt8(record % 251)]
        + [UInt8](repeating: 0xB5, count: 60 + record % 5)
    }

    /// Twenty milliseconds apart, all of them late in a second.
    func record(_ record: Int, claiming length: Int? = nil) -> [UInt8] {
      let milliseconds = 950 + 20 * (record % 3)
      let fraction = milliseconds * (isNanoseconds ? 1_000_000 : 1000)
      let data = data(record)
      return number(start + record / 3) + number(fraction) + number(length ?? data.count)
        + number(data.count) + data
    }
  }

  static let layouts = [1_780_000_000, 100].flatMap { start in
    [true, false].flatMap { isBigEndian in
      [true, false].map { Layout(isBigEndian: isBigEndian, isNanoseconds: $0, start: start) }
    }
  }

  @Test(arguments: layouts, [0, 4_042_322_160, 300_000, 150])
  func aWrongLengthCostsOneRecordAlone(_ layout: Layout, _ length: Int) {
    // What is misread as a length ends within the capture, or behind its end.
    for (count, place) in [40, 600].flatMap({ count in [3, 4, 5, 8].map { (count, $0) } }) {
      var bytes = layout.header
      for number in 0..<count {
        bytes += layout.record(number, claiming: number == place ? length : nil)
      }
      let reading = Reading(bytes)
      let expected = (0..<count).filter { $0 != place }.map { layout.data($0) }
      // One that claims nothing is a record without data; the gap is behind its header.
      #expect(reading.data.filter { !$0.isEmpty } == expected, "record \(place) of \(count)")
    }
  }

  @Test(arguments: layouts, [1, 4, 13, 200])
  func somethingElseBetweenRecordsCostsNone(_ layout: Layout, _ count: Int) {
    for place in 3..<9 {
      var bytes = layout.header
      for number in 0..<40 {
        if number == place { bytes += [UInt8](repeating: 0xF0, count: count) }
        bytes += layout.record(number)
      }
      let reading = Reading(bytes)
      #expect(reading.data == (0..<40).map { layout.data($0) }, "before record \(place)")
    }
  }
}
