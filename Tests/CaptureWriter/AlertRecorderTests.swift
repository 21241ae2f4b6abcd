import CaptureReader
import CaptureWriter
import Foundation
import Testing

/// The minutes around an alert.
@Suite struct AlertRecorderTests {
  static func recorder(
    _ folder: ScratchFolder, _ change: (inout AlertRecorder.Settings) -> Void = { _ in }
  ) throws -> AlertRecorder {
    var settings = AlertRecorder.Settings(folder.path("site.pcapng"))
    settings.before = 20 * Material.second
    settings.after = 10 * Material.second
    change(&settings)
    return try AlertRecorder(settings, interfaces: [Material.monitor])
  }

  /// A packet a second; the frame of second n is n + 1.
  static func take(_ seconds: Range<Int>, _ recorder: AlertRecorder, bytes: Int = 20) {
    for second in seconds {
      recorder.take(
        Material.packet(second, at: 1000 * second, bytes: bytes), frame: second + 1)
    }
  }

  static func alert(
    _ recorder: AlertRecorder, _ id: String, at second: Int, frames: [Int],
    title: String = "Tag follows"
  ) {
    recorder.alert(
      id, frames: frames, time: Material.start + Int64(second) * Material.second, title: title)
  }

  /// Seconds of the packets in a file.
  static func seconds(_ reading: Material.Reading) -> [Int] {
    reading.records.map { Int(($0.time - Material.start) / Material.second) }
  }

