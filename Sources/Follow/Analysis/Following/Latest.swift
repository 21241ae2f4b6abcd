/// The latest of what comes, as many as there is room for; the others are counted.
struct Latest<Element> {
  private(set) var elements: [Element] = []
  /// How many that came earlier are not kept.
  private(set) var forgotten = 0
  private let most: Int?

  /// - Parameter most: nil: all are kept. Twice as many lie here for a while, so that room is not made
  ///   for each.
  init(most: Int?) { self.most = most }

  /// How many there have been.
  var count: Int { forgotten + elements.count }

  mutating func append(_ element: Element) {
    elements.append(element)
    if let most, elements.count > 2 * max(most, 1) { trim() }
  }

  mutating func append(contentsOf others: [Element]) {
    for element in others { append(element) }
  }

  /// Forgets what there is no room for.
  mutating func trim() {
    guard let most, elements.count > most else { return }
    forgotten += elements.count - most
    elements.removeFirst(elements.count - most)
  }
}
