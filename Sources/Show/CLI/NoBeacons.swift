import Analysis
import Beacons
import CaptureReader
import Exports

/// Where a command has nothing to print, as nobody sent a beacon: what there was.
enum NoBeacons {
  /// - Parameter result: of a run without keys of devices, and without decoders of rules.
  static func tell(_ result: AnalysisResult) {
    guard let first = result.captures.first else { return }
    let all = result.captures.map(\.accounting)
    let reports = all.reduce(0) { $0 + $1.reports }
    guard all.allSatisfy({ $0.otherReports == $0.reports }) else { return }
    // What came through a pipe is gone.
    let isFile = result.captures.count == 1 && InputList.size(of: first.name) != nil
    let names = TextColumns.printable(isFile ? ShellWord.quoted(first.name) : "CAPTURE")
    let reasons = BeaconReason.names.map { "\($0)" }
    let isMalformed = all.contains { $0.warnings.contains { reasons.contains($0.code.rawValue) } }
    let counted = TextColumns.counted(reports, "advertising report")
    Terminal.tell(
      reports == 0
        ? "beacontrace: no advertising report was found. What there is: beacontrace info \(names)"
        : isMalformed
          ? "beacontrace: no beacon could be read out of \(counted): there are malformed ones. Which: beacontrace info "
            + names
          : "beacontrace: no beacon was heard, in \(counted). Who sent them: beacontrace devices --each \(names)"
    )
  }
}
