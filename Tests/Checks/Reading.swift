package import CaptureReader
import FrameDecoder

/// A record with its bytes, kept beyond the batch it came in.
package struct SeenRecord: Equatable {
  package let frame: Int
  package let time: Timestamp
  package let bytes: [UInt8]
  package let originalCount: UInt32
  package let link: LinkType
  package let interface: UInt16
  package let fault: RecordFault
  package let direction: PacketDirection
  package let tag: UInt32

  package init(_ record: CaptureRecord, _ bytes: RawSpan) {
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
package struct Reading {
  package var format = ""
  package var compression: Compression?
  package var records: [SeenRecord] = []
  package var fixes: [PositionFix] = []
  /// Frames behind which the container said something.
  package var ends: Set<Int> = []
  package var log = ContainerLog()
  package let decoding = Decoding()
  /// Why the input could not be read, or not to its end.
  package var problem: CaptureProblem?

  package init(_ bytes: [UInt8], decode: Bool = true) {
    do throws(CaptureProblem) {
      let reader = try CaptureReader.open(.bytes(bytes, name: "capture"))
      format = reader.format
      compression = reader.compression
      defer { log = reader.log }
      var batch = RecordBatch()
      while try reader.next(into: &batch) {
        fixes += reader.log.fixes
        if !reader.log.marks.isEmpty { ends.insert(reader.log.frames) }
        reader.withBytes { span in
          records += batch.records.array.map { SeenRecord($0, span) }
          if decode { batch.records.withSpan { decoding.feed($0, span) } }
        }
      }
      fixes += reader.log.fixes
      if decode { decoding.finish() }
    } catch {
      problem = error
    }
  }

  package var warnings: Set<String> { Set(log.notes.keys.map(\.rawValue)) }
}
