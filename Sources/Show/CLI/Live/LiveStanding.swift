import Analysis
import CaptureReader
import CaptureWriter
import Deliveries
import Exports
import FoundationEssentials
import Glibc
import LiveCapture

/// How a run goes, for its line of status, its board, and those who watch over it.
final class LiveStanding {
  private let stream: LiveStream
  private let outputs: LiveSession.Outputs
  private let listener: LiveListener
  private let watch: OutputWatch
  /// A replay's silence is that of its captures.
  private let isReplay: Bool
  /// Whether the controller is switched off; of several: whether none is up.
  var isDown: () -> Bool = { false }
  /// Whether a scan of our own cannot go on.
  var cannotScan: () -> Bool = { false }
  private var packetRate = PacketRate()
  private var reportRate = PacketRate()
  private var reports = 0
  private var silence = LiveSilence()
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let since = LiveStanding.wallClock
  private var lastHeard: Int64?
  /// Somebody was heard within it: something scans.
  private static let fresh: Int64 = 5_000_000_000

  init(
    _ stream: LiveStream, _ outputs: LiveSession.Outputs, _ listener: LiveListener,
    _ watch: OutputWatch, isReplay: Bool
  ) {
    self.stream = stream
    self.outputs = outputs
    self.listener = listener
    self.watch = watch
    self.isReplay = isReplay
    start = clock.now
  }

  static var wallClock: Int64 { Int64(Date().timeIntervalSince1970 * 1e9) }

  /// To be called some times a second.
  /// - Returns: what there is to say of silence now.
  func note(_ progress: AnalysisProgress) -> LiveSilence.Remark? {
    packetRate.add(progress.records)
    reportRate.add(progress.reports)
    if progress.reports > reports { (reports, lastHeard) = (progress.reports, Self.wallClock) }
    guard !isReplay else { return nil }
    let passed = (clock.now - start).components
    return silence.next(
      reports: progress.reports, canHear: !stream.counts.isOff && !isDown(),
      now: Double(passed.seconds) + Double(passed.attoseconds) / 1e18)
  }

  func status(_ progress: AnalysisProgress) -> LiveStatus {
    var status = LiveStatus()
    status.name = stream.name
    status.rate = packetRate.perSecond
    status.beacons = progress.beacons
    let counts = stream.counts
    status.lost = counts.lostInKernel &+ counts.lostInProgram
    status.isOff = counts.isOff
    if let state = outputs.recorder?.state {
      (status.recording, status.recorded) = (state.path, state.bytes)
      status.recordingProblem = state.problem ?? ""
    }
    for delivery in outputs.deliveries {
      status.waiting += delivery.waiting
      status.undelivered += delivery.counts.undeliveredTotal
    }
    listener.fill(&status)
    status.isDown = isDown()
    return status
  }

  /// - Parameter isRunning: it goes on.
  func health(_ progress: AnalysisProgress, isRunning: Bool = true) -> LiveHealth {
    var health = LiveHealth()
    health.status = status(progress)
    health.time = Self.wallClock
    health.since = since
    health.lastHeard = lastHeard
    health.process = Int(getpid())
    health.isRunning = isRunning
    health.isSilent = silence.isSilent
    health.packets = progress.records
    health.reports = progress.reports
    health.reportsPerSecond = reportRate.perSecond
    let counts = stream.counts
    health.lostInKernel = counts.lostInKernel
    health.lostInProgram = counts.lostInProgram
    listener.fill(&health)
    if let lastHeard, health.time - lastHeard < Self.fresh, !isReplay { health.scans = true }
    // What records said before the interface went away, or down, holds no more.
    if !health.isCapturing || health.scans == nil && cannotScan() { health.scans = false }
    watch.fill(&health)
    return health
  }
}
