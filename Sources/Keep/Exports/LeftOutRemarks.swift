import Analysis
import CaptureReader

extension Remarks {
  private static let mostMissing = 5

  /// Copies, byte for byte, of what is read; and receivers' folders of which nothing is: a handful, and how many more
  /// there are.
  static func leftOut(_ result: AnalysisResult) -> [Remark] {
    let copies = result.passedOver.filter { $0.code == .sameCapture }
    let missing = result.passedOver.filter { $0.code == .receiverMissing }
    var remarks = copies.map {
      Remark("same_capture", capture: $0.capture, of: .two, "\($0.capture) \($0.detail).")
    }
    remarks += missing.prefix(mostMissing).map {
      Remark("receiver_missing", "\($0.capture) \($0.detail).")
    }
    let more = missing.count - mostMissing
    if more > 0 {
      remarks.append(
        Remark(
          "receiver_missing",
          "\(TextColumns.counted(more, "more folder")) without a capture that could be read."))
    }
    return remarks
  }
}
