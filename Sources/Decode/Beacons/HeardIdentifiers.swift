public import CaptureReader
public import FrameDecoder

/// When the identifiers of a beacon with a key were heard by one observer of a capture: enough of it to see whether
/// they come of one clock that runs. A beacon sends each of them once, for two periods at most (the moment of change
/// is drawn by chance within one), and later ones behind earlier ones; whoever sends what he recorded does not.
public struct HeardIdentifiers: Sendable {
  /// An identifier in a frame.
  public struct Moment: Sendable {
    public let time: Timestamp
    public let frame: Int
    public let address: DeviceAddress
    /// The eight bytes, first one highest.
    public let sent: UInt64
    /// When it begins, in seconds of the beacon's clock.
    public let slot: UInt32

    fileprivate var second: Int64 { time.nanoseconds / 1_000_000_000 }
    fileprivate var offset: Int64 { Int64(slot) - second }
  }

  /// Identifiers that lie together on a clock that runs: nothing in it says that they are of two.
  public struct Voice: Sendable {
    public let first: Moment
    public private(set) var last: Moment
    public private(set) var sightings = 1
    /// How many there were of it, each later than those before.
    public private(set) var identifiers = 1
    private var top: UInt32
    /// By how many seconds the beginnings of its identifiers are ahead of the times at which they were heard, at least
    /// and at most: less than two periods lie between, and what the clocks drift.
    public private(set) var offsets: ClosedRange<Int64>
    /// One of its identifiers that was sent for longer than a clock that runs lets it last.
    public fileprivate(set) var still: Still?

    init(_ moment: Moment) {
      (first, last, top) = (moment, moment, moment.slot)
      offsets = moment.offset...moment.offset
    }

    /// Whether a moment lies on its clock.
    func takes(_ moment: Moment, period: Int64) -> Bool {
      let low = min(offsets.lowerBound, moment.offset)
      let high = max(offsets.upperBound, moment.offset)
      let span = (moment.second - first.second).magnitude
      return high - low <= 2 * period + 1 + Int64(span) / HeardIdentifiers.drift
    }

    mutating func take(_ moment: Moment, isOnClock: Bool) {
      if moment.slot > top { (top, identifiers) = (moment.slot, identifiers + 1) }
      sightings += 1
      last = moment
      guard isOnClock else { return }
      offsets =
        min(offsets.lowerBound, moment.offset)...max(offsets.upperBound, moment.offset)
    }
  }

  /// An identifier that did not change.
  public struct Still: Sendable {
    public let first: Moment
    public fileprivate(set) var last: Moment
    /// Nanoseconds in which it was sent, without a while of more than a period in which nobody heard it: there the
    /// clock of the capture may have been set.
    public fileprivate(set) var length: Int64
    public fileprivate(set) var sightings: Int
  }

  /// An identifier that came behind one that is later by two periods and more, by number of their voices. Frames that
  /// lie in a wrong order do not come to that: their times do, too.
  public struct Return: Sendable {
    public let low: Int
    public let high: Int
    /// The first that came so.
    public let moment: Moment
    /// What had been heard before.
    public let before: Moment
  }

  /// Seconds of the beacon's clock that an identifier lasts.
  public let period: Int64
  public private(set) var voices: [Voice] = []
  /// At most one of two voices.
  public private(set) var returns: [Return] = []
  public private(set) var pace = IdentifierPace()
  /// What was heard lately of each identifier, by its beginning.
  private var stays: [UInt32: Stay] = [:]
  /// The latest of its clock, and of which voice it is.
  private var newest: (moment: Moment, voice: Int)?

  /// A second in so many: 150 ppm of a beacon's crystal, and what a receiver's clock is off.
  fileprivate static let drift: Int64 = 5_000
  /// Of one key and observer: more there are of a clock that somebody sets all the time.
  private static let mostVoices = 16
  private static let mostStays = 64
  /// Frames may come late, and times be whole seconds; nanoseconds.
  private static let slack: Int64 = 2_000_000_000

  private struct Stay {
    var voice: Int
    let first: Moment
    var last: Moment
    /// Nanoseconds: the latest time so far. Where captures of one time stand one after the other, or clocks are
    /// entangled, each time counts once.
    var reached: Int64
    var sent: Int64 = 0
    var longestPause: Int64 = 0
    var sightings = 1
    var isStill = false
  }

  init(period: Int64) { self.period = period }

  fileprivate var settled: HeardIdentifiers {
    var settled = self
    settled.stays = [:]
    settled.newest = nil
    return settled
  }

  mutating func take(_ moment: Moment) {
    pace.take(moment, period: period)
    let known = stays[moment.slot]
    // For too long, or alone in its voice: where it lies on a clock that runs does not matter then, unless it is its
    // turn on that of others.
    if let known,
      known.isStill
        || voices[known.voice].identifiers == 1
          && !voices.contains(where: {
            $0.identifiers > 1 && $0.takes(moment, period: period)
          })
    {
      voices[known.voice].take(
        moment, isOnClock: !known.isStill && voices[known.voice].takes(moment, period: period))
      stay(moment, in: known.voice)
      compare(moment, of: known.voice)
      return
    }
    guard let voice = voice(of: moment) else { return }
    stay(moment, in: voice)
    compare(moment, of: voice)
  }

