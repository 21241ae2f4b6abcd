import CaptureReader
import CaptureWriter
import Foundation
import Testing

/// What is recorded while it is analysed.
@Suite struct RecordingTests {
  /// Packets of two interfaces with a loss and a pause between.
  static let items: [CaptureItem] = [
    Material.packet(1, at: 0), Material.packet(2, at: 10, interface: 1),
    .lost(7, interface: 0, nanoseconds: Material.start + 15_000_000, by: .kernel),
    Material.packet(3, at: 20),
    .off(interface: 1, nanoseconds: Material.start + 30_000_000),
    .on(interface: 1, nanoseconds: Material.start + 40_000_000),
    Material.packet(4, at: 50, interface: 1),
  ]

  static func record(_ items: [CaptureItem], to recorder: some ItemRecorder) {
    var frame = 0
    for item in items {
      if case .packet = item { frame += 1 }
      recorder.take(item, frame: frame)
    }
  }

  @Test("a recording as pcapng has the same bytes as what is analysed")
  func pcapngIsTheStream() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(
      folder.path("a.pcapng"), [Material.monitor, Material.monitor])
    Self.record(Self.items, to: recorder)
    recorder.end()
    var stream = PcapngStream([Material.monitor, Material.monitor])
    var expected = stream.header
    for item in Self.items { stream.append(item, to: &expected) }
    let written = try [UInt8](Data(contentsOf: URL(filePath: folder.path("a.pcapng"))))
    #expect(written == expected)
    #expect(recorder.state.packets == 4)
    #expect(recorder.state.bytes == Int64(expected.count))
    #expect(recorder.state.problem == nil)
  }

  @Test("packets' blocks are put together as their parts are", arguments: [0, 1, 2, 3, 4, 5])
  func blocks(_ count: Int) {
    let writer = PcapngWriter(.little, [Material.monitor, Material.hci])
    for direction in [CaptureItem.Direction.unknown, .controllerToHost, .hostToController] {
      for comment in ["", "a", "ab", "abc", "abcd", "grün"] {
        let record = Record(
          Material.start + 7, [UInt8](repeating: 9, count: count), original: count + 3)
        var options: [UInt8] = []
        if !comment.isEmpty { options += writer.option(1, Array(comment.utf8)) }
        if direction != .unknown { options += writer.direction(direction.rawValue) }
        var stream = PcapngStream([Material.monitor, Material.hci])
        var bytes: [UInt8] = []
        stream.append(
          .packet(record, interface: 1, direction: direction), comment: comment, to: &bytes)
        #expect(bytes == writer.enhancedPacket(record, interface: 1, options: options))
      }
    }
  }

  @Test("a pause hands over everything that was taken")
  func pausesHandOver() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("a.pcapng"))
    recorder.take(Material.packet(1, at: 0), frame: 1)
    #expect(try Material.read(file: folder.path("a.pcapng")).records.isEmpty)
    recorder.pause()
    #expect(try Material.read(file: folder.path("a.pcapng")).records.count == 1)
  }

  @Test("nothing is held back for more than a second of the packets' time")
  func nothingIsHeldForLong() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("a.pcapng"))
    for number in 0...3 {
      recorder.take(Material.packet(number, at: 400 * number), frame: number + 1)
    }
    #expect(try Material.read(file: folder.path("a.pcapng")).records.count == 4)
  }

  @Test("btsnoop of the Linux monitor: adapter and opcode in the flags, losses counted so far")
  func btsnoopOfTheMonitor() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.btsnoop")
    let recorder = try CaptureRecorder(path)
    Self.record(
      [
        Material.packet(1, at: 0, bytes: 2),
        .lost(7, interface: 0, nanoseconds: Material.start, by: .kernel),
        .lost(2, interface: 0, nanoseconds: Material.start, by: .program),
        Material.packet(2, at: 1, bytes: 3),
      ], to: recorder)
    recorder.end()
    let written = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let time = UInt64(Material.start / 1000 + 0x00DC_DDB3_0F2F_8000)
    var expected = Array("btsnoop\0".utf8) + UInt32(1).be + UInt32(2001).be
    expected += UInt32(4).be + UInt32(4).be + UInt32(0x0001_0003).be + UInt32(0).be + time.be
    expected += [0x3E, 2, 1, 1]
    expected += UInt32(5).be + UInt32(5).be + UInt32(0x0001_0003).be + UInt32(9).be
    expected += (time + 1000).be + [0x3E, 3, 2, 2, 2]
    #expect(written == expected)
    let reading = Material.read(written)
    #expect(reading.records.map(\.data) == [[0x3E, 2, 1, 1], [0x3E, 3, 2, 2, 2]])
    #expect(reading.log.notes.isEmpty)
  }

  /// Direction word and packet, and the flags that btsnoop has for them.
  static let directions: [([UInt8], UInt32)] = [
    ([0, 0, 0, 0, 1, 3, 12, 0], 2), ([0, 0, 0, 1, 4, 14, 1, 0], 3), ([0, 0, 0, 0, 2, 1, 0], 0),
    ([0, 0, 0, 1, 2, 1, 0], 1),
  ]

  @Test("btsnoop of HCI: direction and kind in the flags", arguments: directions)
  func btsnoopOfHCI(_ data: [UInt8], _ flags: UInt32) throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.log")
    let recorder = try CaptureRecorder(path, [Material.hci])
    recorder.take(
      .packet(Record(Material.start, data), interface: 0, direction: .unknown), frame: 1)
    recorder.end()
    let written = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(Array(written[12..<16]) == UInt32(1002).be)
    #expect(Array(written[24..<28]) == flags.be)
    #expect(Array(written[40...]) == Array(data[4...]))
  }

  @Test("a packet that btsnoop cannot hold is counted")
  func tooShortForBtsnoop() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("a.btsnoop"))
    recorder.take(.packet(Record(0, [1, 2]), interface: 0, direction: .unknown), frame: 1)
    recorder.end()
    #expect(recorder.state.notWritten == 1)
    #expect(recorder.state.packets == 0)
  }

  static let refused: [(String, [PcapngWriter.Interface], String)] = [
    ("a.pcap", [Material.monitor], "pcap files cannot say what was lost"),
    ("a.pcapng.gz", [Material.monitor], "not compressed while it is made"),
    ("a.btsnoop.zst", [Material.monitor], "not compressed while it is made"),
    ("a", [Material.monitor], "does not say in what form"),
    ("a.txt", [Material.monitor], "does not say in what form"),
    ("a.btsnoop", [Material.monitor, Material.monitor], "has 2 interfaces"),
    ("a.btsnoop", [PcapngWriter.Interface(linkType: 251)], "has link type 251"),
    ("no/such/folder/a.pcapng", [Material.monitor], "no such file or directory"),
  ]

  @Test("what cannot be recorded is said, and what can", arguments: refused)
  func refusals(_ name: String, _ interfaces: [PcapngWriter.Interface], _ words: String) throws {
    let folder = try ScratchFolder()
    let problem = #expect(throws: RecordingProblem.self) {
      _ = try CaptureRecorder(folder.path(name), interfaces)
    }
    #expect(problem?.what.contains(words) == true, "\(String(describing: problem))")
    #expect(problem?.remedy.isEmpty == false)
    #expect(try folder.names.isEmpty)
  }

  @Test("a file that is there stays, unless it may go")
  func existingFiles() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.pcapng")
    try Data("evidence".utf8).write(to: URL(filePath: path))
    let problem = #expect(throws: RecordingProblem.self) { _ = try CaptureRecorder(path) }
    #expect(problem?.what == "the file is there already")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "evidence")
    try CaptureRecorder(path) { $0.overwrites = true }.end()
    #expect(try Material.read(file: path).problem == nil)
  }

  @Test("what is no ordinary file is not recorded to")
  func devices() {
    #expect(throws: RecordingProblem.self) {
      _ = try CaptureRecorder("/dev/null/a.pcapng") { $0.overwrites = true }
    }
    let folder = FileManager.default.temporaryDirectory.path
    #expect(throws: RecordingProblem.self) {
      _ = try CaptureRecorder(folder + "/.pcapng") { $0.overwrites = true }
    }
  }
}
