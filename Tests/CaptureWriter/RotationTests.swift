import CaptureReader
import CaptureWriter
import Foundation
import Testing

/// Recordings that go on in another file.
@Suite struct RotationTests {
  /// A packet a second, 60 bytes with its block's frame and more.
  static func record(_ seconds: Range<Int>, to recorder: CaptureRecorder) {
    for second in seconds {
      recorder.take(Material.packet(second, at: 1000 * second), frame: second + 1)
    }
  }

  @Test("by time: a file for each ten minutes, named for its first packet, each whole of its own")
  func byTime() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: 600 * Material.second)
    }
    Self.record(0..<1500, to: recorder)
    recorder.end()
    let names = try folder.names
    #expect(
      names == [
        "site-20260101T120000Z.pcapng", "site-20260101T121000Z.pcapng",
        "site-20260101T122000Z.pcapng",
      ])
    let readings = try names.map { try Material.read(file: folder.path($0)) }
    #expect(readings.map(\.records.count) == [600, 600, 300])
    #expect(readings.allSatisfy { $0.log.interfaces.first?.name == "bluetooth-monitor" })
    #expect(recorder.state.files == 3)
    #expect(recorder.state.packets == 1500)
  }

  @Test("by size: no file is longer, no packet is parted or gone, names keep the order")
  func bySize() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("site.btsnoop")) {
      $0.rotation = Rotation(bytes: 1000)
    }
    for number in 0..<300 { recorder.take(Material.packet(number, at: number), frame: number + 1) }
    recorder.end()
    let names = try folder.names
    #expect(names.count > 10)
    #expect(names.first == "site-20260101T120000Z.btsnoop")
    #expect(names.dropFirst().first == "site-20260101T120000Z_002.btsnoop")
    let files = try names.map { try Data(contentsOf: URL(filePath: folder.path($0))) }
    #expect(files.allSatisfy { $0.count <= 1000 })
    let records = files.flatMap { Material.read([UInt8]($0)).records }
    #expect(records.map(\.data.last) == (0..<300).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test("where time steps back, names go on in the order of the files")
  func timeStepsBack() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(bytes: 1)
    }
    for (number, second) in [5, 4, 6].enumerated() {
      recorder.take(Material.packet(number, at: 1000 * second), frame: number + 1)
    }
    recorder.end()
    #expect(
      try folder.names == [
        "site-20260101T120005Z.pcapng", "site-20260101T120005Z_002.pcapng",
        "site-20260101T120006Z.pcapng",
      ])
  }

  @Test(
    "by time: goes on from what has passed where the clock is set back, and by nothing where packets are a little out of order"
  )
  func setBack() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: 60 * Material.second)
    }
    // At 12:00:40 it becomes 10:00:40; each second has a packet that is late by half of one.
    for second in 0..<150 {
      let time = 1000 * (second < 40 ? second : second - 7200)
      recorder.take(Material.packet(second, at: time), frame: 2 * second + 1)
      recorder.take(Material.packet(second, at: time - 500), frame: 2 * second + 2)
    }
    recorder.end()
    #expect(try folder.names.count == 3)
    let readings = try folder.names.map { try Material.read(file: folder.path($0)) }
    // How long it was between the packets before and behind the step nobody knows.
    #expect(readings.map(\.records.count) == [124, 120, 56])
  }

  @Test("keep: the oldest go, of runs before, too; what has another name stays")
  func keep() throws {
    let folder = try ScratchFolder()
    let others = [
      "site-20250101T120000Z.pcapng.gz", "site-20250101T120000.pcapng", "site-2025.pcapng",
      "site-20250101T120000Z_2.pcapng", "site-20250101T120000Z_+02.pcapng",
      "site-2O250101T120000Z.pcapng", "other-20250101T120000Z.pcapng", "site.pcapng",
      "site-20250101T120000Z_001.pcapng",
    ]
    let old = ["site-20250101T120000Z.pcapng", "site-20250101T120000Z_002.pcapng"]
    for name in others + old { try Data("x".utf8).write(to: URL(filePath: folder.path(name))) }
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: Material.second, keep: 3)
    }
    Self.record(0..<1, to: recorder)
    recorder.pause()
    #expect(try folder.names == (others + old + ["site-20260101T120000Z.pcapng"]).sorted())
    Self.record(1..<5, to: recorder)
    recorder.end()
    let left = (2..<5).map { "site-20260101T12000\($0)Z.pcapng" }
    #expect(try folder.names == (others + left).sorted())
  }

  @Test("keep: a run whose clock was ahead leaves no names that outlive what comes after it")
  func clockWasAhead() throws {
    let folder = try ScratchFolder()
    // By when they were written: two of that run, an hour ago, then three of an ordinary one.
    let old = [
      "site-20990101T000000Z.pcapng", "site-20990101T010000Z.pcapng",
      "site-20251231T100000Z.pcapng", "site-20251231T110000Z.pcapng",
      "site-20251231T120000Z.pcapng",
    ]
    for (place, name) in old.enumerated() {
      try Data("x".utf8).write(to: URL(filePath: folder.path(name)))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(place) * 60 - 3600)],
        ofItemAtPath: folder.path(name))
    }
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: Material.second, keep: 5)
    }
    // What this run writes goes behind all that was there.
    Self.record(0..<3, to: recorder)
    recorder.pause()
    let own = (0..<5).map { "site-20260101T12000\($0)Z.pcapng" }
    #expect(try folder.names == old.suffix(2) + own.prefix(3))
    Self.record(3..<5, to: recorder)
    recorder.end()
    #expect(try folder.names == own)
  }

  @Test("keep: files that say they were written in days to come go first") func daysToCome() throws
  {
    let folder = try ScratchFolder()
    let old = ["site-20250101T120000Z.pcapng", "site-20990101T000000Z.pcapng"]
    for (name, days) in zip(old, [-1.0, 9000]) {
      try Data("x".utf8).write(to: URL(filePath: folder.path(name)))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: days * 86_400)],
        ofItemAtPath: folder.path(name))
    }
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: Material.second, keep: 2)
    }
    Self.record(0..<1, to: recorder)
    recorder.end()
    #expect(try folder.names == [old[0], "site-20260101T120000Z.pcapng"])
  }

  @Test("keep: files that somebody moves away are not counted any more, and nothing is wrong")
  func movedAway() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: Material.second, keep: 3)
    }
    Self.record(0..<4, to: recorder)
    for second in [1, 2] {
      try FileManager.default.removeItem(
        atPath: folder.path("site-20260101T12000\(second)Z.pcapng"))
    }
    for (second, names) in [(4, [3, 4]), (5, [3, 4, 5]), (6, [4, 5, 6])] {
      Self.record(second..<(second + 1), to: recorder)
      recorder.pause()
      #expect(try folder.names == names.map { "site-20260101T12000\($0)Z.pcapng" })
      #expect(recorder.state.problem == nil && recorder.state.notRemoved == nil)
    }
    recorder.end()
    #expect(recorder.state.packets == 7)
  }

  @Test(
    "keep: a file that cannot be removed keeps no packet from being recorded, and is told until it is gone"
  )
  func staysThere() throws {
    let folder = try ScratchFolder()
    let old = folder.path("site-20250101T120000Z.pcapng")
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: Material.second, keep: 1)
    }
    Self.record(0..<2, to: recorder)
    recorder.pause()
    #expect(recorder.state.problem == nil && recorder.state.packets == 2)
    #expect(recorder.state.notRemoved == "\(old) cannot be removed: is a directory")
    try FileManager.default.removeItem(atPath: old)
    Self.record(2..<3, to: recorder)
    recorder.end()
    #expect(recorder.state.notRemoved == nil)
    #expect(try folder.names == ["site-20260101T120002Z.pcapng"])
  }

  @Test("belongs to one run at a time, which else would remove the other's files")
  func locked() throws {
    let folder = try ScratchFolder()
    func open(_ name: String) throws -> CaptureRecorder {
      try CaptureRecorder(folder.path(name)) { $0.rotation = Rotation(bytes: 1 << 20, keep: 1) }
    }
    do {
      let first = try open("site.pcapng")
      defer { withExtendedLifetime(first) {} }
      let problem = #expect(throws: RecordingProblem.self) { try open("site.pcapng") }
      #expect(problem?.what == "another run records by this name")
      _ = try open("yard.pcapng")
    }
    _ = try open("site.pcapng")
  }

  @Test("a file that is there is never overwritten")
  func neverOverwrites() throws {
    let folder = try ScratchFolder()
    for _ in 0..<2 {
      let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
        $0.rotation = Rotation(bytes: 1 << 20)
        $0.overwrites = true
      }
      Self.record(0..<3, to: recorder)
      recorder.end()
    }
    #expect(
      try folder.names == ["site-20260101T120000Z.pcapng", "site-20260101T120000Z_002.pcapng"])
    for name in try folder.names {
      #expect(try Material.read(file: folder.path(name)).records.count == 3)
    }
  }

  @Test("each file counts its own losses, also where one comes before any packet")
  func lossesByFile() throws {
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path("site.pcapng")) {
      $0.rotation = Rotation(nanoseconds: Material.second)
    }
    let lost = { (count: UInt64, milliseconds: Int64) in
      CaptureItem.lost(
        count, interface: 0, nanoseconds: Material.start + milliseconds * 1_000_000, by: .kernel)
    }
    recorder.take(lost(5, 0), frame: 0)
    recorder.take(Material.packet(1, at: 10), frame: 1)
    recorder.take(Material.packet(2, at: 2000), frame: 2)
    recorder.take(lost(2, 2001), frame: 2)
    recorder.take(lost(3, 2002), frame: 2)
    recorder.end()
    var first = PcapngStream([Material.monitor])
    var bytes = first.header
    first.append(lost(5, 0), to: &bytes)
    first.append(Material.packet(1, at: 10), to: &bytes)
    let written = try folder.names.map {
      try [UInt8](Data(contentsOf: URL(filePath: folder.path($0))))
    }
    #expect(written.first == bytes)
    var second = PcapngStream([Material.monitor])
    bytes = second.begin(comment: "Frame 1 of this file is frame 2 of the capture.")
    second.append(Material.packet(2, at: 2000), to: &bytes)
    second.append(lost(2, 2001), to: &bytes)
    second.append(lost(3, 2002), to: &bytes)
    #expect(written.last == bytes)
  }

  @Test("a folder that is not there is found out at once")
  func noFolder() {
    let problem = #expect(throws: RecordingProblem.self) {
      _ = try CaptureRecorder("/no/such/folder/site.pcapng") { $0.rotation = Rotation(bytes: 1) }
    }
    #expect(problem?.what.contains("/no/such/folder/") == true)
  }
}
