package import Beacons
package import CaptureReader
package import FrameDecoder
package import Regions

/// Whoever judges a run while it goes on: rules. It is told everything in the order of the run's
/// time, on the one queue that follows the run; what it does there holds nothing else up.
///
/// The order (SEMANTICS 2): what has happened is told before the sighting or the note at which that
/// was known, a sighting before the events that it led to, and those right behind it. What is told
/// together comes by time; at one instant exits before enters, then the rest. So an exit comes behind
/// the enters of sightings of its very instant: only what is later decides it. None of that depends
/// on how the input was cut.
package protocol Judge: AnyObject, Sendable {
  /// What is handed on at all; asked before the run, and the same each time.
  var wishes: JudgeWishes { get }

  /// The first time known of any observer; once, before anything else. Sightings before that have no
  /// place in time and are not told; where no time is ever known, `finish` alone is called.
  /// - Parameter frame: the first one that has a time.
  /// - Parameter known: states of the first profile that an earlier run left to the observer of that
  ///   time (`FollowSettings.restored`). They come as events, too, behind this call.
  func begin(
    at time: Timestamp, _ frame: TimelineEvent.Evidence, known: [KnownPresence], _ view: RunView)
  /// A sighting that the custom regions are going to be asked about: `RegionPredicate.matches` is
  /// called, if at all, before the next one. Only where a region is custom.
  func consider(_ sighting: JudgedSighting, _ view: RunView)
  /// Sightings in their order, during which nothing else happened. Those that were wished for are
  /// whole (`BriefSighting.whole` counts in `wholes`), and others may be. `reach` is not called
  /// before and between them: the judge sees how the clock goes on.
  /// - Parameters:
  ///   - capture: its place.
  ///   - fields: of custom beacons: what `extra` of their whole sightings counts in, from 1.
  func take(
    _ run: Span<BriefSighting>, _ wholes: Span<Sighting>, capture: UInt32,
    fields: [CustomFields], _ view: RunView)
  /// An event of the first profile; also what a region's settings keep back (`isSilenced`): that only
  /// says what the region's state is now.
  func take(_ event: TimelineEvent, _ view: RunView)
  /// Scanning, resets, and where wished for what was malformed and steps of clocks. `observer` and
  /// `capture` are the run's numbers. Ticks and ends are not handed on: they are `reach`.
  func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView)
  /// Whom an observer's scan left out in an earlier run (`FollowSettings.restored`): it began before this one
  /// did. Told before anything else of the observer, also before `begin`.
  func resume(_ limits: ScanLimits, of observer: String)
  /// Where an observer that has not begun yet was when an earlier run ended, and is taken for until its own
  /// first record, or until a time: told before `begin`. Unknown: that state is too old at its first record.
  func resume(
    _ presence: RegionPresence, in region: String, of observer: String, until: Timestamp)
  /// The latest report of any advertiser, also of one that is no beacon, that an observer is known to have heard.
  /// Its notes know of it: once a second of the observer's records, and not of reports since then. Told ahead of what
  /// happened before the note, also before that report: whoever asks at an earlier time is not to be told of it.
  /// - Parameter observer: its name.
  func hear(until time: Timestamp, observer: String)
  /// An observer's captures begin or end: told of the first record of each observer, too, and at the
  /// end of the run. Between an end and the next beginning nothing is known of it.
  func take(_ turn: RecordingTurn, _ view: RunView)
  /// The run's clock, the latest time of any observer, is here: called before anything of a later
  /// time is told, at least once in each second that has records.
  func reach(_ time: Timestamp, _ view: RunView)
  /// Nothing follows; the time is unknown where none ever was.
  func finish(at time: Timestamp, _ view: RunView)

  /// Markers set since the last call (`display_on`): asked after each call above.
  func takeMarkers() -> [Timestamp]
  /// Alerts given since the last call: asked after each call above. They become events of the
  /// timeline.
  func takeAlerts() -> [Alert]
  /// How it went; asked once, at the end.
  var reports: [JudgeReport] { get }
}

extension Judge {
  package func hear(until time: Timestamp, observer: String) {}

  package func resume(
    _ presence: RegionPresence, in region: String, of observer: String, until: Timestamp
  ) {}
}

/// Where what is recorded of an observer begins or ends. Captures of it that overlap are one.
package struct RecordingTurn: Equatable, Sendable {
  /// A capture begins where none was open; else the last open one is at its end.
  package var isBeginning: Bool
  /// Of the first or last record.
  package var time: Timestamp
  /// The run's number.
  package var observer: Int
  /// Place of the capture.
  package var capture: UInt32
  /// Of a beginning the first record of known time, of an end the capture's last one, whoever's.
  package var frame: Int
}

/// Where a region's state is known from the beginning; the run's numbers.
package struct KnownPresence: Equatable, Sendable {
  package var region: Int
  package var observer: Int
  package var presence: RegionPresence
}