  /// The voice that goes on with it; nil where there are too many.
  private mutating func voice(of moment: Moment) -> Int? {
    let known = voices.indices.filter { voices[$0].takes(moment, period: period) }
      .max { voices[$0].last.frame < voices[$1].last.frame }
    if let known {
      voices[known].take(moment, isOnClock: true)
      return known
    }
    guard voices.count < Self.mostVoices else { return nil }
    voices.append(Voice(moment))
    return voices.count - 1
  }

  private mutating func stay(_ moment: Moment, in voice: Int) {
    guard var stay = stays[moment.slot], stay.voice == voice else {
      if stays.count >= Self.mostStays {
        let oldest = stays.min { ($0.value.last.frame, $0.key) < ($1.value.last.frame, $1.key) }
        oldest.map { _ = stays.removeValue(forKey: $0.key) }
      }
      stays[moment.slot] = Stay(
        voice: voice, first: moment, last: moment, reached: moment.time.nanoseconds)
      return
    }
    // A clock that was set back says nothing, nor do times that no number lies between.
    let now = moment.time.nanoseconds
    let (apart, isTooFar) = now.subtractingReportingOverflow(stay.reached)
    let pause = isTooFar ? 0 : max(0, apart)
    stay.reached = max(stay.reached, now)
    let (sent, isTooLong) = stay.sent.addingReportingOverflow(pause)
    if !isTooLong { stay.sent = sent }
    stay.longestPause = max(stay.longestPause, pause)
    stay.sightings += 1
    stay.last = moment
    let lasts = period * 1_000_000_000
    if stay.sent - stay.longestPause > 2 * lasts + Self.slack {
      stay.isStill = true
      let length = stay.longestPause > lasts ? stay.sent - stay.longestPause : stay.sent
      if voices[voice].still.map({ $0.first.slot == moment.slot || $0.length < length }) ?? true {
        voices[voice].still = Still(
          first: stay.first, last: moment, length: length, sightings: stay.sightings)
      }
    }
    stays[moment.slot] = stay
  }

  private mutating func compare(_ moment: Moment, of voice: Int) {
    guard let newest else { return self.newest = (moment, voice) }
    if moment.slot >= newest.moment.slot { return self.newest = (moment, voice) }
    guard voice != newest.voice,
      Int64(newest.moment.slot) - Int64(moment.slot) >= 2 * period,
      !returns.contains(where: { $0.low == voice && $0.high == newest.voice })
    else { return }
    returns.append(
      Return(low: voice, high: newest.voice, moment: moment, before: newest.moment))
  }
}

/// Of all keys and observers of a capture.
public struct IdentifierLog: Sendable {
  /// Whose, and who heard it.
  public struct Place: Hashable, Sendable {
    /// Of the ring's keys.
    public let key: Int
    /// Of the capture's observers.
    public let observer: Int
  }

  /// Encrypted telemetry from addresses of which an identifier was resolved.
  public struct Telemetry: Sendable {
    public fileprivate(set) var opened = 0
    /// Which the identifier's key does not open.
    public fileprivate(set) var unopened = FrameTally.Count()
    /// Of these.
    public fileprivate(set) var first = Timestamp.none
    public fileprivate(set) var last = Timestamp.none
  }

  /// What is of none of the keys.
  public private(set) var unknown = UnknownIdentifiers()
  private var heard: [Place: HeardIdentifiers] = [:]
  private var sums: [Place: Telemetry] = [:]

  /// In the order of the keys, and of the observers.
  public var all: [(place: Place, heard: HeardIdentifiers)] {
    heard.sorted { ($0.key.key, $0.key.observer) < ($1.key.key, $1.key.observer) }
      .map { ($0.key, $0.value) }
  }

  /// In the same order.
  public var telemetry: [(place: Place, telemetry: Telemetry)] {
    sums.sorted { ($0.key.key, $0.key.observer) < ($1.key.key, $1.key.observer) }
      .map { ($0.key, $0.value) }
  }

  /// Without what only more sightings would need: a thousand captures are kept to the end of a run.
  public var settled: IdentifierLog {
    var log = self
    log.heard = heard.mapValues(\.settled)
    return log
  }

  mutating func take(
    _ moment: HeardIdentifiers.Moment, key: Int, observer: Int, period: UInt64
  ) {
    heard[Place(key: key, observer: observer), default: HeardIdentifiers(period: Int64(period))]
      .take(moment)
  }

  mutating func take(unknown sent: UInt64, _ report: borrowing AdvertisingReport) {
    unknown.take(sent, report)
  }

  mutating func take(
    telemetryOf key: Int, isOpened: Bool, _ report: borrowing AdvertisingReport
  ) {
    let place = Place(key: key, observer: Int(report.observer))
    var sum = sums[place] ?? Telemetry()
    if isOpened {
      sum.opened += 1
    } else {
      sum.unopened.add(report.frame)
      if !sum.first.isKnown { sum.first = report.time }
      if report.time.isKnown { sum.last = report.time }
    }
    sums[place] = sum
  }
}
