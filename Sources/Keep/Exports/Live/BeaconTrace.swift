package import CaptureReader
import Regions

/// How strongly a beacon was heard of late: the mean of its signals in columns of two seconds, for the
/// last two minutes.
package struct BeaconTrace: Sendable {
  /// What is known of one column of time.
  package enum Level: Equatable, Sendable {
    case silent
    /// By reports that say nothing of the signal.
    case heard
    /// dBm.
    case signal(Int)
  }

  private struct Column {
    var sum: Int64 = 0
    var signals: Int64 = 0
    var isHeard = false

    var level: Level {
      signals > 0
        ? .signal(Int((Double(sum) / Double(signals)).rounded())) : isHeard ? .heard : .silent
    }
  }

  /// Nanoseconds that a column stands for.
  package static let step: Int64 = 2_000_000_000
  package static let columns = 60
  /// Nanoseconds: who is heard again after that is new on the board.
  package static let absence: Int64 = 10_000_000_000
  /// By how many columns beacons are sorted: less, and neighbours would change places all the time.
  private static let steadyColumns = 5
  /// dBm that mean that there is none (Core specification, Vol 4, Part E, 7.7.65.2).
  private static let noSignal: Int8 = 127

  /// Format and identity, for people.
  package let name: String
  /// When it was heard last.
  package private(set) var last = Timestamp.none
  /// When it was first heard, or first heard again after a while.
  package private(set) var appeared = Timestamp.none
  package private(set) var sightings = 0
  /// A ring: a column's place is its number modulo their count.
  private var ring = [Column](repeating: Column(), count: Self.columns)
  /// The number of the latest column, counted from 1970.
  private var newest = Int64.min

  package init(name: String) { self.name = name }

  package static func column(_ time: Timestamp) -> Int64 {
    let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: step)
    return rest < 0 ? quotient - 1 : quotient
  }

  package mutating func hear(_ time: Timestamp, rssi: Int8) {
    sightings += 1
    guard time.isKnown else { return }
    if !last.isKnown || time.nanoseconds.since(last.nanoseconds) >= Self.absence { appeared = time }
    last = time
    let number = Self.column(time)
    turn(to: number)
    let place = Self.place(number)
    ring[place].isHeard = true
    guard rssi != Self.noSignal else { return }
    ring[place].sum += Int64(rssi)
    ring[place].signals += 1
  }

  /// Takes what is older than the trace away, and everything where a clock was set back behind it.
  private mutating func turn(to number: Int64) {
    guard number > newest || number <= newest - Int64(Self.columns) else { return }
    let isFar = number < newest || newest == .min || number - newest >= Int64(Self.columns)
    let stale = isFar ? number - Int64(Self.columns) + 1...number : newest + 1...number
    for old in stale { ring[Self.place(old)] = Column() }
    newest = number
  }

  private static func place(_ number: Int64) -> Int {
    let rest = Int(number % Int64(columns))
    return rest < 0 ? rest + columns : rest
  }

  private func level(_ number: Int64) -> Level {
    guard newest != .min, number <= newest, number > newest - Int64(Self.columns) else {
      return .silent
    }
    return ring[Self.place(number)].level
  }

  /// The columns up to a time, the oldest first.
  package func levels(until now: Timestamp, count: Int) -> [Level] {
    guard now.isKnown else { return Array(repeating: .silent, count: count) }
    let end = Self.column(now)
    return (0..<Int64(count)).map { level(end - Int64(count) + 1 + $0) }
  }

  /// dBm of the latest column that has a signal; nil: none of those that are kept.
  package var signal: Int? {
    guard newest != .min else { return nil }
    for back in 0..<Int64(Self.columns) {
      if case .signal(let dBm) = level(newest - back) { return dBm }
    }
    return nil
  }

  /// Mean dBm of the last ten seconds; nil: nothing was heard of it in them.
  package func steadySignal(at now: Timestamp) -> Double? {
    let signals = levels(until: now, count: Self.steadyColumns).compactMap { level -> Int? in
      if case .signal(let dBm) = level { dBm } else { nil }
    }
    return signals.isEmpty ? nil : Double(signals.reduce(0, +)) / Double(signals.count)
  }
}
