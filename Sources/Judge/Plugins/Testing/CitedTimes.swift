import Analysis
import CaptureReader

/// When frames were received that alerts of a run cite: a test knows frames by their times.
struct CitedTimes {
  private var times: [TimelineEvent.Evidence: Timestamp] = [:]

  /// - Parameter sources: of the run, in its order; they can be read again.
  init(of alerts: [Alert], in sources: [CaptureSource]) throws(CaptureProblem) {
    var frames = [Set<Int>](repeating: [], count: sources.count)
    for item in alerts.flatMap(\.evidence) where item.source == .capture {
      frames[item.file].insert(item.number)
    }
    for (place, source) in sources.enumerated() {
      for (frame, time) in try Self.read(source, frames[place]) {
        times[TimelineEvent.Evidence(source: .capture, file: place, number: frame)] = time
      }
    }
  }

  private static func read(
    _ source: CaptureSource, _ frames: Set<Int>
  ) throws(CaptureProblem) -> [(Int, Timestamp)] {
    guard let last = frames.max() else { return [] }
    let reader = try CaptureReader.open(source, isHashed: false)
    var batch = RecordBatch()
    var times: [(Int, Timestamp)] = []
    while try reader.next(into: &batch) {
      let records = batch.records.array
      for record in records where frames.contains(record.frame) && record.time.isKnown {
        times.append((record.frame, record.time))
      }
      if let latest = records.last?.frame, latest >= last { break }
    }
    return times
  }

  /// In the order in which they are cited; nil for what has no time.
  func times(_ alert: Alert) -> [Timestamp?] { alert.evidence.map { times[$0] } }
}
