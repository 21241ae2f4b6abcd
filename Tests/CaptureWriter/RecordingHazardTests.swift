import CaptureWriter
import Foundation
import Testing

/// Two runs at one name, numbers that nobody can count to, disks that fail for a moment.
@Suite struct RecordingHazardTests {
  @Test("a file that another run records to is not written over")
  func twoRuns() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.pcapng")
    let first = try CaptureRecorder(path) { $0.overwrites = true }
    first.take(Material.packet(1, at: 1), frame: 1)
    first.pause()
    let problem = #expect(throws: RecordingProblem.self) {
      _ = try CaptureRecorder(path) { $0.overwrites = true }
    }
    #expect(problem?.what == "another run records to this file")
    first.take(Material.packet(2, at: 2), frame: 2)
    first.end()
    #expect(try Material.read(file: path).records.count == 2)
    // And free again when it has ended.
    try CaptureRecorder(path) { $0.overwrites = true }.end()
  }

  @Test("losses of any number are added up while nothing can be written")
  func hugeLosses() throws {
    let folder = try ScratchFolder()
    let sub = folder.path("sub")
    try FileManager.default.createDirectory(atPath: sub, withIntermediateDirectories: false)
    let clock = HandClock()
    let recorder = try CaptureRecorder(sub + "/a.pcapng", clock: clock) {
      $0.rotation = Rotation(bytes: 1 << 20)
    }
    try FileManager.default.removeItem(atPath: sub)
    recorder.take(Material.packet(1, at: 1), frame: 1)
    #expect(recorder.state.problem != nil)
    for number in 0..<2500 {
      // Both kinds, one behind the other: a thousand marks are kept, and the rest is counted.
      for loss in CaptureItem.Loss.allCases {
        let time = Material.start + Int64(number)
        for _ in 0..<2 {
          recorder.take(.lost(.max, interface: 0, nanoseconds: time, by: loss), frame: 1)
        }
      }
    }
    try FileManager.default.createDirectory(atPath: sub, withIntermediateDirectories: false)
    clock.advance(seconds: 5)
    recorder.take(Material.packet(2, at: 2), frame: 2)
    recorder.end()
    #expect(recorder.state.problem == nil)
    #expect(recorder.state.packets == 1)
  }

  @Test("packets around an alert are not lost where only a writing on the way failed")
  func failedOnTheWay() throws {
    let folder = try ScratchFolder()
    let recorder = try AlertRecorderTests.recorder(folder)
    AlertRecorderTests.take(0..<10, recorder)
    let part = folder.path("site-20260101T120009Z-1.pcapng.part")
    try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
    AlertRecorderTests.alert(recorder, "1", at: 9, frames: [])
    for _ in 0..<30_000 where recorder.state.problem == nil { usleep(1000) }
    #expect(recorder.state.problem == "is a directory")
    #expect(recorder.state.notWritten == 0)
    try FileManager.default.removeItem(atPath: part)
    recorder.end()
    #expect(recorder.state.notWritten == 0 && recorder.state.files == 1)
    #expect(recorder.state.problem == nil)
  }

  @Test("which files one that rotates may remove goes by their names and their folder")
  func rotatedNames() throws {
    let folder = try ScratchFolder()
    let recording = folder.path("site.pcapng")
    let name = "site-20260101T120138Z.pcapng"
    try Data().write(to: URL(filePath: folder.path(name)))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("other.pcapng"), withDestinationPath: name)
    #expect(Rotation.mayRemove(folder.path(name), recording: recording))
    #expect(Rotation.mayRemove(folder.path("other.pcapng"), recording: recording))
    #expect(
      Rotation.mayRemove(folder.path("site-20260101T120138Z_002.pcapng"), recording: recording))
    #expect(!Rotation.mayRemove(folder.path("site-20260101.pcapng"), recording: recording))
    #expect(!Rotation.mayRemove(folder.path("site.pcapng"), recording: recording))
    #expect(!Rotation.mayRemove("/" + name, recording: recording))
  }
}
