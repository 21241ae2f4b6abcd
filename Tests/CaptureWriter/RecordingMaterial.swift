import CaptureReader
import CaptureWriter
import Foundation
import Synchronization
import Testing

/// Items to record, and what a reader finds of them.
enum Material {
  static let start: Int64 = 1_767_268_800_000_000_000  // 2026-01-01T12:00:00Z
  static let monitor = PcapngWriter.Interface(
    linkType: 254, name: "bluetooth-monitor", resolution: 9)
  static let hci = PcapngWriter.Interface(linkType: 201, name: "bluetooth0", resolution: 9)
  static let second: Int64 = 1_000_000_000

  /// An event of the Linux monitor, so many milliseconds after the start.
  static func packet(_ number: Int, at milliseconds: Int, interface: Int = 0, bytes: Int = 20)
    -> CaptureItem
  {
    let data: [UInt8] =
      [0, 1, 0, 3, 0x3E, UInt8(truncatingIfNeeded: bytes)]
      + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)
    return .packet(
      Record(start + Int64(milliseconds) * 1_000_000, data), interface: interface,
      direction: .controllerToHost)
  }

  struct Found: Equatable {
    var time: Int64
    var data: [UInt8]
  }

  struct Reading {
    var records: [Found] = []
    var log = ContainerLog()
    var problem: CaptureProblem?
  }

  /// Everything that the reader makes of bytes.
  static func read(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    do throws(CaptureProblem) {
      let reader = try CaptureReader.open(.bytes(bytes, name: "recording"))
      var batch = RecordBatch()
      while try reader.next(into: &batch) {
        reader.withBytes { bytes in
          for place in 0..<batch.records.count {
            let record = batch.records[place]
            let range = Int(record.start)..<(Int(record.start) + Int(record.count))
            reading.records.append(
              Found(time: record.time.nanoseconds, data: range.map { bytes.u8($0) }))
          }
        }
      }
      reading.log = reader.log
    } catch {
      reading.problem = error
    }
    return reading
  }

  static func read(file: String) throws -> Reading {
    try read([UInt8](Data(contentsOf: URL(filePath: file))))
  }
}

/// A clock that goes on when told.
final class HandClock: Sendable {
  private let time = Mutex<Int64>(0)
  var now: Int64 { time.withLock { $0 } }
  func advance(seconds: Int64) { time.withLock { $0 += seconds * Material.second } }
}

/// A folder of a test's own, gone with it.
final class ScratchFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// Locks aside, which stay.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path(""))
        .filter { !$0.hasSuffix(".lock") }.sorted()
    }
  }
}

extension CaptureRecorder {
  /// With a clock that stands still unless another is given.
  convenience init(
    _ path: String, _ interfaces: [PcapngWriter.Interface] = [Material.monitor],
    clock: HandClock = HandClock(), _ change: (inout Settings) -> Void = { _ in }
  ) throws(RecordingProblem) {
    var settings = Settings(path)
    change(&settings)
    try self.init(settings, interfaces: interfaces, clock: { clock.now })
  }
}
