/// The parts of a progress line.
package enum ProgressText {
  /// `[#####.....]  50 %  `; nothing where the total is not known.
  package static func bar(_ done: Int64, of total: Int64?) -> String {
    guard let total, total > 0 else { return "" }
    let share = min(1, max(0, Double(done) / Double(total)))
    let filled = Int(share * 20)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
    return "[\(bar)] \(TextColumns.right("\(Int(share * 100))", 3)) %  "
  }

  /// 12 345 678 → 12.3 M.
  package static func count(_ number: Int) -> String {
    if number < 10_000 { return TextColumns.grouped(number) }
    if number < 1_000_000 { return "\(number / 1000) k" }
    return TextColumns.decimal(Double(number) / 1_000_000) + " M"
  }
}
