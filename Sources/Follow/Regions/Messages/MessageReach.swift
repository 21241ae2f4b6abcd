import CaptureReader

/// What one observer has within reach: pairs of a subscription and a message, by number.
struct MessageReach: Sendable {
  private(set) var clock = Timestamp.none
  /// In no order.
  private(set) var present: [Int] = []
  /// By pair: its last sighting; without a time while it is not within reach.
  private(set) var last: [MessageEvidence] = []
  /// Nanoseconds; nothing is lost before. Sightings only move the true one on, so that it need not be
  /// kept up with each of them.
  private var deadline = Int64.max

  /// By pair: its last sighting in an earlier run, for those that count as seen when this one began.
  private var earlier: [Int: MessageEvidence] = [:]

  private let pairs: Int
  private static let out = MessageEvidence(time: .none, capture: 0, frame: 0, transmitter: 0)

  init(pairs: Int) { self.pairs = pairs }

  /// Whether something may be lost now.
  @inline(__always)
  mutating func advance(to time: Timestamp) -> Bool {
    guard time.nanoseconds > clock.nanoseconds else { return false }
    clock = time
    return time.nanoseconds > deadline
  }

  /// Whether the pair was not within reach before.
  mutating func renew(_ pair: Int, _ sighting: MessageEvidence, _ period: Int64) -> Bool {
    // Of many observers few hear a message at all.
    if last.isEmpty { last = Array(repeating: Self.out, count: pairs) }
    let isNew = !last[pair].time.isKnown
    last[pair] = sighting
    guard isNew else { return false }
    present.append(pair)
    deadline = min(deadline, Self.end(sighting, period))
    return true
  }

  /// The pairs whose period is over, strictly, with their last sightings: in the order of time, then
  /// of number.
  mutating func expire(_ period: Int64) -> [(pair: Int, last: MessageEvidence)] {
    var over: [(pair: Int, last: MessageEvidence)] = []
    var kept: [Int] = []
    deadline = .max
    for pair in present {
      let end = Self.end(last[pair], period)
      if end < clock.nanoseconds {
        over.append((pair, last[pair]))
        last[pair] = Self.out
      } else {
        kept.append(pair)
        deadline = min(deadline, end)
      }
    }
    present = kept
    return over.sorted { ($0.last.time.nanoseconds, $0.pair) < ($1.last.time.nanoseconds, $1.pair) }
  }

  /// Within reach, as it was in an earlier run: as if it had been seen now.
  mutating func restore(_ pair: Int, lastSeen: Timestamp, _ period: Int64) {
    guard renew(pair, .earlier(clock), period) else { return }
    earlier[pair] = .earlier(
      Timestamp(nanoseconds: min(lastSeen.nanoseconds, clock.nanoseconds)))
  }

  /// When a pair was truly seen last.
  func lastSighting(_ pair: Int, _ last: MessageEvidence) -> MessageEvidence {
    last.isEarlier ? earlier[pair] ?? last : last
  }

  private static func end(_ sighting: MessageEvidence, _ period: Int64) -> Int64 {
    let (sum, overflow) = sighting.time.nanoseconds.addingReportingOverflow(period)
    return overflow ? .max : sum
  }
}
