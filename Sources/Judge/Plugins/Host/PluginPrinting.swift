import CaptureReader

// What a plugin prints, and what is said of that.
extension Plugin {
  func print(_ line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    if let printed { return printed(text) }
    let left = printing.leftOut
    guard printing.takes(line.count, at: now) else { return }
    if left > 0 { tell("\(file.name): \(PrintBudget.sentence(left))") }
    tell("\(file.name): \(text)")
  }

  /// Lines that were printed last and left out: nothing comes behind them that could say so.
  func tellLeftOut() {
    let lines = printing.takeLeftOut()
    if lines > 0 { tell("\(file.name): \(PrintBudget.sentence(lines))") }
  }
}
