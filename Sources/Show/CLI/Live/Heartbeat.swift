import Analysis
import Exports
import StateFile

/// Tells those who watch over a run that it goes on, and how: the service manager, and whoever reads the
/// file of `--status`.
final class Heartbeat {
  private let service: ServiceManager?
  private let file: StatusFile?
  private let standing: LiveStanding
  private let clock = ContinuousClock()
  private var isReady = false
  private var beats: PacketRate.Pace
  private var looks = PacketRate.Pace(every: .seconds(1))
  private var tellsAt: ContinuousClock.Instant
  private var problems: [String] = []
  /// What was seen last of the run.
  private var progress: AnalysisProgress?
  /// How old what is told gets.
  private static let pace = Duration.seconds(5)

  init(_ service: ServiceManager?, _ file: StatusFile?, _ standing: LiveStanding) {
    self.service = service
    self.file = file
    self.standing = standing
    // Three beats may be missed.
    beats = PacketRate.Pace(every: min(service?.patience ?? .seconds(5), .seconds(20)) / 4)
    tellsAt = clock.now
  }

  /// To be called some times a second, by what is to be alive.
  func beat(_ progress: AnalysisProgress) {
    guard service != nil || file != nil else { return }
    self.progress = progress
    if let service {
      if !isReady { isReady = service.tell("READY=1") }
      if service.patience != nil, beats.isDue() { service.tell("WATCHDOG=1") }
    }
    // Looked at more often than it is told: what goes wrong is told at once.
    guard looks.isDue() || clock.now >= tellsAt else { return }
    let health = standing.health(progress)
    guard clock.now >= tellsAt || health.problems != problems else { return }
    problems = health.problems
    tellsAt = clock.now + Self.pace
    let words = problems.isEmpty ? "" : problems.joined(separator: ", ") + "; "
    service?.tell("STATUS=" + words + health.status.line(200))
    tell(health) { file?.write($0) }
  }

  private func tell(_ health: LiveHealth, _ write: ([UInt8]) -> Void) {
    // Bytes in memory, which nobody refuses.
    if let bytes = try? health.json() { write(bytes) }
  }

  /// The run comes to its end.
  func end() { service?.tell("STOPPING=1") }

  /// It is over, and all is written.
  func finish() {
    guard let file, let progress else { return }
    tell(standing.health(progress, isRunning: false)) { file.finish($0) }
  }
}
