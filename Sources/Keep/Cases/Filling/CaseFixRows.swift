import Analysis
import CaptureReader
import CaseStore
import Exports
import Regions
import TrackReader

/// Where observers were.
extension CaseFilling {
  /// Fixes that are kept.
  static let mostFixes = 20_000

  func addFixes(_ timeline: Timeline, _ tables: CaseTables) throws {
    try tables.add(thinnedFixes(timeline).rows)
  }

  /// Those of the tracks, then those of captures; evenly fewer where there are too many, which the remark
  /// says.
  func thinnedFixes(_ timeline: Timeline) -> (rows: [FixRow], remark: String?) {
    var rows: [FixRow] = []
    for (place, track) in (surroundings.follow?.tracks ?? []).enumerated() {
      rows += track.fixes.map { row($0, "track", file: Int64(place + 1)) }
    }
    for (observer, fix) in timeline.fixes.kept {
      var row = row(fix, "capture", capture: captureIDs[Int(fix.place.file)])
      row.observerId = Int64(observer + 1)
      rows.append(row)
    }
    var before: FixRow?
    for place in rows.indices {
      let row = rows[place]
      let isSame =
        before.map { $0.fileId == row.fileId && $0.observerId == row.observerId } ?? false
      rows[place].gapBefore =
        isSame && FixRow.isGap(from: before?.timeNs, to: row.timeNs)
      before = row
    }
    let total = rows.count + timeline.fixes.left
    let step = (rows.count + Self.mostFixes - 1) / Self.mostFixes
    if step > 1 {
      // What is left out may lie around a gap.
      rows = stride(from: 0, to: rows.count, by: step).map { place in
        var row = rows[place]
        row.gapBefore = rows[max(0, place - step + 1)...place].contains { $0.gapBefore == true }
        return row
      }
    }
    guard rows.count < total else { return (rows, nil) }
    return (
      rows,
      "\(TextColumns.grouped(rows.count)) of \(TextColumns.grouped(total)) positions are kept, "
        + "evenly; the events were told by all of them."
    )
  }

  private func row(_ fix: Fix, _ source: String, file: Int64? = nil, capture: Int64? = nil)
    -> FixRow
  {
    FixRow(
      source: source, fileId: file, captureId: capture, number: fix.place.number,
      timeNs: fix.time.known, latitude: fix.latitude, longitude: fix.longitude,
      accuracyM: fix.accuracy)
  }
}

extension FixRow {
  /// Whether two fixes of one observer are too far apart for the way between them to be known; of those
  /// without a time nobody can say.
  static func isGap(from: Int64?, to: Int64?) -> Bool {
    guard let from, let to else { return false }
    let (gap, overflow) = to.subtractingReportingOverflow(from)
    return overflow || gap > PositionPath.longestGap || gap < -PositionPath.longestGap
  }
}