/// How it went with one of those who judge: a plugin.
package struct JudgeReport: Sendable {
  package var rule: Alert.Rule
  /// It has no rules: a site file.
  package var onlyDeclares = false
  package var alerts = 0
  /// Alerts that would have said the same again, or too much at once.
  package var heldBack = 0
  /// Calls that ended early, by what stopped them, in order of the names; only where there were any.
  package var errors: [(limit: String, count: Int)] = []
  /// What the first of them said, and where; nil: there was none.
  package var firstError: String?
  /// After too many errors in a row; none: it is not.
  package var switchedOff = Timestamp.none
  package var isSwitchedOff = false
  /// What is switched off are its decoders: its handlers and timers go on.
  package var isDecodingOff = false
  /// Why the text that is in its file now does not judge, and one before it goes on; nil: it does.
  package var notReplaced: String?
  /// Firings of timers that were left out where the clock jumped.
  package var skippedTimers = 0
  /// What it says about the run as a whole, each sentence once.
  package var remarks: [String] = []
  package var remarksLeftOut = 0

  package init(rule: Alert.Rule) { self.rule = rule }

  package var errorCount: Int { errors.reduce(0) { $0 + $1.count } }
}

/// What a judge wants to be told of.
package struct JudgeWishes: Sendable {
  /// Which sightings; decided once for each transmitter.
  package enum Sightings: Sendable {
    case none
    case all
    /// Of the transmitters that it takes.
    case some(TransmitterFilter)
  }
  package var sightings = Sightings.none
  package var proximity = false
  package var ranging = false
  /// Records that were malformed, each.
  package var malformed = false
  /// Steps of clocks, each.
  package var clock = false

  package init() {}
}

/// A sighting as it is judged.
package struct JudgedSighting: Sendable {
  package let brief: BriefSighting
  /// As it was on the air. Its `identity`, `transmitter` and `observer` are the capture's own
  /// numbers: those of the run are in the view, by `brief.transmitter`.
  package let whole: Sighting
  /// Place of the capture.
  package let capture: UInt32
  /// What a custom decoder read; empty for any other kind.
  package let fields: CustomFields

  package init(
    brief: BriefSighting, whole: Sighting, capture: UInt32, fields: CustomFields = []
  ) {
    self.brief = brief
    self.whole = whole
    self.capture = capture
    self.fields = fields
  }
}

extension Sighting {
  /// What the decoder of a custom beacon read in it.
  /// - Parameter fields: what `extra` counts in, from 1.
  package func customFields(_ fields: [CustomFields]) -> CustomFields {
    let number = Int(extra.0)
    return number >= 1 && number <= fields.count ? fields[number - 1] : []
  }
}

/// What the numbers of a run stand for, as far as it has come. Not to be kept: its tables would be
/// copied when they grow.
package final class RunView: Sendable {
  package let identities: IdentityTable
  package let transmitters: TransmitterTable
  /// By the run's observer number.
  package let observers: [String]
  /// Inputs and tracks as the user named them, by place.
  package let captures: [String]
  package let tracks: [String]
  /// By the region's number.
  package let regions: [Region]
  package let messages: [BeaconMessage]
  package let profile: String

  package init(
    identities: IdentityTable, transmitters: TransmitterTable, observers: [String],
    captures: [String], tracks: [String], regions: [Region], messages: [BeaconMessage],
    profile: String
  ) {
    self.identities = identities
    self.transmitters = transmitters
    self.observers = observers
    self.captures = captures
    self.tracks = tracks
    self.regions = regions
    self.messages = messages
    self.profile = profile
  }
}

/// What somebody should know: made by a rule, cites what led to it.
package struct Alert: Sendable {
  package enum Severity: String, CaseIterable, Comparable, Sendable {
    case info, notice, warning, critical

    /// Whether the first one is milder.
    package static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .info: 0
      case .notice: 1
      case .warning: 2
      case .critical: 3
      }
    }
  }

  /// Who said so.
  package struct Rule: Sendable, Equatable {
    package var plugin: String
    /// As the plugin says; empty where it does not.
    package var version: String
    /// Of the plugin's file, lower-case hexadecimal.
    package var sha256: String

    package init(plugin: String, version: String, sha256: String) {
      self.plugin = plugin
      self.version = version
      self.sha256 = sha256
    }
  }

  package var time: Timestamp
  package var severity: Severity
  package var title: String
  /// Empty for none.
  package var text = ""
  package var rule: Rule
  /// The run's numbers; nil where it is not about one.
  package var observer: Int?
  package var region: Int?
  package var transmitter: Int?
  /// What it is not told again under; empty: its title.
  package var dedupeKey = ""
  /// The rule's own, in order of the names.
  package var fields: CustomFields = []
  package var evidence: [TimelineEvent.Evidence] = []
  /// Ids of the events that it cites.
  package var events: [UInt64] = []
  /// Alerts held back since the one before (`once_per`, `at_most`).
  package var heldBack = 0

  package init(time: Timestamp, severity: Severity, title: String, rule: Rule) {
    self.time = time
    self.severity = severity
    self.title = title
    self.rule = rule
  }
}
