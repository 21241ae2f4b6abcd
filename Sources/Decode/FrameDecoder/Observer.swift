public import CaptureReader

/// The radio that made a recording: one per capture interface, or per HCI controller on a monitor.
/// Keeps what it was listening to.
public struct Observer: Sendable {
  /// For links that do not tell adapters apart.
  public static let noAdapter: UInt16 = 0xFFFE
  /// What the kernel's monitor sends on behalf of no adapter.
  public static let systemAdapter: UInt16 = 0xFFFF
  static let most = 1024

  /// Index into `ContainerLog.interfaces`.
  public let interface: UInt16
  public let adapter: UInt16
  public var controller: ControllerInfo?
  /// The recorder's own words: `Linux version 6.1…` on a monitor.
  public var systemNote: String?
  public var scan = ScanState()
  /// How many reports came from time to time.
  public private(set) var pace = ReportPace()
  /// First and last report.
  public var firstReport = Timestamp.none
  public var lastReport = Timestamp.none
  public var reports = 0
  /// Reports that came while its commands say that the scan was off: another scan was under way, or commands
  /// are missing.
  public private(set) var reportsWhileOff = 0
  /// What told of a scan first, as the end of the one before, and the last report before that.
  private var firstTold: (end: ScanState.EndReason, lastReport: Timestamp)?
  /// How many reports there had been when the scan ended, while it is off.
  private var offSince: Int?
  /// When the scan ended, since when nobody was heard; nil where somebody was.
  public private(set) var quietEnd: ScanEnd?
  /// Time of the last record of this observer.
  public var lastRecord = Timestamp.none
  /// Whether its link carries HCI: an air sniffer always listens and has no scan commands.
  public let carriesHCI: Bool
  /// Of an air sniffer: a controller tells no channels.
  public private(set) var channels = HeardChannels()
  public private(set) var doubled = DoubledPackets()

  /// Its clock, while another observer's is under way.
  var watch = ObserverWatch()
  var fragments = FragmentStore()
  var chains = AuxChains()
  var syncs: [PeriodicSync] = []
  var trains = PeriodicTrains()

  /// Interface and adapter as one number.
  @inline(__always)
  static func key(interface: UInt16, adapter: UInt16 = noAdapter) -> UInt64 {
    UInt64(interface) << 16 | UInt64(adapter)
  }

  init(interface: UInt16, adapter: UInt16, carriesHCI: Bool) {
    self.interface = interface
    self.adapter = adapter
    self.carriesHCI = carriesHCI
  }

  /// Reports of this observer whose times are known.
  mutating func heard(_ count: Int, from first: Timestamp, to last: Timestamp) {
    reports += count
    if !firstReport.isKnown { firstReport = first }
    lastReport = last
  }

  /// A run of reports of this observer, in the order of the capture.
  mutating func heard(_ run: Span<AdvertisingReport>) {
    reports += run.count
    if !carriesHCI {
      channels.note(run)
      doubled.note(run)
    }
    if !firstReport.isKnown, let first = run.indices.first(where: { run[$0].time.isKnown }) {
      firstReport = run[first].time
    }
    if let last = run.indices.last(where: { run[$0].time.isKnown }) {
      lastReport = run[last].time
    }
  }

  /// Its clock goes on from its latest record to the next one.
  /// - Parameter reports: heard before that one.
  mutating func pass(from: Timestamp, to: Timestamp, reports: Int) {
    guard to.isKnown else { return }
    if from.isKnown { scan.gaps.noteRecords(after: from.nanoseconds, at: to.nanoseconds) }
    pace.note(from: from, to: to, reports: reports)
  }

  /// The scan ends, or begins; by then there were so many reports.
  mutating func switchScan(_ isOn: Bool, reports: Int) {
    if let offSince, isOn { reportsWhileOff += reports - offSince }
    offSince = isOn ? nil : offSince ?? reports
  }

  /// A command, or its end, told of a scan.
  mutating func tellScan(_ end: ScanState.EndReason, lastReport: Timestamp) {
    if firstTold == nil { firstTold = (end, lastReport) }
  }

  /// The scan ends. Of several ends between which nobody was heard the first counts.
  mutating func endScan(_ end: ScanEnd, lastReport: Timestamp) {
    if let quietEnd, !quietEnd.isOver(lastReport) { return }
    quietEnd = end
  }

  /// Nothing more comes.
  mutating func endOfRecords(lastReport: Timestamp) {
    if let end = quietEnd, end.isOver(lastReport) { quietEnd = nil }
  }

  /// Windows still open end here; reports without any known window get an inferred one, as do those before the
  /// first thing that told of a scan: a file of a rotated recording begins while it is on.
  mutating func endOfCapture(at end: Timestamp) {
    let end = end.isKnown ? end : lastRecord
    if end.isKnown { scan.gaps.captureBegins(at: end.nanoseconds) }
    // Others of the capture may have gone on. (Its last record may have no time: it takes the clock's.)
    if end.isKnown, watch.clock.isKnown {
      scan.gaps.noteRecords(after: watch.clock.nanoseconds, at: end.nanoseconds)
    }
    scan.close(at: end, .endOfCapture)
    guard carriesHCI else { return }
    if let firstTold, firstTold.lastReport.isKnown {
      scan.infer(first: firstReport, last: firstTold.lastReport, firstTold.end)
    } else if scan.windows.isEmpty, scan.windowsNotListed == 0 {
      scan.infer(first: firstReport, last: lastReport, .endOfCapture)
    }
  }
}

/// The end of a scan.
public struct ScanEnd: Equatable, Sendable {
  public let time: Timestamp
  /// Of the record that told it.
  public let frame: Int
  /// The controller was reset or removed; else the scan was switched off, or timed out.
  public let isReset: Bool

  /// What was on its way comes all the same, for a second.
  private static let underway: Int64 = 1_000_000_000

  /// Whether a report came later than that.
  func isOver(_ report: Timestamp) -> Bool {
    guard time.isKnown, report.isKnown, report.nanoseconds > time.nanoseconds else { return false }
    let (length, overflow) = report.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
    return overflow || length > Self.underway
  }
}

/// What the monitor says about a controller (PROTOCOLS.md 2.4).
public struct ControllerInfo: Sendable, Equatable {
  public var type: UInt8
  public var bus: UInt8
  public var address: DeviceAddress
  public var name: String
}

/// A train of periodic advertising that the controller follows.
struct PeriodicSync: Sendable {
  let handle: UInt16
  let address: DeviceAddress
  let sid: UInt8
  let phy: PHY
  let interval: UInt16
}
