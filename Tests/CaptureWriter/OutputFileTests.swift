import CaptureReader
import CaptureWriter
import Foundation
import Testing

/// Captures on their way to the disk: whole, packed, and where they cannot go.
struct OutputFileTests {
  /// More than a flush's worth.
  static let records = (0..<20_000).map { number in
    Record(
      1_779_184_800_000_000_000 + Int64(number) * 1_000_000,
      [4, 0x0F, 4, 0, 1, 0, UInt8(number & 127)],
      tag: 3)
  }

  static func scratch() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "writer-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test(arguments: [("", nil), (".gz", Compression.gzip), (".zst", Compression.zstd)])
  func readersGetWhatWasWritten(_ ending: String, _ packing: Compression?) throws {
    let folder = try Self.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "site.btsnoop\(ending)").path(percentEncoded: false)
    let writer = BtsnoopWriter(datalink: 1002)
    var file = try OutputFile.create(path)
    file.pending += writer.header
    for record in Self.records {
      writer.append(record, to: &file.pending)
      if file.pending.count >= OutputFile.chunk { try file.flush() }
    }
    try file.end()

    let reader = try CaptureReader.open(.file(path))
    var batch = RecordBatch()
    var times: [Int64] = []
    var last: [UInt8] = []
    while try reader.next(into: &batch) {
      reader.withBytes { bytes in
        for place in 0..<batch.records.count {
          let record = batch.records[place]
          times.append(record.time.nanoseconds)
          let start = Int(record.start)
          last = (start..<(start + Int(record.count))).map { bytes.u8($0) }
        }
      }
    }
    #expect(times == Self.records.map(\.nanoseconds))
    #expect(last == Self.records.last?.data)
    #expect(reader.log.gaps.isEmpty)
    #expect(reader.compression == packing)
  }

  @Test func aFolderThatIsNotThere() throws {
    do throws(OutputProblem) {
      _ = try OutputFile.create("/nowhere/at/all/site.pcap")
      Issue.record("it was created")
    } catch {
      #expect(error.path == "/nowhere/at/all/site.pcap")
      #expect(error.reason == "no such file or directory")
    }
  }

  @Test func aFullDisk() throws {
    do throws(OutputProblem) {
      var file = try OutputFile.create("/dev/full")
      file.pending += [1, 2, 3]
      try file.end()
      Issue.record("it was written")
    } catch {
      #expect(error.reason == "no space left on device")
      #expect(!error.isClosedPipe)
    }
  }
}
