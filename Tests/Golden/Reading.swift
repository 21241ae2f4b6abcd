import CaptureReader
import FrameDecoder

/// A record with its bytes, kept beyond the batch it came in.
struct SeenRecord: Equatable {
  let frame: Int
  let time: Timestamp
  let bytes: [UInt8]
  let originalCount: UInt32
  let link: LinkType
  let interface: UInt16
  let fault: RecordFault
  let direction: PacketDirection
  let tag: UInt32

  init(_ record: CaptureRecord, _ bytes: RawSpan) {
    frame = record.frame
    time = record.time
    let start = Int(record.start)
    self.bytes = bytes.extracting(start..<(start + Int(record.count))).array()
    originalCount = record.originalCount
    link = record.link
    interface = record.interface
    fault = record.fault
    direction = record.direction
    tag = record.tag
  }
}

/// What comes of a whole capture held in memory.
struct Reading {
  var format = ""
  var compression: Compression?
  var records: [SeenRecord] = []
  var fixes: [PositionFix] = []
  var log = ContainerLog()
  var decoding = Decoding()
  /// Why the input could not be read, or not to its end.
  var problem: CaptureProblem?

  init(_ bytes: [UInt8], decode: Bool = true) {
    do throws(CaptureProblem) {
      let reader = try CaptureReader.open(.bytes(bytes, name: "capture"))
      format = reader.format
      compression = reader.compression
      defer { log = reader.log }
      var batch = RecordBatch()
      while try reader.next(into: &batch) {
        fixes += reader.log.fixes
        reader.withBytes { span in
          for record in batch.records { records.append(SeenRecord(record, span)) }
          if decode { decoding.feed(batch.records, span) }
        }
      }
      fixes += reader.log.fixes
      if decode { decoding.finish() }
    } catch {
      problem = error
    }
  }

  var warnings: Set<String> { Set(log.notes.keys.map(\.rawValue)) }
}
