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

  /// Behind all that is told of places: where there are too many fixes, those around it are kept.
  func addFixes(_ timeline: Timeline, _ tables: CaseTables) throws {
    let rows = fixRows(timeline)
    var result = FixThinning.Result(rows: rows)
    if rows.count > Self.mostFixes {
      let thinning = FixThinning(
        most: Self.mostFixes, recordings: try tables.recordings(),
        moments: try tables.placedMoments())
      result = thinning.thinned(rows)
      result.isAroundMoments = timeline.fixes.left == 0
    }
    try tables.add(result.rows)
    let total = rows.count + timeline.fixes.left
    guard let words = Self.remark(result, of: total) else { return }
    try tables.add([RemarkRow(kind: RemarkRow.ofAnalysis, code: "fixes_thinned", text: words)])
  }

  /// Those of the tracks, then those of captures.
  private func fixRows(_ timeline: Timeline) -> [FixRow] {
    var rows: [FixRow] = []
    for (place, track) in (surroundings.follow?.tracks ?? []).enumerated() {
      let own = track.fixes.map { row($0, "track", file: Int64(place + 1)) }
      guard track.observer != nil else {
        rows += own
        continue
      }
      // One of several radios of its receiver has the same way as the others.
      for (observer, facts) in timeline.observers.enumerated() where track.isOwn(of: facts.name) {
        rows += own.map { row in
          var row = row
          row.observerId = Int64(observer + 1)
          return row
        }
      }
    }
    for (observer, fix) in timeline.fixes.kept {
      var row = row(fix, "capture", capture: captureIDs[Int(fix.place.file)])
      row.observerId = Int64(observer + 1)
      rows.append(row)
    }
    for place in rows.indices {
      let before = place > 0 ? rows[place - 1] : nil
      rows[place].gapBefore =
        before.map { $0.isSameWay(as: rows[place]) } == true
        && PositionPath.isGap(from: before?.timeNs, to: rows[place].timeNs)
    }
    return rows
  }

  /// Nil where all are kept.
  /// - Parameter total: how many there were.
  static func remark(_ kept: FixThinning.Result, of total: Int) -> String? {
    guard kept.rows.count < total else { return nil }
    var words =
      "\(TextColumns.grouped(kept.rows.count)) of \(TextColumns.grouped(total)) positions are kept"
    if kept.rows.count + kept.outside < total {
      // Captures' own were made fewer while it was not known where visits end.
      words += ", evenly"
      if kept.isAroundMoments {
        words += ", with those around ends of visits and around the strongest signals"
      }
    }
    if kept.crowdedOut > 0 {
      words +=
        "; there was no room for those around \(TextColumns.grouped(kept.crowdedOut)) more of these"
    }
    if kept.outside > 0 {
      words += "; \(TextColumns.grouped(kept.outside)) lie outside all recordings and are left out"
    }
    return words + "; the events were told by all of them."
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
