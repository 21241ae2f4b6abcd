import CaptureReader
import CaseStore
import Regions

/// Fewer fixes where there are too many: those of tracks that lie outside all recordings go first, those around what
/// is put on a map stay, and of the others evenly fewer.
struct FixThinning {
  /// Fixes that are kept.
  let most: Int
  /// Of fixes around moments at most so many stay for that, so that ways do not lose their shape.
  var mostAround: Int { most / 2 }
  /// When observers recorded; nothing where no record has a time.
  let recordings: [RecordingRow]
  /// Most important first.
  let moments: [PlacedMoment]

  struct Result {
    var rows: [FixRow] = []
    /// How many were left out because nothing was recorded.
    var outside = 0
    /// Moments around which not all is kept.
    var crowdedOut = 0
    /// Whether those around moments were kept first: where all were there to choose from.
    var isAroundMoments = false
  }

  /// - Parameter rows: with their gaps, those of one track or observer together.
  func thinned(_ rows: [FixRow]) -> Result {
    let isInside = recorded(rows)
    var result = Result(outside: isInside.count { !$0 })
    var isKept = [Bool](repeating: false, count: rows.count)
    if rows.count - result.outside > most {
      var around = Set<Int>()
      result.crowdedOut = addNeighbours(rows, isInside, to: &around)
      for place in around { isKept[place] = true }
      let others = rows.indices.filter { isInside[$0] && !isKept[$0] }
      let room = most - around.count
      let step = max(1, (others.count + room - 1) / room)
      for place in stride(from: 0, to: others.count, by: step) {
        isKept[others[place]] = true
      }
    } else {
      isKept = isInside
    }
    result.rows = kept(rows, isInside, isKept)
    return result
  }

  // MARK: Recordings

  /// Whether each fix says where somebody was while something was recorded: as far beyond the ends as fixes may lie
  /// apart, and the next one there, by which the way is known. Captures have their own in them.
  private func recorded(_ rows: [FixRow]) -> [Bool] {
    var isInside = [Bool](repeating: true, count: rows.count)
    let everybody = recordings.map { ($0.fromNs, $0.toNs) }
    guard !everybody.isEmpty else { return isInside }
    let own = Dictionary(grouping: recordings, by: \.observerId)
      .mapValues { $0.map { ($0.fromNs, $0.toNs) } }
    for track in groups(rows) where rows[track.lowerBound].source == "track" {
      let observer = rows[track.lowerBound].observerId
      let spans = observer.map { own[$0] ?? [] } ?? everybody
      for place in track where rows[place].timeNs != nil { isInside[place] = false }
      for (from, to) in spans {
        let (first, last) = (
          from.later(by: -PositionPath.longestGap), to.later(by: PositionPath.longestGap)
        )
        let begin = track.bisected { (rows[$0].timeNs ?? .min) >= first }
        let end = track.bisected { (rows[$0].timeNs ?? .min) > last }
        for place in max(track.lowerBound, begin - 1)..<min(track.upperBound, end + 1) {
          isInside[place] = true
        }
      }
    }
    return isInside
  }

  /// Places of each track's or observer's fixes.
  private func groups(_ rows: [FixRow]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for place in rows.indices {
      if let last = groups.last, rows[place].isSameWay(as: rows[last.lowerBound]) {
        groups[groups.count - 1] = last.lowerBound..<place + 1
      } else {
        groups.append(place..<place + 1)
      }
    }
    return groups
  }

  // MARK: What is put on a map

  /// The two fixes around each moment, on the observer's own way and on that of all of them.
  /// - Returns: for how many moments there was no room.
  private func addNeighbours(_ rows: [FixRow], _ isInside: [Bool], to around: inout Set<Int>) -> Int
  {
    let ways = ways(rows, isInside)
    var crowdedOut = 0
    for moment in moments {
      var wanted: [Int] = []
      for observer in moment.observer == nil ? [nil] : [moment.observer, nil] {
        guard let way = ways[observer] else { continue }
        let after = way.indices.bisected { (rows[way[$0]].timeNs ?? .min) > moment.time }
        wanted += [after - 1, after].filter { way.indices.contains($0) }.map { way[$0] }
      }
      wanted.removeAll { around.contains($0) }
      if around.count + wanted.count <= mostAround {
        around.formUnion(wanted)
      } else {
        crowdedOut += 1
      }
    }
    return crowdedOut
  }

  /// By observer, nil for all of them: places of fixes in the order of time, as `PositionPath` takes them.
  private func ways(_ rows: [FixRow], _ isInside: [Bool]) -> [Int64?: [Int]] {
    let timed = rows.indices.filter { isInside[$0] && rows[$0].timeNs != nil }
    return Dictionary(grouping: timed) { rows[$0].observerId }.mapValues { places in
      var way: [Int] = []
      let inOrder = places.sorted { (rows[$0].timeNs ?? 0, $0) < (rows[$1].timeNs ?? 0, $1) }
      for place in inOrder where way.last.map({ rows[$0].timeNs != rows[place].timeNs }) ?? true {
        way.append(place)
      }
      return way
    }
  }

  // MARK: Gaps

  /// What is left, each with whether the way from the one before is known: what was thinned out between them was on
  /// it, but may lie around a gap; what nothing was recorded of is a gap in what is kept.
  private func kept(_ rows: [FixRow], _ isInside: [Bool], _ isKept: [Bool]) -> [FixRow] {
    var kept: [FixRow] = []
    var isGap = false
    for place in rows.indices {
      isGap = isGap || rows[place].gapBefore == true || !isInside[place]
      guard isKept[place] else { continue }
      var row = rows[place]
      row.gapBefore = isGap && kept.last.map { $0.isSameWay(as: row) } ?? false
      isGap = false
      kept.append(row)
    }
    return kept
  }
}

extension FixRow {
  /// Whether both are of one track, or of one observer's captures.
  func isSameWay(as other: FixRow) -> Bool {
    source == other.source && fileId == other.fileId && observerId == other.observerId
  }
}
