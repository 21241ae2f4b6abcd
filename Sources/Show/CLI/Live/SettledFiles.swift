import CaptureWriter
import Exports

/// The files that a run reads when it begins and never again: who changes one and sends SIGHUP is told that.
struct SettledFiles {
  private let files: [(path: String, stamp: [Int]?)]

  /// To be made before they are read.
  init(_ paths: [String]) {
    // What is no file has nothing that could be compared.
    files = paths.filter { !DiskFile.isStream($0) }.map { ($0, DiskFile.stamp(of: $0)) }
  }

  /// What there is to say on SIGHUP; nil: all are as they were.
  var remark: String? {
    let changed = files.filter { DiskFile.stamp(of: $0.path) != $0.stamp }.map {
      TextColumns.printable($0.path)
    }
    guard !changed.isEmpty else { return nil }
    let (have, are, say) =
      changed.count == 1 ? ("has", "It is", "it says") : ("have", "They are", "they say")
    return
      "\(changed.joined(separator: ", ")) \(have) changed. \(are) read when a run begins, and not on SIGHUP: "
      + "start the run again for what \(say) now."
  }
}
