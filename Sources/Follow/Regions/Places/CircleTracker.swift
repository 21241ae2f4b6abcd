import CaptureReader
import TrackReader

/// The state machine of one circle (SEMANTICS 4). Goes through the position's way piece by piece; in
/// a piece the zone does not change.
struct CircleTracker: Sendable {
  /// Nil before the first position, unless an earlier run knew it.
  var state: Bool?
  /// Side of the last piece; nil before the first.
  private var side: Bool?
  /// When the boundary was crossed towards the other side, and what shows it.
  private var crossedAt = Timestamp.none
  private var crossing: [Fix] = []
  /// Since when the position has been inside the boundary; none while it is not.
  private var insideSince = Timestamp.none
  /// Nanoseconds: the longest time inside at a time, whatever the state; nil where it never was.
  private(set) var longestInside: Int64?
  /// Since when the position has been beyond boundary and cushion on the side that the state is not.
  private var beyondSince = Timestamp.none

  /// A piece of the way between two fixes.
  struct Piece {
    let from: Timestamp
    let until: Timestamp
    let zone: CircleZone
    /// The fixes around it.
    let fixes: [Fix]
    /// The last fix before a stretch without position that ends where this piece begins.
    let beforeGap: Fix?
  }

  /// An event, if the piece has one: no piece has two, because its zone is one.
  mutating func take(_ piece: Piece, circle: Int, dwell: Int64) -> CircleEvent? {
    let isInside = piece.zone.isInside
    defer { side = isInside }
    measure(piece)
    guard let state else {
      self.state = isInside
      return CircleEvent(
        kind: .state, circle: circle, isInside: isInside, time: piece.from, crossedAt: .none,
        evidence: piece.fixes.map(\.place), fixes: piece.fixes)
    }
    if let side, side != isInside { cross(piece) }
    if piece.beforeGap != nil { beyondSince = .none }
    guard piece.zone == (state ? .beyond : .within) else {
      beyondSince = .none
      return nil
    }
    if !beyondSince.isKnown { beyondSince = piece.from }
    guard piece.until.nanoseconds - beyondSince.nanoseconds >= dwell else { return nil }
    return decide(piece, circle: circle, dwell: dwell)
  }

  private mutating func measure(_ piece: Piece) {
    guard piece.zone.isInside else {
      insideSince = .none
      return
    }
    // Across a gap nobody knows that it stayed.
    if !insideSince.isKnown || piece.beforeGap != nil { insideSince = piece.from }
    longestInside = max(
      longestInside ?? 0, piece.until.nanoseconds - insideSince.nanoseconds)
  }

  private mutating func cross(_ piece: Piece) {
    if let before = piece.beforeGap {
      crossedAt = .none
      crossing = [before, piece.fixes[0]]
    } else {
      crossedAt = piece.from
      crossing = piece.fixes
    }
  }

  private mutating func decide(_ piece: Piece, circle: Int, dwell: Int64) -> CircleEvent {
    let isInside = piece.zone.isInside
    var evidence = crossing.map(\.place)
    var fixes = crossing
    for fix in piece.fixes {
      if !evidence.contains(fix.place) { evidence.append(fix.place) }
      if !fixes.contains(fix) { fixes.append(fix) }
    }
    let event = CircleEvent(
      kind: isInside ? .enter : .exit, circle: circle, isInside: isInside,
      time: Timestamp(nanoseconds: beyondSince.nanoseconds + dwell), crossedAt: crossedAt,
      evidence: evidence, fixes: fixes)
    state = isInside
    beyondSince = .none
    return event
  }
}
