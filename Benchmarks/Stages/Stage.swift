import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// How far the evidence is followed.
enum Stage: String, CaseIterable {
  /// Bytes → records, and SHA-256 of the bytes.
  case reader
  /// … → advertising reports.
  case frames
  /// … → sightings, as `analyze` wants them: repeats in brief.
  case beacons
  /// … → sightings, as `sightings` wants them: all of them whole.
  case sightings
  /// … → added up per beacon.
  case analysis
  /// The reader, and one array made for each record: what a count of allocations has to notice.
  case control

  /// Takes one capture through, from its first byte to its last.
  /// - Returns: number of records.
  func run(_ path: String) throws -> Int {
    switch self {
    case .reader: try Self.read(path) { _, _ in }
    case .frames: try Self.decodeFrames(path)
    case .beacons: try Self.decodeBeacons(path, keepsRepeats: false)
    case .sightings: try Self.decodeBeacons(path, keepsRepeats: true)
    case .analysis: try Self.analyze(path)
    case .control: try Self.allocate(path)
    }
  }

  private static func read(_ path: String, _ body: (Span<CaptureRecord>, RawSpan) -> Void)
    throws -> Int
  {
    let reader = try CaptureReader.open(.file(path))
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      reader.withBytes { bytes in batch.records.withSpan { body($0, bytes) } }
    }
    return reader.log.frames
  }

  private static func decodeFrames(_ path: String) throws -> Int {
    var decoder = FrameDecoder()
    return try read(path) { records, bytes in decoder.decode(records, bytes) }
  }

  private static func decodeBeacons(_ path: String, keepsRepeats: Bool) throws -> Int {
    var decoder = CaptureDecoder(keepsRepeats: keepsRepeats)
    return try read(path) { records, bytes in decoder.decode(records, bytes) }
  }

  private static func analyze(_ path: String) throws -> Int {
    var sink = NoSink()
    var analysis = Analysis([.file(path)])
    let result = try analysis.run(into: &sink)
    return result.captures.reduce(0) { $0 + $1.accounting.records }
  }

  private static func allocate(_ path: String) throws -> Int {
    var made = 0
    let records = try read(path) { records, _ in
      for index in records.indices { made += [UInt8](repeating: 1, count: 64 + index % 64).count }
    }
    precondition(made >= records * 64, "arrays were not made")
    return records
  }
}
