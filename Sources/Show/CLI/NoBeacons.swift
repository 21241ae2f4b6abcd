import Analysis
import Exports

/// Where a command has nothing to print, as nobody sent a beacon: what there was.
enum NoBeacons {
  /// - Parameter result: of a run without keys of devices, and without decoders of rules.
  static func tell(_ result: AnalysisResult) {
    guard let first = result.captures.first else { return }
    let all = result.captures.map(\.accounting)
    let reports = all.reduce(0) { $0 + $1.reports }
    guard all.allSatisfy({ $0.otherReports == $0.reports }) else { return }
    let names = result.captures.count == 1 ? ShellWord.quoted(first.name) : "CAPTURE…"
    Terminal.tell(
      reports == 0
        ? "beacontrace: no advertising report was found: \(TextColumns.printable("'beacontrace info \(names)'")) "
          + "says what there is."
        : "beacontrace: no beacon was heard: \(TextColumns.counted(reports, "advertising report")) "
          + "\(reports == 1 ? "is" : "are") of others. "
          + "\(TextColumns.printable("'beacontrace devices --each \(names)'")) lists who sent them."
    )
  }
}
