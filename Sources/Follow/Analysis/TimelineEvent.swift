package import CaptureReader
package import Regions
package import TrackReader

/// What a timeline event says. Open: each monitor's own are added here by name.
package struct TimelineEventType: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The first thing known of a region at an observer.
  package static let state = TimelineEventType(rawValue: "state")
  package static let enter = TimelineEventType(rawValue: "enter")
  package static let exit = TimelineEventType(rawValue: "exit")
  /// A transmitter of a region got nearer or farther, or its proximity unknown.
  package static let proximity = TimelineEventType(rawValue: "proximity")
  /// A region's transmitters at a moment, nearest first.
  package static let ranging = TimelineEventType(rawValue: "ranging")
  package static let messageFound = TimelineEventType(rawValue: "message_found")
  package static let messageLost = TimelineEventType(rawValue: "message_lost")
  /// Past the profile's limit.
  package static let monitoringFailed = TimelineEventType(rawValue: "monitoring_failed")
  /// A rule says that somebody should know.
  package static let alert = TimelineEventType(rawValue: "alert")
  /// The observer's position moved past a distance filter.
  package static let position = TimelineEventType(rawValue: "position")
  /// What happened to an observer, or on the way from it.
  package static let observer = TimelineEventType(rawValue: "observer")
}

/// Something that happened, as it goes to sinks: one shape for all monitors. Names are looked up in
/// the `Timeline` by number.
package struct TimelineEvent: Sendable {
  /// A record of a capture, or a line of a track file, that decided it.
  package struct Evidence: Hashable, Sendable {
    package enum Source: UInt8, Sendable { case capture, track }
    package let source: Source
    /// Place among the captures, or among the track files.
    package let file: Int
    /// Frame number, or line.
    package let number: Int

    package init(source: Source, file: Int, number: Int) {
      self.source = source
      self.file = file
      self.number = number
    }
  }

  package struct Position: Equatable, Sendable {
    /// Degrees, WGS-84.
    package let latitude: Double
    package let longitude: Double
    /// Degrees from true north; nil where it is not known.
    package let course: Double?
    package enum Cause: String, Sendable {
      /// Past the distance filter.
      case update
      /// About 500 m, and five minutes.
      case significantChange = "significant"
      /// The course turned.
      case course
    }
    package let cause: Cause

    package init(latitude: Double, longitude: Double, course: Double?, cause: Cause) {
      self.latitude = latitude
      self.longitude = longitude
      self.course = course
      self.cause = cause
    }
  }

  /// What happened to an observer.
  package enum Deed: String, Sendable {
    /// The controller was reset or removed.
    case reset
    /// From here on nothing was captured, and from here on it was again.
    case captureOff = "capture_off"
    case captureOn = "capture_on"
    /// Packets did not get into the capture.
    case lost
  }

  /// The same for the same input and settings.
  package var id: UInt64
  package var type: TimelineEventType
  package var time: Timestamp
  /// Number in `Timeline.observers`; of an alert that is about none, 0.
  package var observer: Int
  /// Number in `Timeline.regions`; nil for messages and positions.
  package var region: Int?
  /// Number in `Timeline.profiles`.
  package var profile: Int
  /// From this event on; nil where it is not about a region's state.
  package var state: RegionPresence?
  /// The region's settings keep it back: a judge hears of the state, and the timeline has no such event.
  package var isSilenced = false
  // Lies where the fields around it leave room: events are many, and alerts few.
  private var alertPlace: Int32 = -1
  /// alert: number in `Timeline.alerts`.
  package var alert: Int? {
    get { alertPlace < 0 ? nil : Int(alertPlace) }
    set { alertPlace = newValue.map { Int32(clamping: $0) } ?? -1 }
  }
  /// Exit: the latest match; message_lost: the latest sighting; otherwise none.
  package var lastSeen = Timestamp.none
  /// A circle: when the boundary itself was crossed; an entry told at a display marker: when it
  /// happened; otherwise none.
  package var crossedAt = Timestamp.none
  /// What the sighting that decided it is stamped, where it was followed more than a second later than that: its clock
  /// had been set back; otherwise none.
  package var stamped = Timestamp.none
  // One field for both: an event has one of them, and events are many.
  private var worth: Worth?
  private enum Worth {
    case silence(Silence)
    case doubt(EntryDoubt)
  }
  /// Exit of a beacon region: what the silence is worth.
  package var silence: Silence? {
    get { if case .silence(let silence) = worth { silence } else { nil } }
    set { worth = newValue.map { .silence($0) } }
  }
  /// Enter of a beacon region: what the radio's deafness leaves open; nil where it is proved.
  package var doubt: EntryDoubt? {
    get { if case .doubt(let doubt) = worth { doubt } else { nil } }
    set { worth = newValue.map { .doubt($0) } }
  }
  /// proximity: both; otherwise nil.
  package var from: Proximity?
  package var to: Proximity?
  /// proximity, and whoever decided enter, exit and state(inside): the run's transmitter number.
  package var transmitter: Int?
  /// proximity: metres with their interval, nil where unknown.
  package var distance: Distance?
  /// proximity: smoothed, dBm.
  package var rssi: Double?
  /// ranging: nearest first, unknown last.
  package var entries: [RangingEntry] = []
  /// message_found, message_lost: number in `Timeline.messages`.
  package var message: Int?
  package var position: Position?
  package var evidence: [Evidence] = []
  /// Of a circle: the positions that decided it, in the order of time.
  package var fixes: [Fix] = []
  /// observer: what happened; otherwise nil.
  package var deed: Deed?
  /// observer, of a loss: how many packets.
  package var packetsLost: Int64 = 0

  /// Of an enter: when it happened, which may be before it was told.
  package var entered: Timestamp { crossedAt.isKnown ? crossedAt : time }

  package init(
    id: UInt64, type: TimelineEventType, time: Timestamp, observer: Int, region: Int?, profile: Int
  ) {
    self.id = id
    self.type = type
    self.time = time
    self.observer = observer
    self.region = region
    self.profile = profile
  }
}

