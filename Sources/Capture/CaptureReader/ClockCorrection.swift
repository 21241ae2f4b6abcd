/// How the times of a capture whose clock was wrong are set right: by pieces of the time that it shows.
public struct ClockCorrection: Sendable, Equatable {
  /// A while by the capture's own clock.
  public struct Piece: Sendable, Equatable {
    /// Nanoseconds as they stand in the capture: the first of them, and the first that is no more of it.
    public let from: Int64
    public let until: Int64
    /// Nanoseconds by which the first record of the piece was later than it says.
    public let by: Int64
    /// By which part of the time the clock is fast from there on, in parts in a billion; negative: slow.
    public let drift: Int64

    public init(from: Int64 = .min, until: Int64 = .max, by: Int64, drift: Int64 = 0) {
      (self.from, self.until, self.by, self.drift) = (from, until, by, drift)
    }

    public var hasStart: Bool { from > .min }
    public var hasEnd: Bool { until < .max }

    func holds(_ time: Int64) -> Bool { time >= from && (time < until || until == .max) }

    public func overlaps(_ other: Piece) -> Bool { from < other.until && other.from < until }
  }

  /// None of which overlaps another one, in order.
  public let pieces: [Piece]
  /// The first record of each piece, in nanoseconds as it stands in the capture; nil: none has come yet.
  private var first: [Int64?]

  public init(_ pieces: [Piece] = []) {
    self.pieces = pieces.sorted { $0.from < $1.from }
    first = [Int64?](repeating: nil, count: pieces.count)
  }

  public static func == (a: ClockCorrection, b: ClockCorrection) -> Bool { a.pieces == b.pieces }

  public var isNone: Bool { pieces.isEmpty }

  /// Nanoseconds by which every time is later; nil where that differs, or nothing is moved.
  public var constant: Int64? {
    guard pieces.count == 1, let piece = pieces.first, !piece.hasStart, !piece.hasEnd,
      piece.drift == 0
    else { return nil }
    return piece.by
  }

  /// A record's time comes: that of the first one of a piece is where its drift begins.
  mutating func meet(_ time: Timestamp) {
    guard time.isKnown, let place = place(of: time.nanoseconds), first[place] == nil else { return }
    first[place] = time.nanoseconds
  }

  func corrected(_ time: Timestamp) -> Timestamp {
    guard time.isKnown, let place = place(of: time.nanoseconds) else { return time }
    let piece = pieces[place]
    guard piece.drift != 0, let first = first[place] else { return time.later(by: piece.by) }
    // What a fast clock shows is longer than it was: 1 + drift times that. In 128 bits nothing is lost.
    let shown = Int128(time.nanoseconds) - Int128(first)
    let less = shown * Int128(piece.drift) / (1_000_000_000 + Int128(piece.drift))
    guard let by = Int64(exactly: Int128(piece.by) - less) else { return .none }
    return time.later(by: by)
  }

  private func place(of time: Int64) -> Int? { pieces.firstIndex { $0.holds(time) } }
}
