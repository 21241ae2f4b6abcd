import Regions
package import Beacons
package import CaptureReader
package import FrameDecoder

/// What is known of one capture when it has been read.
package struct CaptureFacts: Sendable {
  package let name: String
  /// Bytes as stored.
  package let bytes: Int64
  package var format: String
  package let compression: Compression?
  package let sha256: [UInt8]
  package let links: [(link: LinkType, records: Int)]
  package let span: TimeSpan
  /// How times were set right, where somebody said that its clock was wrong.
  package let correction: ClockCorrection
  package let observers: [ObserverFacts]
  package let accounting: Accounting
  package let damage: [ContainerLog.Gap]
  /// Packets the recorder says it could not keep.
  package let lost: CaptureLosses
  /// When it says that it did not record; the first `ContainerLog.maximumPauses`, and how many more.
  package let pauses: [CapturePause]
  package let pausesNotListed: Int
  /// What its recorder, or whoever wrote it anew, says of it as a whole.
  package let comments: [String]
  /// Names that the recorder gave its interfaces, by their index.
  package let interfaceNames: [String?]
  /// When identifiers of beacons with keys were heard; nil where nobody has any.
  package let identifiers: IdentifierLog?
  /// What the names of its observers begin with, but for those that it shares with captures that it continues.
  package internal(set) var stem = ""
  /// An earlier capture of the run that holds the same packets, and how large a part of those of the smaller
  /// of both that is, by a sample of their sightings: 0…1.
  package internal(set) var sharing: (name: String, part: Double)?
  /// Another capture of the run that holds its signals, in their order, at other times.
  package internal(set) var repeating: RepeatedSignals?
  /// Names of all captures of the run with which it has packets or signals in common, as far as it is the one of
  /// which that is noted.
  var sharers: Set<String> = []
  /// Of an earlier capture of its observer that is of the same time and holds other packets: how far this
  /// one's clock is ahead of that one's, nanoseconds, as the advertisers say that both heard, and how many of
  /// their packets say so.
  package internal(set) var overlapping: (name: String, ahead: Int64, packets: Int)?
  /// Whether so many sightings were sampled that packets shared with others would be seen.
  package internal(set) var isSampled = false

  /// Its clock was set back by a second or more: until it had caught up, what came is followed at the time
  /// before the step. What steps back less changes nothing that anybody sees.
  package var clockWasSetBack: Bool { span.largestStepBack >= 1_000_000_000 }

  /// Whether both hold the same, at whatever times: they are not of two radios.
  package func shares(with other: CaptureFacts) -> Bool {
    sharers.contains(other.name) || other.sharers.contains(name)
      || !sha256.isEmpty && sha256 == other.sha256
  }

  /// Bytes were lost or could not be trusted: exit status 65.
  package var isDamaged: Bool {
    accounting.warnings.contains { ProblemCode.damaging.contains($0.code) }
  }

  package init(_ pipeline: CapturePipeline, observerNames: [String]) {
    let reader = pipeline.reader
    name = reader.name
    bytes = reader.bytesRead
    // Live there is no file: whoever records has one, of its own.
    format = reader.isLive ? "live" : reader.format
    compression = reader.compression
    sha256 = reader.isLive ? [] : reader.sha256 ?? []
    span = reader.timeSpan
    damage = reader.gaps
    lost = reader.lost
    pauses = reader.pauses
    correction = reader.correction
    pausesNotListed = reader.log.pausesNotListed
    comments = reader.log.comments
    interfaceNames = reader.log.interfaces.map(\.name)
    identifiers = pipeline.heardIdentifiers?.settled
    var counted = pipeline.recordsByLink.filter { $0.link != .none }
    for interface in reader.log.interfaces
    where !counted.contains(where: { $0.link == interface.link }) {
      counted.append((interface.link, 0))
    }
    links = counted
    observers = zip(pipeline.observers, observerNames).map { ObserverFacts($0, name: $1) }
    accounting = Accounting(
      log: reader.log, frames: pipeline.frameTally, beacons: pipeline.beaconTally)
  }

  /// No interface is of a link type that can hold Bluetooth, or every record is wrapped around one
  /// that cannot.
  package var holdsNoBluetooth: Bool {
    if links.allSatisfy({ !LinkTypes.isSupported($0.link) }) { return true }
    let foreign = accounting.reasons[.unsupported]?.first {
      $0.code.rawValue == "unsupported_linktype"
    }
    return accounting.records > 0 && foreign?.count == accounting.records
  }
}