/// What a run followed: the numbers in its events, and what they add up to.
package struct Timeline: Sendable {
  /// A span of one observer's time.
  package struct Span: Equatable, Sendable {
    package var from: Timestamp
    package var to: Timestamp
    /// Of deafness: nobody was told of while duplicates were filtered; who is there may have been heard.
    package var isOfFilter: Bool

    package init(from: Timestamp, to: Timestamp, isOfFilter: Bool = false) {
      self.from = from
      self.to = to
      self.isOfFilter = isOfFilter
    }
  }

  /// A record that says that scanning, or capturing, began or ended.
  package struct Switch: Equatable, Sendable {
    package let time: Timestamp
    package let isOn: Bool
    package let place: TimelineEvent.Evidence

    package init(time: Timestamp, isOn: Bool, place: TimelineEvent.Evidence) {
      self.time = time
      self.isOn = isOn
      self.place = place
    }
  }

  /// A time in which an observer recorded: of a capture, or of what of it lies between two pauses.
  package struct Recording: Equatable, Sendable {
    /// First and last record.
    package var from: Timestamp
    package var to: Timestamp
    /// Whether its capture is that of the one before, in which there is no record for over an hour then.
    package var continues: Bool

    package init(from: Timestamp, to: Timestamp, continues: Bool) {
      self.from = from
      self.to = to
      self.continues = continues
    }
  }

  package struct Observer: Sendable {
    package var name: String
    /// First and latest time among its records; none where it has none of known time.
    package var start = Timestamp.none
    package var end = Timestamp.none
    /// When it is not known to have heard anything: scanning off, or no record for the exit
    /// period of the main profile or longer, by its filter of duplicates, too. Ascending, disjoint; the first `mostDeaf`.
    package var deaf: [Span] = []
    /// By the exit period of each profile and region: the same without what is of the filter of duplicates.
    var certainlyDeaf: [Int64: [Span]] = [:]
    /// When nobody at all was heard, by the same: ascending, disjoint; the first `mostDeaf`.
    var quiet: [Int64: [Span]] = [:]
    /// The same as `deaf`, by those exit periods that are not the main profile's.
    var otherDeaf: [Int64: [Span]] = [:]

    /// When it is not known to have heard anything, where pauses of the recording count from an exit period on,
    /// nanoseconds: one that a profile or a region of the run has.
    package func deaf(exitPeriod: Int64) -> [Span] { otherDeaf[exitPeriod] ?? deaf }
    /// Scans that left duplicates out. Ascending; the first `mostDeaf`.
    var filteredScans: [Span] = []
    package static let mostDeaf = 10_000
    /// Ends and beginnings of its scanning that were seen, in their order; the first `mostDeaf`.
    package var switches: [Switch] = []
    /// Packets that were lost, in the order in which that was told.
    package var losses: [Loss] = []
    /// When it recorded. Ascending, disjoint, the first `mostDeaf`; captures with less than the shortest exit
    /// period of the main profile between them are one.
    package var recordings: [Recording] = []
    /// When it is not known where it was, which circles go by. Ascending, disjoint; empty without circles.
    package var unplaced: [Span] = []
    /// Messages of a host about itself, beside those of its controllers: no radio, which hears nobody.
    package var isHost = false

    package init(name: String) { self.name = name }

    /// When none of its captures was recorded, between the first and the last. A pause inside a capture is
    /// not among them: who recorded then did not hear anything.
    package var unrecorded: [Span] {
      zip(recordings, recordings.dropFirst()).filter { !$1.continues }.map {
        Span(from: $0.to, to: $1.from)
      }
    }
  }

  /// A stay with what ranging made of it.
  package struct Stay: Sendable {
    package var visit: Visit
    package var nearest: NearestApproach?
    /// Nil where its entry is proved, or it has none.
    package internal(set) var doubt: EntryDoubt?
    /// Nanoseconds from its exit to the next entry, where that came within the exit period and the radio
    /// could hear before; otherwise nil.
    package internal(set) var returnsAfter: Int64?

    package init(visit: Visit, nearest: NearestApproach?) {
      self.visit = visit
      self.nearest = nearest
    }
  }

  /// What one profile made of the run.
  package struct Outcome: Sendable {
    package var profile: Profile
    /// Beacon regions: by time of entry, then observer, then region; open ones have no `until`.
    package var stays: [Stay] = []
    /// Where it goes on with what an earlier run knew: who was outside from the start.
    package var outsideFromStart: [(observer: Int, region: Int, time: Timestamp)] = []
    /// Regions that an earlier run left outside, at observers that went on with what it knew.
    var earlierRun: [EntryDoubts.Place: EntryDoubts.Before] = [:]
    /// By observer, then region: the state at the end. Circles are in it, too.
    package var states: [[RegionPresence]] = []
    /// Of circles: how near those observers came whose positions are known.
    package var approaches: [Approach] = []

    package init(profile: Profile) { self.profile = profile }
  }

  /// A message that an identity carries (`--messages`), or a subscription found.
  package struct Message: Sendable {
    package var beacon: String
    package var namespace: String
    package var type: String
    package var content: String

    package init(beacon: String, namespace: String, type: String, content: String) {
      self.beacon = beacon
      self.namespace = namespace
      self.type = type
      self.content = content
    }
  }

  /// Which part of the time stays are of: those that have a moment in it; nil: all of it.
  package internal(set) var limits: TimeLimits?
  package var observers: [Observer] = []
  package var regions: [Region] = []
  /// Whether the regions are those that were seen, because none was named.
  package var isDefaultRegions: Bool { foundRegions != nil }
  /// Which those are.
  package var foundRegions: FoundRegions?
  /// The first is the main one.
  package var outcomes: [Outcome] = []
  package var messages: [Message] = []
  /// Whether events may have other ids than in a run over the captures from their beginning: it goes on
  /// with what an earlier run knew, or replays several captures as one.
  package var hasOwnIds = false
  /// Whether a judge was told of the run.
  package var isJudged = false
  /// What rules said, in the order in which they did.
  package var alerts: [Alert] = []
  /// Of each beacon in a region, where they were asked for (`FollowSettings.silences`).
  package var silences: [BeaconSilences] = []
  /// Names of the track files.
  package var tracks: [String] = []
  /// Positions that captures carry; none where tracks are there.
  package var fixes = PositionSample()
  /// Everything but ranging, in the order of their times.
  package var events: [TimelineEvent] = []
  /// Changes of proximity and ranging lists, where they were asked for.
  var ranged = RangedEvents()
  /// Ranging lists of some moments, by time, where they were asked for (`FollowSettings.wantsSamples`).
  package var samples: [RangingSample] = []
  /// What there was no room for (`FollowSettings.mostKept`): the earliest events, alerts among them, and
  /// stays.
  package var forgotten = (events: 0, stays: 0)
  /// Of those who judged, in their order.
  package var judges: [JudgeReport] = []
  /// Sentences worth knowing, each once, in a fixed order: code and text.
  package var hints: [(code: String, text: String)] = []
  /// Captures whose clocks were, and by how many nanoseconds at most (`CaptureFacts.clockWasSetBack`).
  package var clocksSetBack: [(capture: String, step: Int64)] = []
  /// Tracks that have nothing to do with the captures: a sentence for each.
  package var problems: [String] = []
  /// Definitions that replaced others, radii reduced, tracks with odd lines.
  package var warnings: [String] = []
  /// Whether some of a track could not be read.
  package var hasDamagedTracks = false

  package init() {}
}

extension Timeline {
  /// Whether one of these events is an alert of a severity, or of one above it.
  package func hasAlert(from least: Alert.Severity, among events: [TimelineEvent]) -> Bool {
    events.contains { event in event.alert.map { alerts[$0].severity >= least } ?? false }
  }

  /// From the first record of all observers to the last; nil where no record has a time.
  package var recorded: Span? {
    let known = observers.filter { $0.start.isKnown }
    guard let first = known.map(\.start.nanoseconds).min(),
      let last = known.map(\.end.nanoseconds).max()
    else { return nil }
    return Span(from: Timestamp(nanoseconds: first), to: Timestamp(nanoseconds: last))
  }

  /// When somebody recorded, without the long pauses.
  /// - Parameter most: stretches at most.
  package func stretches(most: Int = Stretches.most) -> Stretches {
    let recorded = observers.flatMap { observer in
      observer.recordings.map {
        Stretches.Span(from: $0.from.nanoseconds, to: $0.to.nanoseconds)
      }
    }
    return Stretches(recorded, most: most)
  }
}
