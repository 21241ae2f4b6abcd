import Analysis
import CaptureReader
import FrameDecoder

/// Frames that are not as the others of their capture: they may have been put in, or changed.
extension Remarks {
  static func unlikeTheRest(_ facts: CaptureFacts) -> [Remark] {
    checksums(facts) + lossCounter(facts)
  }

  /// Where one in ten is like that, it is how the recorder writes them.
  private static let mostUnlike = 10

  private static func checksums(_ facts: CaptureFacts) -> [Remark] {
    let reports = facts.accounting.classes.first { $0.kind == .advertising }?.records ?? 0
    guard
      let entry = facts.accounting.warnings.first(where: {
        $0.code.rawValue == "crc_flag_disagrees"
      }),
      entry.count * mostUnlike <= reports
    else { return [] }
    let isOne = entry.count == 1
    return [
      Remark(
        "crc_flag_disagrees", capture: facts.name,
        "\(TextColumns.counted(entry.count, "packet")) of \(TextColumns.grouped(reports)) (first frame "
          + "\(TextColumns.grouped(entry.firstFrame))) \(isOne ? "has" : "have") a wrong checksum, and "
          + "\(isOne ? "its header says" : "their headers say") that it was checked and right, as the others' is: "
          + "\(isOne ? "it was" : "they were") damaged, changed or put in behind the radio. "
          + "\(isOne ? "It is" : "They are") read all the same.")
    ]
  }

  private static func lossCounter(_ facts: CaptureFacts) -> [Remark] {
    guard let entry = facts.accounting.warnings.first(where: { $0.code == .lossCounterFalls })
    else {
      return []
    }
    let times = entry.count == 1 ? "falls" : "falls \(TextColumns.grouped(entry.count)) times"
    return [
      Remark(
        entry.code.rawValue, capture: facts.name,
        "its counter of lost packets \(times) (first at frame \(TextColumns.grouped(entry.firstFrame)): "
          + "\(entry.detail)), which it cannot while one recording goes on: parts of several were put "
          + "together, frames were put in, or its recorder does not count as btsnoop has it. What was lost is added up as "
          + "if it had begun anew each time, and may be less.")
    ]
  }
}
