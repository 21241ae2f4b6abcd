import CaptureReader

/// Where pieces of a clock's way meet.
extension ClockTracking {
  /// Pieces that are one, with a while between in which nothing was heard by both, are joined; others go up to
  /// the very packets between which the clock was set.
  func sewn(_ pieces: [ClockTrack.Piece]) -> [ClockTrack.Piece] {
    var sewn: [ClockTrack.Piece] = []
    for var piece in pieces {
      guard var before = sewn.last else {
        sewn.append(piece)
        continue
      }
      if isSame(before, piece) {
        sewn[sewn.count - 1] = ClockTrack.Piece(points: before.points + piece.points)
        continue
      }
      move(&before, &piece)
      sewn[sewn.count - 1] = before
      sewn.append(piece)
    }
    return sewn
  }

  /// Whether a drift is enough to explain what they differ by: their own, where it is known.
  private func isSame(_ one: ClockTrack.Piece, _ next: ClockTrack.Piece) -> Bool {
    guard let last = one.points.last, let first = next.points.first else { return false }
    if let rate = one.rate, let other = next.rate, abs(rate - other) > 50e-6 { return false }
    let gap = Double(first.time.addingWithin(-last.time).magnitude)
    let isKnown = one.rate != nil || next.rate != nil
    let tolerance = 6_000_000 + Int64(min(gap * (isKnown ? 30e-6 : 200e-6), 50e6))
    let difference =
      one.rate != nil || next.rate == nil
      ? first.ahead - one.ahead(at: first.time) : next.ahead(at: last.time) - last.ahead
    return abs(difference) <= tolerance || areOfOneLine(one, next)
  }

  /// Over days a drift that is known to a part in a million comes to a tenth of a second and more: whether it is
  /// one drift tells the line through both.
  private func areOfOneLine(_ one: ClockTrack.Piece, _ next: ClockTrack.Piece) -> Bool {
    let joined = ClockTrack.Piece(points: one.points + next.points)
    guard let slope = joined.rate else { return false }
    let isNear = [one, next].allSatisfy { piece in
      guard let rate = piece.rate else { return false }
      // As exactly as so many nanoseconds of tremble let it be known.
      return abs(rate - slope) <= 0.3e-6 + 4e6 / Double(piece.last - piece.first)
    }
    return isNear
      && joined.points.allSatisfy { abs($0.ahead - joined.ahead(at: $0.time)) <= 20_000_000 }
  }

  /// Finds the place between two anchors up to which most of them agree with the one, and from which on with the
  /// other.
  private func move(_ one: inout ClockTrack.Piece, _ next: inout ClockTrack.Piece) {
    guard let last = one.points.last, let first = next.points.first else { return }
    let start = anchors.indices.bisected(by: { anchors[$0].time >= last.first })
    let end = anchors.indices.bisected(by: { anchors[$0].time > first.last })
    guard start < end else { return }
    let range = start..<end
    let ofOne = range.map { agrees(anchors[$0], one.ahead(at: anchors[$0].time)) }
    let ofNext = range.map { agrees(anchors[$0], next.ahead(at: anchors[$0].time)) }
    // Split before `place`: those before by the one, the others by the next.
    var sum = ofNext.count { $0 }
    var (best, place) = (sum, 0)
    for index in ofOne.indices {
      sum += (ofOne[index] ? 1 : 0) - (ofNext[index] ? 1 : 0)
      if sum > best { (best, place) = (sum, index + 1) }
    }
    if let found = ofOne[..<place].lastIndex(of: true) {
      one.points[one.points.count - 1].last = anchors[start + found].time
    }
    if let found = ofNext[place...].firstIndex(of: true) {
      next.points[0].first = anchors[start + found].time
    }
  }

  private func agrees(_ anchor: Anchor, _ ahead: Int64) -> Bool {
    let expected = anchor.time.addingWithin(ahead)
    let place = other.first(in: anchor.others, from: expected.addingWithin(-Self.width))
    return place < anchor.others.upperBound
      && other.times[place] <= expected.addingWithin(Self.width)
  }
}