  static func bytes(_ folder: ScratchFolder, _ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: folder.path(name))))
  }

  @Test("the packets before and after, with words on the frames it cites")
  func beforeAndAfter() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder)
    Self.take(0..<100, recorder)
    Self.alert(recorder, "00ab", at: 98, frames: [95, 99, 20])
    Self.take(100..<200, recorder)
    recorder.end()
    let name = "site-20260101T120138Z-00ab.pcapng"
    #expect(try folder.names == [name])
    let bytes = try Self.bytes(folder, name)
    let reading = Material.read(bytes)
    #expect(Self.seconds(reading) == Array(78...108))
    let block = { (second: Int, comment: String) in
      var stream = PcapngStream([Material.monitor])
      var bytes: [UInt8] = []
      stream.append(Material.packet(second, at: 1000 * second), comment: comment, to: &bytes)
      return bytes
    }
    let words = "alert 00ab: Tag follows"
    #expect(bytes.firstRange(of: block(93, "") + block(94, words) + block(95, "")) != nil)
    #expect(bytes.firstRange(of: block(97, "") + block(98, words) + block(99, "")) != nil)
    let text = String(decoding: bytes.prefix(600), as: UTF8.self)
    #expect(text.contains("2026-01-01T12:01:38Z alert 00ab: Tag follows"))
    #expect(text.contains("Frame 1 of this file is frame 79 of the capture."))
    #expect(text.contains("Cited frames that are not in it: 20."))
    #expect(recorder.state.files == 1)
    #expect(recorder.state.problem == nil)
  }

  /// What a silence of two minutes cites lies just before two minutes.
  @Test("a cited frame that is a little older than the time before is in it, and all from it on")
  func olderThanBefore() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder)
    Self.take(0..<100, recorder)
    Self.alert(recorder, "00ab", at: 98, frames: [72, 96])
    recorder.end()
    let name = try #require(try folder.names.first)
    let bytes = try Self.bytes(folder, name)
    #expect(Self.seconds(Material.read(bytes)) == Array(71...99))
    let text = String(decoding: bytes.prefix(600), as: UTF8.self)
    #expect(!text.contains("Cited frames that are not in it"))
  }

  @Test("alerts that come far behind the packets find what was before them, and after")
  func farBehind() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder)
    recorder.reach(.min)
    Self.take(0..<500, recorder)
    recorder.reach(Material.start + 98 * Material.second)
    Self.alert(recorder, "00ab", at: 98, frames: [95])
    Self.take(500..<510, recorder)
    recorder.reach(Material.start + 105 * Material.second)
    Self.alert(recorder, "00ac", at: 105, frames: [105])
    recorder.reach(Material.start + 400 * Material.second)
    Self.take(510..<600, recorder)
    recorder.end()
    let names = try folder.names
    #expect(names == ["site-20260101T120138Z-00ab.pcapng"])
    let reading = Material.read(try Self.bytes(folder, names[0]))
    #expect(Self.seconds(reading) == Array(78...115))
  }

  @Test("what came before the alert is in the file before the time after it is over")
  func writtenAtOnce() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder)
    Self.take(0..<100, recorder)
    Self.alert(recorder, "1", at: 99, frames: [])
    // It is written beside the run: half a minute is more than it takes.
    for _ in 0..<30_000 where recorder.state.files == 0 { usleep(1000) }
    let name = try #require(try folder.names.first { $0.hasSuffix(".pcapng") })
    #expect(Self.seconds(Material.read(try Self.bytes(folder, name))) == Array(79...99))
    recorder.end()
  }

  @Test("an alert within the time after another lengthens its file; a later one has its own")
  func overlapping() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder)
    Self.take(0..<50, recorder)
    Self.alert(recorder, "1", at: 49, frames: [50])
    Self.take(50..<56, recorder)
    Self.alert(recorder, "2", at: 55, frames: [50, 56], title: "Another")
    Self.take(56..<100, recorder)
    Self.alert(recorder, "3", at: 99, frames: [])
    recorder.end()
    let names = try folder.names
    #expect(
      names == ["site-20260101T120049Z-1.pcapng", "site-20260101T120139Z-3.pcapng"])
    let bytes = try Self.bytes(folder, names[0])
    #expect(Self.seconds(Material.read(bytes)) == Array(29...65))
    #expect(
      bytes.firstRange(of: Array("alert 1: Tag follows; alert 2: Another".utf8)) != nil)
    #expect(Self.seconds(Material.read(try Self.bytes(folder, names[1]))) == Array(79...99))
  }

  @Test("memory is bounded: what goes early is counted and said; a long window takes more files")
  func bounded() throws {
    let folder = try ScratchFolder()
    // Room for ten packets.
    let recorder = try Self.recorder(folder) { $0.mostBytes = 10 * (106 + 160) }
    Self.take(0..<50, recorder, bytes: 100)
    #expect(recorder.state.gone == 40)
    Self.alert(recorder, "1", at: 49, frames: [31])
    Self.take(50..<100, recorder, bytes: 100)
    recorder.end()
    let names = try folder.names
    #expect(
      names == ["site-20260101T120049Z-1.pcapng", "site-20260101T120049Z-1_002.pcapng"])
    let first = try Self.bytes(folder, names[0])
    #expect(Self.seconds(Material.read(first)) == Array(40...49))
    let text = String(decoding: first.prefix(600), as: UTF8.self)
    #expect(text.contains("Packets up to 2026-01-01T12:00:39Z had to go before: memory was full."))
    #expect(text.contains("Cited frames that are not in it: 31."))
    let second = try Self.bytes(folder, names[1])
    #expect(Self.seconds(Material.read(second)) == Array(50...59))
    #expect(String(decoding: second.prefix(600), as: UTF8.self).contains("Part 2"))
  }

  @Test("any number of alerts with any titles fit their comments")
  func manyAlerts() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder)
    Self.take(0..<10, recorder)
    let title = String(repeating: "🦊", count: 5000)
    for number in 0..<1000 {
      Self.alert(recorder, "\(number)", at: 9, frames: Array(0...1000), title: title)
    }
    recorder.end()
    let names = try folder.names
    #expect(names.count == 1)
    let reading = Material.read(try Self.bytes(folder, names[0]))
    #expect(reading.records.count == 10)
    #expect(reading.log.notes.isEmpty)
  }

  @Test("only pcapng has comments")
  func otherForms() throws {
    let folder = try ScratchFolder()
    for name in ["site.btsnoop", "site.pcapng.gz", "no/such/folder/site"] {
      #expect(throws: RecordingProblem.self) {
        _ = try Self.recorder(folder) { $0.name = folder.path(name) }
      }
    }
  }

  @Test("what is replayed waits for the disk: every file is whole")
  func replaysWait() throws {
    let folder = try ScratchFolder()
    let recorder = try Self.recorder(folder) { $0.waitsForDisk = true }
    for minute in 0..<40 {
      Self.take(minute * 60..<minute * 60 + 30, recorder)
      Self.alert(recorder, "a\(minute)", at: minute * 60 + 29, frames: [minute * 60 + 30])
      Self.take(minute * 60 + 30..<minute * 60 + 60, recorder)
    }
    recorder.end()
    #expect(recorder.state.notWritten == 0 && recorder.state.problem == nil)
    #expect(recorder.state.files == 40)
    for name in try folder.names {
      #expect(Self.seconds(Material.read(try Self.bytes(folder, name))).count > 30, "\(name)")
    }
  }
}
