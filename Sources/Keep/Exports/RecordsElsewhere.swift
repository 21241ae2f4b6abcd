import Analysis
import CaptureReader
import FrameDecoder
import Regions

/// What stands in a capture of a time in which, as the records follow one another, none is.
struct RecordsElsewhere {
  /// Those of runs that lie within that time; 0 where only parts of some do.
  let records: Int

  /// `8 873 records`
  var words: String {
    records > 0 ? TextColumns.counted(records, "record") : "records"
  }

  /// Nil where there is none, or nothing says so.
  init?(_ facts: CaptureFacts, in gap: RecordGaps.Span) {
    let others = facts.span.runs.filter { run in
      run.last.nanoseconds > gap.from && run.first.nanoseconds < gap.to
    }
    func holds(_ run: TimeSpan.Run) -> Bool {
      run.first.nanoseconds <= gap.from && run.last.nanoseconds >= gap.to
    }
    // A gap that is no step of its own lies within a run; another one that reaches over it has records there.
    let isStep = gap.to.since(gap.from) > ClockStep.longest
    let own = isStep ? 0 : min(others.count { holds($0) }, 1)
    guard others.count > own else { return nil }
    let within = others.filter {
      $0.first.nanoseconds > gap.from && $0.last.nanoseconds < gap.to
    }
    records = within.count == others.count - own ? within.reduce(0) { $0 + $1.records } : 0
  }
}

extension Remarks {
  /// Whether something of the longest time without a record stands elsewhere in the file.
  static func elsewhere(_ facts: CaptureFacts) -> (gap: RecordGaps.Span, records: RecordsElsewhere)?
  {
    guard facts.clockWasSetBack else { return nil }
    let gaps = facts.observers.flatMap(\.scan.gaps.spans)
    let found = gaps.compactMap { gap in RecordsElsewhere(facts, in: gap).map { (gap, $0) } }
    return found.max { $0.0.to.since($0.0.from) < $1.0.to.since($1.0.from) }
  }
}
