import CaptureReader
import CaptureWriter
import Foundation
import Testing

/// Disks fill, programs are killed.
@Suite struct FailingRecordingTests {
  /// A small file system of its own, which only root can make; nil elsewhere.
  static func smallDisk(_ folder: ScratchFolder, _ size: String = "64k") throws -> String? {
    let place = folder.path("disk")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    guard let mount = Programs.path("mount") else { return nil }
    _ = try Programs.output(mount, ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", place])
    let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    return mounts.contains(" \(place) ") ? place : nil
  }

  @Test(
    "a full disk: whole items stay, the rest is counted, told when there is room again",
    arguments: ["a.pcapng", "a.btsnoop"])
  func fullDisk(_ name: String) throws {
    let folder = try ScratchFolder()
    guard let disk = try Self.smallDisk(folder) else {
      return print("skipped: a small file system can be made by root alone")
    }
    defer { _ = try? Programs.output(Programs.path("umount") ?? "", [disk]) }
    let ballast = "\(disk)/ballast"
    try Data(count: 30_000).write(to: URL(filePath: ballast))
    let clock = HandClock()
    let path = "\(disk)/\(name)"
    let recorder = try CaptureRecorder(path, clock: clock)
    let packet = { (number: Int) in
      recorder.take(Material.packet(number, at: number, bytes: 200), frame: number + 1)
    }
    for number in 0..<400 {
      packet(number)
      if number % 10 == 9 { recorder.pause() }
    }
    let full = recorder.state
    #expect(full.problem == "no space left on device")
    #expect(full.packets > 50)
    #expect(full.packets + full.notWritten == 400)
    var reading = try Material.read(file: path)
    #expect(reading.records.count == full.packets)
    #expect(reading.log.notes.isEmpty)

    recorder.take(.lost(3, interface: 0, nanoseconds: Material.start, by: .kernel), frame: 400)
    try FileManager.default.removeItem(atPath: ballast)
    // Not at every packet: first the clock has to go on.
    packet(400)
    #expect(recorder.state.notWritten == full.notWritten + 1)
    clock.advance(seconds: 5)
    packet(401)
    recorder.end()
    let end = recorder.state
    #expect(end.problem == nil)
    #expect(end.packets == full.packets + 1)
    #expect(end.notWritten == full.notWritten + 1)
    reading = try Material.read(file: path)
    #expect(reading.records.count == end.packets)
    #expect(reading.log.notes.isEmpty)
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let missing = UInt64(end.notWritten)
    if name.hasSuffix("pcapng") {
      let words = "\(missing) packets could not be written: no space left on device"
      #expect(bytes.firstRange(of: Array(words.utf8)) != nil)
      #expect(bytes.firstRange(of: [7, 0, 8, 0] + (missing + 3).le) != nil)
    } else {
      let drops = bytes.count - (24 + 202) + 12
      #expect(Array(bytes[drops..<(drops + 4)]) == UInt32(missing + 3).be)
    }
  }

  @Test(
    "a disk that is full at the start: when there is room all is well, and why packets are missing is known"
  )
  func fullAtStart() throws {
    let folder = try ScratchFolder()
    guard let disk = try Self.smallDisk(folder) else {
      return print("skipped: a small file system can be made by root alone")
    }
    defer { _ = try? Programs.output(Programs.path("umount") ?? "", [disk]) }
    let ballast = "\(disk)/ballast"
    #expect(throws: (any Error).self) { try Data(count: 100_000).write(to: URL(filePath: ballast)) }
    let clock = HandClock()
    var settings = CaptureRecorder.Settings("\(disk)/site.pcapng")
    settings.rotation = Rotation(nanoseconds: 10 * Material.second, keep: 3)
    let recorder = try CaptureRecorder(settings, interfaces: [Material.monitor]) { clock.now }
    for number in 0..<20 {
      recorder.take(Material.packet(number, at: 1000 * number), frame: number + 1)
      clock.advance(seconds: 1)
    }
    #expect(recorder.state.problem == "no space left on device" && recorder.state.path.isEmpty)
    try FileManager.default.removeItem(atPath: ballast)
    for number in 20..<80 {
      recorder.take(Material.packet(number, at: 1000 * number), frame: number + 1)
      clock.advance(seconds: 1)
    }
    recorder.end()
    let state = recorder.state
    #expect(state.problem == nil && state.notRemoved == nil)
    #expect(state.notWritten >= 20 && state.packets + state.notWritten == 80)
    #expect(state.lastFailure == "no space left on device")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk).count == 3 + 1)
  }

  /// Other tests start programs meanwhile, each of which holds the files of this one until it runs: what goes then
  /// makes no room yet. A ring that never makes room fails each time.
  @Test("a full disk: a ring that is counted gives its oldest files away, and loses no packet")
  func fullDiskOfRing() throws {
    for _ in 0..<4 where try !losesPackets(isLast: false) { return }
    _ = try losesPackets(isLast: true)
  }

  /// - Parameter isLast: what is lost is a failure.
  private func losesPackets(isLast: Bool) throws -> Bool {
    let folder = try ScratchFolder()
    guard let disk = try Self.smallDisk(folder) else {
      print("skipped: a small file system can be made by root alone")
      return false
    }
    defer { _ = try? Programs.output(Programs.path("umount") ?? "", [disk]) }
    let other = "\(disk)/other-20250101T120000Z.pcapng"
    try Data(count: 20_000).write(to: URL(filePath: other))
    let recorder = try CaptureRecorder("\(disk)/site.pcapng") {
      $0.rotation = Rotation(bytes: 8000, keep: 100)
    }
    for number in 0..<1000 {
      recorder.take(Material.packet(number, at: 10 * number, bytes: 200), frame: number + 1)
      if number % 10 == 9 { recorder.pause() }
    }
    recorder.end()
    let state = recorder.state
    if !isLast, state.notWritten > 0 { return true }
    #expect(state.notWritten == 0 && state.problem == nil)
    #expect(state.packets == 1000)
    #expect(state.givenAway > 10)
    let names = try FileManager.default.contentsOfDirectory(atPath: disk).sorted()
    #expect(names.contains("other-20250101T120000Z.pcapng"))
    let kept = names.filter { $0.hasPrefix("site-") }
    #expect(kept.count == state.files - state.givenAway)
    // What is there are the last packets, without a gap.
    let numbers = try kept.flatMap { try Material.read(file: "\(disk)/\($0)").records }.map(\.time)
    let last = (0..<1000).suffix(numbers.count).map { Material.start + Int64(10 * $0) * 1_000_000 }
    #expect(numbers == last)
    return false
  }

  @Test("a full disk: no more files are given away than would make room") func fullDiskInVain()
    throws
  {
    let folder = try ScratchFolder()
    guard let disk = try Self.smallDisk(folder, "2m") else {
      return print("skipped: a small file system can be made by root alone")
    }
    defer { _ = try? Programs.output(Programs.path("umount") ?? "", [disk]) }
    // Somebody else keeps what is in them.
    for number in 0..<9 {
      let name = "\(disk)/site-2025010\(number)T120000Z.pcapng"
      try Data(count: 100_000).write(to: URL(filePath: name))
      try FileManager.default.linkItem(atPath: name, toPath: "\(disk)/link-\(number)")
    }
    let clock = HandClock()
    let recorder = try CaptureRecorder("\(disk)/site.pcapng", clock: clock) {
      $0.rotation = Rotation(bytes: 1 << 30, keep: 100)
    }
    for number in 0..<8000 {
      recorder.take(Material.packet(number, at: number, bytes: 200), frame: number + 1)
      if number % 100 == 99 {
        recorder.pause()
        clock.advance(seconds: 5)
      }
    }
    recorder.end()
    #expect(recorder.state.notWritten > 0)
    #expect(recorder.state.problem == "no space left on device")
    #expect(recorder.state.givenAway == 1)
  }

  @Test("a limit on the length of files: what it stops is counted, the file stays whole")
  func limitedLength() throws {
    let folder = try ScratchFolder()
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$1\" 2000"
    let output = try Programs.output(
      "/usr/bin/env",
      ["bash", "-c", script, Programs.built("RecordingTrial"), folder.path("a.pcapng")])
    let last = try #require(output.split(separator: "\n").last)
    let words = last.split(separator: " ")
    #expect(words.suffix(3) == ["file", "too", "large"])
    let packets = try #require(Int(words[1]))
    let notWritten = try #require(Int(words[3]))
    #expect(packets > 10 && packets + notWritten == 2000)
    let reading = try Material.read(file: folder.path("a.pcapng"))
    #expect(reading.records.count == packets)
    #expect(reading.log.notes.isEmpty)
  }

  @Test("killed: everything that was shown is in the file", arguments: ["a.pcapng", "a.btsnoop"])
  func killed(_ name: String) throws {
    for shownBefore in [1, 40, 2000] {
      let folder = try ScratchFolder()
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(filePath: Programs.built("RecordingTrial"))
      process.arguments = [folder.path(name), "100000000"]
      process.standardOutput = pipe
      try process.run()
      var output = Data()
      while output.count < shownBefore {
        let more = pipe.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        output += more
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      output += pipe.fileHandleForReading.readDataToEndOfFile()
      let whole = output.prefix(through: try #require(output.lastIndex(of: 10)))
      let shown = try #require(
        Int(String(decoding: whole, as: UTF8.self).split(separator: "\n").last ?? ""))
      let reading = try Material.read(file: folder.path(name))
      #expect(reading.problem == nil)
      #expect(reading.records.count >= shown)
      #expect(reading.log.notes.keys.allSatisfy { $0 == .fileTruncated })
    }
  }
}
