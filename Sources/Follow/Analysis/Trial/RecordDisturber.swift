import CaptureReader
import FrameDecoder
import Regions

/// Disturbs the records of one capture, a batch at a time, on their way to the decoder.
package final class RecordDisturber {
  private let disturbance: Disturbance
  private let capture: UInt32
  /// Knows which records are advertising, in whatever they are packed.
  private var probe: FrameDecoder

  /// - Parameter capture: its place.
  init(_ disturbance: Disturbance, capture: UInt32, _ options: FrameDecoder.Options) {
    self.disturbance = disturbance
    self.capture = capture
    probe = FrameDecoder(options: FrameDecoder.Options(keepBadCRC: options.keepBadCRC))
  }

  /// - Parameter bytes: what the records' `start` counts in.
  func disturb(_ batch: inout RecordBatch, _ bytes: RawSpan) {
    let records = batch.records.array
    var disturbed: [CaptureRecord] = []
    var delays: [Int64] = []
    for (record, isStruck) in zip(records, advertising(batch, bytes)) {
      let lot = isStruck ? disturbance.lot(capture: capture, frame: record.frame) : 1
      switch disturbance.kind {
      case .loss(let percent):
        if lot * 100 >= percent { disturbed.append(record) }
      case .duplicates(let percent):
        disturbed.append(record)
        if lot * 100 < percent { disturbed.append(record) }
      case .delay(let milliseconds):
        disturbed.append(record)
        delays.append(isStruck ? Int64(lot * milliseconds * 1_000_000) : 0)
      }
    }
    if case .delay(let milliseconds) = disturbance.kind {
      disturbed = Self.delayed(disturbed, delays, most: Int64(milliseconds * 1_000_000))
    }
    batch.records.removeAll()
    for record in disturbed { batch.records.append(record) }
  }

  private func advertising(_ batch: borrowing RecordBatch, _ bytes: RawSpan) -> [Bool] {
    batch.records.withSpan { records in
      records.indices.map { place in
        let before = probe.tally.advertising
        probe.decode(records.extracting(place..<(place + 1)), bytes)
        return probe.tally.advertising > before
      }
    }
  }

  /// Records come later, in the order in which they then come; numbers of frames keep theirs. What a batch
  /// holds is in memory, so nothing is delayed beyond the last record of its batch, and nothing across a
  /// step of the clock.
  private static func delayed(
    _ records: [CaptureRecord], _ delays: [Int64], most: Int64
  ) -> [CaptureRecord] {
    var result = records
    var start = 0
    while start < records.count {
      var end = start + 1
      var latest = records[start].time.nanoseconds
      // What has no time is a segment of its own.
      while records[start].time.isKnown, end < records.count, records[end].time.isKnown,
        records[end].time.nanoseconds >= latest.later(by: -most)
      {
        latest = max(latest, records[end].time.nanoseconds)
        end += 1
      }
      let times = (start..<end).map { place in
        let own = records[place].time.nanoseconds
        return own == .min ? own : max(own, min(own.later(by: delays[place]), latest))
      }
      let order = (start..<end).sorted { (times[$0 - start], $0) < (times[$1 - start], $1) }
      for (slot, place) in zip(start..<end, order) {
        result[slot] = records[place]
        result[slot].frame = records[slot].frame
        result[slot].time = Timestamp(nanoseconds: times[place - start])
      }
      start = end
    }
    return result
  }
}
