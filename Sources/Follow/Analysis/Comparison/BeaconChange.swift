package import CaptureReader
package import FrameDecoder

/// What is different with a beacon that both recordings have.
package enum BeaconChange: Sendable {
  /// In the later recording it was heard all along, and then no more, up to the end of what the radio recorded
  /// that had heard it; that is named where there are several.
  case fellSilent(last: Timestamp, end: Timestamp, radio: String?)
  /// It has the address that another one had, and that one has its own.
  case swapped(with: Int, from: DeviceAddress, to: DeviceAddress)
  /// Of several addresses as many more are in use at the same time.
  case moreAddresses(before: Int, now: Int, added: [DeviceAddress])
  /// Addresses follow one another, where there was one.
  case changesAddress(now: Int)
  /// One address, for longer than it had any, where they followed one another.
  case keepsAddress(before: Int)
  /// None of its addresses is one that it had, or of that kind; the one heard most on either side.
  case otherAddress(from: DeviceAddress, to: DeviceAddress)
  case fewerAddresses(before: Int, now: Int)
  /// dBm: lowest and highest.
  case power(before: (min: Int, max: Int), now: (min: Int, max: Int))
  /// Its own interval, nanoseconds.
  case interval(before: Double, now: Double)
  /// It is sent as often as before, and once more in each interval, so much later: nanoseconds. Who copies
  /// an identity with its address is heard so.
  case twoSenders(interval: Double, apart: Double)
  /// mV; nil where it is not measured.
  case battery(before: Int?, now: Int?)
  /// In 1/256 °C; nil where it is not measured, which is so on one of the sides.
  case temperature(before: Int?, now: Int?)
  /// When it started anew.
  case restarted(at: Timestamp)
  /// Its uptime does not go as time does, so that it does not tell when it started: how fast, 1 where both go alike;
  /// nil where that is not known.
  case uptimeRate(before: Double?, now: Double?)
  /// Median RSSI, dBm, of the radio at which it changed most.
  case signal(before: Int, now: Int)
  /// It was not heard for so long and came back, nanoseconds; before, for so long at most.
  case away(before: Double, now: Double)
  /// Radios that hear it far less or not any more, and others that hear it more.
  case heardBy([Hearing])

  /// Sightings by a radio that listens on both sides.
  package struct Hearing: Sendable {
    package let radio: String
    package let before: Int
    package let now: Int
    /// What was heard before in as much listening as there is now.
    let expected: Double

    /// How many times as much as that it heard.
    var factor: Double { expected > 0 ? Double(now) / expected : .infinity }
  }
}

extension BeaconChange {
  /// What counts as a change.
  enum Least {
    /// Of the interval: the factor either way. Histograms know it to a sixteenth.
    static let interval = 1.1
    /// A radio that hears all channels of an event begins the gap with the last of them, and they may be 10 ms apart
    /// (Core, Vol 6 Part B 4.4.2); how long events are is known in the mean alone: nanoseconds.
    static let intervalStep = 20e6
    /// So many standard errors are no chance.
    static let intervalErrors = 4.0
    /// That much is, whatever the errors, and explains that less or more is heard.
    static let clearInterval = 1.25
    /// mV.
    static let battery = 100
    /// Nanoseconds that a beacon's clock may differ.
    static let uptime: Int64 = 60_000_000_000
    /// Of the time, by how much its uptime goes wrong.
    static let uptimeRate = UptimePace.tolerance
    /// dB of the median, and sightings on either side.
    static let signal = 6
    static let sightings = 50
    /// Nanoseconds in which a beacon is not heard, and so many times as long as ever before.
    static let away = 300e9
    static let awayFactor = 10.0
    /// Of all gaps: those from one sender to the other, those back, and whole intervals.
    static let share = 0.1
    /// Of the former two: each sender is followed by the other.
    static let balance = 0.8
  }

  /// Power, interval and telemetry.
  static func ofFigures(
    _ before: BeaconSummary, _ now: BeaconSummary, comparesIntervals: Bool
  ) -> [BeaconChange] {
    var changes: [BeaconChange] = []
    if let old = before.power, let new = now.power, old != new {
      changes.append(.power(before: old, now: new))
    }
    if comparesIntervals, let change = interval(before, now) { changes.append(change) }
    return changes + ofTelemetry(before.telemetry, now.telemetry)
  }

  private static func interval(_ before: BeaconSummary, _ now: BeaconSummary) -> BeaconChange? {
    guard let old = before.ownInterval, let new = now.ownInterval else { return nil }
    let change = BeaconChange.interval(before: old, now: new)
    if change.isClearInterval { return change }
    guard let error = before.ownIntervalError, let errorNow = now.ownIntervalError else {
      return nil
    }
    let difference = (old - new).magnitude
    let isNoChance =
      difference >= Least.intervalErrors * (error * error + errorNow * errorNow).squareRoot()
    return isNoChance && difference >= Least.intervalStep
      && max(old, new) >= Least.interval * min(old, new) ? change : nil
  }

  /// Whether it is an interval that is so much shorter or longer that it is heard more or less by that.
  var isClearInterval: Bool {
    guard case .interval(let old, let new) = self else { return false }
    return max(old, new) >= Least.clearInterval * min(old, new)
  }

  /// Whether a shorter interval may be two senders, of which each keeps the old one: a gap from the one to
  /// the other is followed by what is left of the old interval, so that there are as many shorter ones
  /// than half of it as longer ones; and where one of them is not heard, the old interval is left. (What
  /// each sender adds to its intervals by chance moves the one against the other: gaps spread.) One sender
  /// of a shorter interval makes far more short gaps than long ones.
  /// - Parameter gaps: now.
  static func twoSenders(before: Double, now: Double, _ gaps: Distribution) -> BeaconChange? {
    let events = EventGaps(gaps)
    func count(_ from: Double, _ to: Double) -> Double {
      let inside = events.counts.filter { bucket, _ in
        let middle = GapScale.middle(bucket) + events.length
        return middle >= from * before && middle < to * before
      }
      return Double(inside.reduce(0) { $0 + $1.count })
    }
    guard now < before else { return nil }
    let (short, long, whole) = (count(0.03, 0.47), count(0.53, 0.93), count(0.93, 1.07))
    let least = Least.share * Double(events.total)
    guard min(short, long, whole) >= least, min(short, long) >= Least.balance * max(short, long)
    else { return nil }
    return .twoSenders(interval: before, apart: now)
  }

  /// What of a beacon it is about, what matters most first: of one sort is told in the last part of a recording
  /// what the whole did not show.
  package enum Sort: CaseIterable, Sendable {
    case silence, radios, addresses, power, interval, battery, temperature, restart, uptime,
      signal
  }

  package var sort: Sort {
    switch self {
    case .fellSilent, .away: .silence
    case .heardBy: .radios
    case .swapped, .moreAddresses, .changesAddress, .keepsAddress, .otherAddress, .fewerAddresses:
      .addresses
    case .power: .power
    case .interval, .twoSenders: .interval
    case .battery: .battery
    case .temperature: .temperature
    case .restarted: .restart
    case .uptimeRate: .uptime
    case .signal: .signal
    }
  }
}
