import Analysis

/// What observers are called where there is little room: each as it would be by itself, but no two alike.
/// Of those that would be, what they have in common at the beginning is left out.
struct ObserverLabels {
  private let width: Int
  private var labels: [String: String] = [:]

  /// - Parameters:
  ///   - names: all observers' of a run.
  ///   - width: columns of the widest.
  init(_ names: [String], _ width: Int) {
    self.width = width
    for name in Set(names) { labels[name] = TextFit.observer(name, width) }
    for group in alike() { tellApart(group) }
    // Where there is no room for what differs.
    for group in alike() {
      for (place, name) in group.enumerated() {
        let number = "#\(place + 1)"
        labels[name] = TextFit.cut(labels[name] ?? "", width - number.columns) + number
      }
    }
  }

  init(_ timeline: Timeline, _ width: Int) { self.init(timeline.observers.map(\.name), width) }

  subscript(name: String) -> String { labels[name] ?? TextFit.observer(name, width) }

  /// Names with one label, by name.
  private func alike() -> [[String]] {
    Dictionary(grouping: labels.keys) { labels[$0] ?? "" }.values.filter { $0.count > 1 }
      .map { $0.sorted() }
  }

  /// By what begins with the first difference.
  private mutating func tellApart(_ names: [String]) {
    let texts = names.map { Array(TextColumns.printable($0)) }
    let common = Self.common(texts)
    let start = Self.wordStart(texts[0], common, most: width / 4)
    for (name, text) in zip(names, texts) { labels[name] = label(text, from: start) }
    let left = Dictionary(grouping: names) { labels[$0] ?? "" }.values.filter {
      $0.count > 1 && $0.count < names.count
    }
    for group in left { tellApart(group.sorted()) }
  }

  /// Some of the beginning, the difference, and some of the end where there is room for all of it.
  private func label(_ text: [Character], from start: Int) -> String {
    let rest = String(text[start...])
    let head = String(text[..<start]).prefix(columns: width / 4)
    let room = width - head.columns - 1
    guard rest.columns > room else { return head + "…" + rest }
    let tail = min(room / 3, 8)
    return head + "…" + rest.prefix(columns: room - tail - 1) + "…" + rest.suffix(columns: tail)
  }

  /// How many characters all begin with.
  private static func common(_ texts: [[Character]]) -> Int {
    let shortest = texts.map(\.count).min() ?? 0
    return (0..<shortest).first { place in texts.contains { $0[place] != texts[0][place] } }
      ?? shortest
  }

  /// Where the word begins in which a place is, unless that is too far before it.
  private static func wordStart(_ text: [Character], _ place: Int, most: Int) -> Int {
    var start = place
    while start > 0, text[start - 1].isLetter || text[start - 1].isNumber { start -= 1 }
    return place - start > most ? place : start
  }
}
