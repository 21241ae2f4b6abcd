package import CaptureReader

/// What an event says. Other monitors add theirs.
package enum RegionEventType: String, BitwiseCopyable, Sendable {
  /// The first thing known of a region.
  case state
  case enter, exit
  /// Past the profile's limit: code `region_monitoring_failure`.
  case monitoringFailed = "monitoring_failed"
}

/// Where an observer is with respect to a region.
package enum RegionPresence: String, BitwiseCopyable, Sendable {
  case unknown, inside, outside
}

/// A sighting that decided something.
package struct SightingReference: Equatable, BitwiseCopyable, Sendable {
  /// Place of the capture among the inputs.
  package let capture: UInt32
  /// The run's number. Beside the capture's, where both fill one word: there may be a million of them.
  package let transmitter: UInt32
  package let frame: Int
  /// What its record is stamped; none where that says no time.
  package let time: Timestamp

  package init(capture: UInt32, frame: Int, transmitter: UInt32, time: Timestamp = .none) {
    self.capture = capture
    self.frame = frame
    self.transmitter = transmitter
    self.time = time
  }

  /// What its record is stamped, where that was followed more than a second later: its clock had been set back.
  package func stamp(followedAt moment: Timestamp) -> Timestamp? {
    guard time.isKnown, moment.isKnown, moment.nanoseconds.since(time.nanoseconds) > Self.second
    else { return nil }
    return time
  }

  /// Nanoseconds. What steps back less changes nothing that anybody sees.
  private static let second: Int64 = 1_000_000_000

  /// Stands where no sighting of this run can be cited: of a circle, or of an earlier run.
  package static let none = SightingReference(capture: 0, frame: 0, transmitter: .max)
  package var isNone: Bool { transmitter == .max }
}

/// Something that happened to a region at an observer. Fixed size: names are asked of the monitor.
package struct RegionEvent: Equatable, BitwiseCopyable, Sendable {
  /// The same for the same input and settings.
  package let id: UInt64
  package let type: RegionEventType
  /// Number of the profile.
  package let profile: UInt8
  /// From this event on. Stands here as there is room for it: there may be a million of them.
  package let state: RegionPresence
  /// The region's settings keep it back (`notify_on_entry=no`), or an earlier run has told it: it only
  /// says what the state is now.
  package var isSilenced = false
  package let time: Timestamp
  package let observer: UInt32
  package let region: UInt32
  /// Exit: the latest match; otherwise none.
  package let lastSeen: Timestamp
  /// An entry that was told at a display marker: when it happened; otherwise none.
  package let crossedAt: Timestamp
  /// Enter and `state(inside)`: the first match; exit: the last one; otherwise none, as where that match
  /// was in an earlier run.
  package let evidence: SightingReference?
  /// Exit: what the silence is worth.
  package let silence: Silence?

  /// Code of `monitoring_failed` [Apple: CLError.regionMonitoringFailure].
  package static let monitoringFailureCode = "region_monitoring_failure"

  /// The order of one observer's events: by time; at one instant exits come before enters, then
  /// regions in order of definition (SEMANTICS 2, 4).
  package static func comesBefore(_ a: RegionEvent, _ b: RegionEvent) -> Bool {
    (a.time.nanoseconds, a.rank, a.region) < (b.time.nanoseconds, b.rank, b.region)
  }

  private var rank: Int {
    switch type {
    case .monitoringFailed: 0
    case .exit, .state: state == .outside ? 1 : 2
    case .enter: 3
    }
  }
}

/// A state that became inside or outside.
package struct RegionCrossing: BitwiseCopyable, Sendable {
  package let time: Timestamp
  package let observer: UInt32
  package let region: UInt32
  /// Outside: index of the visit that ended, among all there were; nil: inside.
  package let endedVisit: Int?
}

