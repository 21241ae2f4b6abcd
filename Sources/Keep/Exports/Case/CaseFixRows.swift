import Analysis
import CaptureReader
import CaseStore
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
    let total = rows.count + timeline.fixes.left
    let step = (rows.count + Self.mostFixes - 1) / Self.mostFixes
    if step > 1 { rows = stride(from: 0, to: rows.count, by: step).map { rows[$0] } }
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
