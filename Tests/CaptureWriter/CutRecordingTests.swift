import CaptureReader
import CaptureWriter
import Foundation
import Testing

/// A recording may end anywhere: power cuts, kills, full disks.
@Suite struct CutRecordingTests {
  static let names = ["a.pcapng", "a.btsnoop"]

  @Test("cut at any byte it reads up to the last whole record", arguments: names)
  func cutAtAnyByte(_ name: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path(name)
    let recorder = try CaptureRecorder(path)
    // After each item, what a reader must find of a file of that length.
    var ends: [(bytes: Int, records: Int)] = [(Int(recorder.state.bytes), 0)]
    var items: [CaptureItem] = (0..<12).map { Material.packet($0, at: 10 * $0, bytes: $0 * 5) }
    items.insert(.lost(3, interface: 0, nanoseconds: Material.start, by: .program), at: 4)
    items.insert(.off(interface: 0, nanoseconds: Material.start), at: 8)
    var frame = 0
    for item in items {
      if case .packet = item { frame += 1 }
      recorder.take(item, frame: frame)
      recorder.pause()
      ends.append((Int(recorder.state.bytes), frame))
    }
    recorder.end()
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let all = Material.read(bytes).records
    #expect(all.count == 12)
    for cut in ends[0].bytes...bytes.count {
      let reading = Material.read(Array(bytes[..<cut]))
      let whole = try #require(ends.last { $0.bytes <= cut })
      #expect(reading.problem == nil, "\(cut)")
      #expect(reading.records == Array(all.prefix(whole.records)), "\(cut)")
      let isClean = ends.contains { $0.bytes == cut }
      #expect(reading.log.notes.keys.elementsEqual(isClean ? [] : [.fileTruncated]), "\(cut)")
    }
  }

  /// Both forms, at places that are no ends of items.
  @Test("tshark reads a cut recording, too", arguments: names)
  func tsharkReadsIt(_ name: String) throws {
    guard let tshark = Programs.path("tshark") else {
      return print("skipped: tshark is not installed")
    }
    let folder = try ScratchFolder()
    let recorder = try CaptureRecorder(folder.path(name))
    for number in 0..<20 { recorder.take(Material.packet(number, at: number), frame: number + 1) }
    recorder.end()
    let bytes = try Data(contentsOf: URL(filePath: folder.path(name)))
    for cut in [bytes.count, bytes.count - 1, bytes.count - 30, bytes.count - 47] {
      let path = folder.path("cut-\(cut)-\(name)")
      try bytes.prefix(cut).write(to: URL(filePath: path))
      let found = Material.read([UInt8](bytes.prefix(cut))).records.count
      let output = try Programs.output(tshark, ["-r", path, "-T", "fields", "-e", "frame.number"])
      #expect(output.split(separator: "\n").count == found, "\(cut)")
    }
  }
}