/// What a silence that ended a stay is worth (SEMANTICS 2, Evidence).
package struct Silence: Equatable, BitwiseCopyable, Sendable {
  package enum Grade: String, BitwiseCopyable, Sendable {
    /// The observer may not have been able to hear.
    case deaf
    /// It heard others, but such a silence is likely by itself, or what it was told to leave out or the
    /// recorder lost may have been the beacon's.
    case thin
    case gone
  }

  /// Parts of a time, 0…1.
  package struct Listened: Equatable, BitwiseCopyable, Sendable {
    // Small: there may be a million of them. −1: not known.
    private let ownShare: Float
    private let shareBefore: Float

    package init(share: Double, before: Double?) {
      ownShare = Float(share)
      shareBefore = before.map { Float($0) } ?? -1
    }

    fileprivate static let unknown = Listened(share: -1, before: nil)
    fileprivate var isKnown: Bool { ownShare >= 0 }

    package var share: Double { Double(ownShare) }
    /// Of the time in which the loss was learnt; nil: not known.
    package var before: Double? { shareBefore < 0 ? nil : Double(shareBefore) }

    /// What arrives for each that arrived before: 1 where the radio listens as it did.
    package var ratio: Double {
      guard let before, share < before else { return 1 }
      return share / before
    }

    /// Not only by rounding.
    package var isLess: Bool { ratio < 0.99 }
  }

  package var grade: Grade
  /// Loss and probability are what the stay's own sightings, fewer than ten, allow for: more than was learnt
  /// of the transmitter before.
  package let isOfStay: Bool
  // Here and below: there may be a million of them.
  private let count: Int16
  private var packets: UInt32
  /// Latest moment in (L, X] at which any advertiser is known to have been heard; none: nobody was.
  package let othersHeard: Timestamp
  /// For how long of it scanning is known to have been off, in nanoseconds.
  package let scanOff: Int64
  /// For how long of it nothing was captured, in nanoseconds: that makes it deaf.
  package var captureOff: Int64 { grade == .deaf ? missing : 0 }
  /// Longest time without any record that reaches into it and is not shorter than P; where it is not deaf, how much
  /// of it lies in such times of half of P and more; 0: none. Live,
  /// one that goes on is as long as it was when the exit was decided.
  package let recordGap: Int64
  /// For how long of its end nobody at all was heard, in nanoseconds, where that is half of P and more and it is not
  /// deaf; 0: somebody was. Pauses without records may be a part.
  package var quiet: Int64 {
    get { grade == .deaf ? 0 : missing }
    set { if grade != .deaf { missing = newValue } }
  }
  // Of one that is deaf the former, of any other the latter.
  private var missing: Int64
  /// For how long of it the controller filtered duplicates, and heard only who was on its list, in
  /// nanoseconds.
  package let filtered: Int64
  package let listedOnly: Int64
  /// They may have been lost before it or behind it as well, until this moment; none: they were in it.
  package var lostUntil = Timestamp.none
  /// Below 0: none had ten sightings.
  private let knownInterval: Int64
  private let knownLoss: Double
  private let knownProbability: Double
  /// Sightings in it of which a plugin failed to say whether they are of the region, or what they are: its rule or
  /// a decoder had an error, or was switched off; 2³² − 1: that many or more.
  package var unanswered: Int { Int(failures) }
  private let failures: UInt32
  /// Which part of the silence's time the radio listened, by its scans' windows; nil where that is not
  /// known, and where it was all of it.
  package var listened: Listened? { ownListened.isKnown ? ownListened : nil }
  private let ownListened: Listened
  /// Transmitters that count: heard within P before L, with ten sightings or more.
  package var transmitters: Int { Int(count) }
  private var refusedCount: UInt16 = 0
  private var refusedRSSI = unmeasured
  private static let unmeasured = Int16.min
  private var refusedAt = Timestamp.none

  /// - Parameter interval: nil where nobody had ten sightings, as loss and probability are then.
  package init(
    grade: Grade, othersHeard: Timestamp, scanOff: Int64, captureOff: Int64, recordGap: Int64,
    filtered: Int64, listedOnly: Int64, packetsLost: Int64, unanswered: Int64 = 0, interval: Int64?,
    loss: Double?,
    probability: Double?, listened: Listened?, transmitters: Int, isOfStay: Bool = false
  ) {
    self.grade = grade
    self.isOfStay = isOfStay
    packets = UInt32(clamping: packetsLost)
    failures = UInt32(clamping: unanswered)
    self.othersHeard = othersHeard
    self.scanOff = scanOff
    missing = captureOff
    self.recordGap = recordGap
    self.filtered = filtered
    self.listedOnly = listedOnly
    knownInterval = interval ?? -1
    knownLoss = loss ?? 0
    knownProbability = probability ?? 1
    ownListened = listened ?? .unknown
    count = Int16(clamping: transmitters)
  }

  /// Sightings of those who had been in the region that did not pass its gate.
  package struct Refused: Equatable, Sendable {
    /// 65 535: that many or more.
    package var count: Int
    /// What the signal of the last that had one was smoothed to, dBm; nil: the radio told none of the later ones.
    package let rssi: Double?
    /// When the last of them was.
    package let at: Timestamp

    package init(count: Int, rssi: Double?, at: Timestamp) {
      (self.count, self.rssi, self.at) = (count, rssi, at)
    }

    /// Nobody knows whether they were near enough.
    package var isUnmeasured: Bool { rssi == nil }

    /// Whether they went on until an exit: there were some in the last third of its silence. Who walks away is
    /// heard below the gate, too, before nothing more is.
    package func goesOn(from last: Timestamp, to exit: Timestamp) -> Bool {
      exit.nanoseconds.since(at.nanoseconds) <= exit.nanoseconds.since(last.nanoseconds) / 3
    }
  }

  /// Behind L; nil: none. Its signal is kept to a tenth of a dB.
  package var refused: Refused? {
    get {
      refusedCount == 0
        ? nil
        : Refused(
          count: Int(refusedCount),
          rssi: refusedRSSI == Self.unmeasured ? nil : Double(refusedRSSI) / 10, at: refusedAt)
    }
    set {
      refusedCount = UInt16(clamping: newValue?.count ?? 0)
      refusedRSSI =
        newValue?.rssi.map { Int16(max(-3000, min(3000, ($0 * 10).rounded()))) } ?? Self.unmeasured
      refusedAt = newValue?.at ?? .none
    }
  }

  /// Packets that the recorder says it lost in it; 2³² − 1: that many or more.
  package var packetsLost: Int64 {
    get { Int64(packets) }
    set { packets = UInt32(clamping: newValue) }
  }

  /// Nanoseconds between advertisements, lost share 0…1: of the transmitter whose silence is least
  /// likely; nil where none had ten sightings.
  package var interval: Int64? { knownInterval < 0 ? nil : knownInterval }
  package var loss: Double? { knownInterval < 0 ? nil : knownLoss }
  /// Probability of the silence by loss alone, over all transmitters that count; nil as above.
  package var probability: Double? { knownInterval < 0 ? nil : knownProbability }

  /// What of P nobody could be heard in, or nobody was: `probability` is of the rest, where it is not deaf.
  package var unheard: Int64 { max(recordGap, quiet) }

  /// More than that is likely (SEMANTICS 2).
  package static let likely = 0.05

  /// Whether it may be chance: the beacon was seldom heard, or is often lost.
  package var isLikely: Bool { probability.map { $0 > Self.likely } ?? true }
}
