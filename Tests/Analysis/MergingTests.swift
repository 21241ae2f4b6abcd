import Analysis
import Beacons
import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@Suite struct MergingTests {
  static let address = Address(0xC000_0000_0001)

  static func recording(_ name: String, _ times: Int64...) -> Recording {
    var recording = Recording(name)
    for time in times { recording.hear(Recording.iBeacon(1), from: address, at: time) }
    return recording
  }

  static func order(_ recordings: [Recording]) throws -> [String] {
    var notes = Notes()
    var analysis = Analysis(recordings.map(\.source))
    _ = try analysis.run(into: &notes)
    return notes.order
  }

  @Test func byTime() throws {
    let a = Self.recording("a", 0, 10, 20, 30)
    let b = Self.recording("b", 5, 12, 14, 40)
    let expected = ["a1", "b1", "a2", "b2", "b3", "a3", "a4", "b4"]
    #expect(try Self.order([a, b]) == expected)
    #expect(try Self.order([b, a]) == expected)
  }

  @Test func oneBehindTheOther() throws {
    let a = Self.recording("a", 0, 10)
    let b = Self.recording("b", 100, 110)
    #expect(try Self.order([b, a]) == ["a1", "a2", "b1", "b2"])
  }

  @Test func threeCaptures() throws {
    let a = Self.recording("a", 0, 30, 60)
    let b = Self.recording("b", 10, 40, 70)
    let c = Self.recording("c", 20, 50, 80)
    let expected = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    #expect(try Self.order([a, b, c]) == expected)
    #expect(try Self.order([c, b, a]) == expected)
  }

  /// A clock that steps back does not change the order of its capture.
  @Test func clockThatStepsBack() throws {
    let a = Self.recording("a", 0, 50, 10, 60)
    let b = Self.recording("b", 20, 55)
    #expect(try Self.order([a, b]) == ["a1", "b1", "a2", "a3", "b2", "a4"])
  }

  @Test func sameTimesLoseNothing() throws {
    let a = Self.recording("a", 0, 0, 0, 1)
    let b = Self.recording("b", 0, 0, 1, 1)
    let found = try Self.order([a, b])
    #expect(found.filter { $0.hasPrefix("a") } == ["a1", "a2", "a3", "a4"])
    #expect(found.filter { $0.hasPrefix("b") } == ["b1", "b2", "b3", "b4"])
  }

  @Test func oneThatCannotBeReadLeavesTheOthers() throws {
    var notes = Notes()
    var analysis = Analysis([
      .bytes([], name: "empty"), Self.recording("a", 0, 1).source, .file("/nowhere/at/all"),
    ])
    let result = try analysis.run(into: &notes)
    #expect(notes.order == ["a1", "a2"])
    #expect(Set(result.problems.map(\.capture)) == ["empty", "/nowhere/at/all"])
    #expect(result.captures.map(\.name) == ["a"])
    #expect(result.captures.first?.isDamaged == false)
  }

  @Test func nothingBluetooth() throws {
    let bytes = PcapWriter(linkType: 1).file([Record(0, [UInt8](repeating: 0, count: 60))])
    var sink = NoSink()
    var analysis = Analysis([.bytes(bytes, name: "net.pcap")])
    let result = try analysis.run(into: &sink)
    #expect(result.captures.isEmpty)
    #expect(result.problems.map(\.code) == [.nothingBluetooth])
  }

  /// Progress ends at the size of the input.
  @Test func progress() throws {
    let bytes = BtsnoopWriter(datalink: 1002).file([])
    var last: Int64 = 0
    var sink = NoSink()
    var analysis = Analysis([.bytes(bytes, name: "a"), Self.recording("b", 1, 2).source])
    let result = try analysis.run(into: &sink) { last = $0.bytesRead }
    #expect(last == result.captures.reduce(0) { $0 + $1.bytes })
  }
}
