package import Analysis
package import Beacons
package import CaseStore
import Dispatch
import Synchronization

/// Keeps each sighting in a case while the run goes on: collects them, and hands them on to a thread
/// that writes.
package struct CaseSightings: FindingSink {
  /// A sighting as its row has it.
  fileprivate struct Row: BitwiseCopyable, Sendable {
    let time: Int64?
    let frame: Int
    let hearing: UInt32
    let capture: UInt32
    let number: UInt16
    let rssi: Int8
    let power: Int8?
    let channel: UInt8
  }

  private static let piece = 1 << 16
  private static let havePower = BeaconKindTable(otherwise: false) { $0.hasPower }
  private var rows: [Row] = []
  private let writer: SightingWriter

  package init(_ file: CaseFile) { writer = SightingWriter(file) }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    for place in sightings.indices {
      let sighting = sightings[place]
      let transmitter =
        capture.transmitterNumbers.isEmpty
        ? sighting.transmitter : capture.transmitterNumbers[Int(sighting.transmitter)]
      rows.append(
        Row(
          time: sighting.time.known, frame: sighting.frame, hearing: transmitter,
          capture: UInt32(capture.place), number: sighting.index, rssi: sighting.rssi,
          power: Self.havePower[sighting.kind] ? sighting.power : nil,
          channel: sighting.channel))
    }
    if rows.count >= Self.piece { try handOn() }
  }

  package mutating func pause() throws { try handOn() }

  private mutating func handOn() throws {
    guard !rows.isEmpty else { return }
    try writer.take(rows)
    rows = []
    rows.reserveCapacity(Self.piece + 4096)
  }

  /// Waits until all is written, behind the last `pause`; nothing more is taken.
  package func finish() throws { try writer.finish() }
}

/// Writes on a queue of its own; whoever is ahead by more than two pieces waits.
private final class SightingWriter: Sendable {
  private let file: CaseFile
  private let queue = DispatchQueue(label: "beacontrace.case.sightings")
  private let room = DispatchSemaphore(value: 2)
  private let problem = Mutex<(any Error)?>(nil)

  init(_ file: CaseFile) { self.file = file }

  func take(_ rows: [CaseSightings.Row]) throws {
    try check()
    room.wait()
    queue.async { [self] in
      defer { room.signal() }
      do {
        try file.fill { try Self.write(rows, $0) }
      } catch {
        problem.withLock { $0 = $0 ?? error }
      }
    }
  }

  func finish() throws {
    queue.sync {}
    try check()
  }

  private func check() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  private static func write(_ rows: [CaseSightings.Row], _ tables: CaseTables) throws {
    let writer = try tables.writer("sightings")
    for row in rows {
      writer.int(row.time)
      writer.int(Int64(row.capture) + 1)
      writer.int(row.frame)
      writer.int(Int64(row.number))
      writer.int(Int64(row.hearing) + 1)
      writer.int(row.rssi == 127 ? nil : Int64(row.rssi))
      writer.int(row.power.map { Int64($0) })
      writer.int(row.channel == 255 ? nil : Int64(row.channel))
      try writer.end()
    }
  }
}
