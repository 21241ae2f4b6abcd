import Analysis
import Exports

/// A line on the terminal's standard error while reading takes longer than half a second: how much
/// is done, how fast, how long it will take. Silent when piped.
///
/// Lines that come out while reading goes on and reach the terminal, too, would be torn by it: there
/// it is not wanted.
struct Progress {
  private let totalBytes: Int64?
  private let isOn: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var shown: ContinuousClock.Instant?

  init(totalBytes: Int64?, isWanted: Bool) {
    self.totalBytes = totalBytes
    isOn = Terminal.errorIsTerminal && isWanted
    start = clock.now
  }

  mutating func update(_ progress: AnalysisProgress) {
    guard isOn else { return }
    let now = clock.now
    let last = shown ?? start
    guard now - last > (shown == nil ? .milliseconds(500) : .milliseconds(200)) else { return }
    shown = now
    let elapsed = Self.seconds(now - start)
    let rate = Double(progress.records) / elapsed
    var line = "\(ProgressText.bar(progress.bytesRead, of: totalBytes))"
    let records = progress.records == 1 ? "record" : "records"
    line += "\(ProgressText.count(progress.records)) \(records), "
    line += "\(ProgressText.count(Int(rate)))/s"
    if let totalBytes, progress.bytesRead > 0 {
      let left =
        elapsed * Double(max(0, totalBytes - progress.bytesRead))
        / Double(progress.bytesRead)
      line += ", \(Int(left.rounded(.up))) s left"
    }
    Terminal.tellInPlace(line)
  }

  /// Takes the line away.
  mutating func finish() {
    if shown != nil { Terminal.tellInPlace("") }
    shown = nil
  }

  private static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }
}
