import Analysis
import CaptureReader

extension Remarks {
  /// Positions of a capture that are none.
  static func positions(_ facts: CaptureFacts) -> [Remark] {
    let entries = facts.accounting.warnings.filter { reasons[$0.code.rawValue] != nil }
    guard let first = entries.map(\.firstFrame).min() else { return [] }
    let words = entries.map {
      "\(TextColumns.grouped($0.count)) \(reasons[$0.code.rawValue] ?? "")"
    }
    let count = entries.reduce(0) { $0 + $1.count }
    return [
      Remark(
        "positions_left_out", capture: facts.name,
        "\(TextColumns.counted(count, "position was", "positions were")) left out\(count == 1 ? "" : ", the first")"
          + " in frame \(TextColumns.grouped(first)): \(words.joined(separator: ", ")).")
    ]
  }

  private static let reasons = [
    "gps_value_out_of_range": "beyond ±90° of latitude or ±180° of longitude",
    "position_zero": "at exactly 0°, 0°, which receivers write that have no fix",
    "position_without_fix": "flagged as no fix by the receiver",
  ]
}