/// A radio, and what it was listening to.
package struct ObserverFacts: Sendable {
  package let name: String
  package let controller: ControllerInfo?
  package let systemNote: String?
  package let scan: ScanState
  package let pace: ReportPace
  package let reports: Int
  /// Of these, those that came while the scan was off by its commands.
  package let reportsWhileOff: Int
  package let firstReport: Timestamp
  package let lastReport: Timestamp
  /// When its scan ended, where nobody was heard from there to the end of the capture.
  package let quietEnd: ScanEnd?
  /// An air sniffer hears all the time; only a host controller has to be told to scan.
  package let carriesHCI: Bool
  /// Of an air sniffer.
  package let channels: HeardChannels
  /// The same: packets that it has twice.
  package let doubled: Int
  /// Messages of a host about itself: no radio, which hears nobody.
  package let isHost: Bool

  init(_ observer: Observer, name: String) {
    self.name = name
    controller = observer.controller
    systemNote = observer.systemNote
    scan = observer.scan
    pace = observer.pace
    reports = observer.reports
    reportsWhileOff = observer.reportsWhileOff
    firstReport = observer.firstReport
    lastReport = observer.lastReport
    quietEnd = observer.quietEnd
    carriesHCI = observer.carriesHCI
    channels = observer.channels
    doubled = observer.doubled.packets
    isHost = observer.adapter == Observer.systemAdapter
  }

  /// Whether this radio took part: adapters that only announced themselves did not.
  package var hasListened: Bool {
    reports > 0 || !scan.windows.isEmpty || scan.windowsNotListed > 0
  }

  /// For how long it scanned, nanoseconds: without gaps in the recording, unless duplicates are filtered. Air
  /// sniffers always do: from the first report to the last.
  package var scanned: Int64 {
    guard !carriesHCI else { return scan.listening }
    guard firstReport.isKnown, lastReport.isKnown else { return 0 }
    let (from, to) = (firstReport.nanoseconds, lastReport.nanoseconds)
    return max(0, to.since(from) - min(to.since(from), scan.gaps.length(from: from, to: to)))
  }

  /// For how long its radio listened, nanoseconds: of each scan the part of its time that its windows are,
  /// where that is known.
  package var listened: Int64 {
    guard carriesHCI, scan.windowsNotListed == 0 else { return scanned }
    return scan.byParameters.reduce(0) { sum, entry in
      sum.later(by: Self.part(entry.share, of: entry.listening))
    }
  }

  /// The same, of a part of the time; nil where its scans are not all known.
  func listened(within limits: TimeLimits) -> Int64? {
    guard carriesHCI, scan.windowsNotListed == 0 else { return nil }
    return scan.windows.reduce(0) { sum, window in
      guard window.start.isKnown, window.end.isKnown else { return sum }
      let from = max(window.start.nanoseconds, limits.from)
      let to = min(window.end.nanoseconds, limits.to)
      guard to > from else { return sum }
      let whole = window.listening(from: from, to: to, scan.gaps)
      return sum.later(by: Self.part(window.share, of: whole))
    }
  }

  /// For how much of what it listened it passed on only whom it was told to, nanoseconds: of the scans that are listed.
  func listedOnly(within limits: TimeLimits?) -> Int64 {
    guard carriesHCI else { return 0 }
    return scan.windows.reduce(0) { sum, window in
      guard window.start.isKnown, window.end.isKnown, window.listedOnly > 0 else { return sum }
      let from = max(window.start.nanoseconds, limits?.from ?? .min)
      let to = min(window.end.nanoseconds, limits?.to ?? .max)
      guard to > from else { return sum }
      let isWhole = from == window.start.nanoseconds && to == window.end.nanoseconds
      let length = isWhole ? window.listedOnly : scan.listedOnly(of: window, from: from, to: to)
      return sum.later(by: Self.part(window.share, of: length))
    }
  }

  /// Which part of a time a share of it is, nanoseconds; nil: all of it.
  private static func part(_ share: Double?, of whole: Int64) -> Int64 {
    guard let share, share < 1 else { return whole }
    // A time so long that no number of its size is exact may come out longer than it is.
    return Int64(exactly: (Double(whole) * share).rounded(.down)) ?? whole
  }
}
