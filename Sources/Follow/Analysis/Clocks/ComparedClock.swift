/// A clock that is compared with others: that of a capture, or of an observer that wrote several.
package struct ComparedClock: Sendable {
  /// Of the capture, or of the observer where that is known.
  package let name: String
  /// By place in the run; at least one.
  package fileprivate(set) var captures: [Int]

  /// That of one capture alone.
  init(name: String, capture: Int) { (self.name, captures) = (name, [capture]) }

  private init(name: String, captures: [Int]) { (self.name, self.captures) = (name, captures) }

  /// In the order of their first captures.
  /// - Parameter observers: by place of the capture, who wrote it together with others.
  package static func all(_ captures: [String], observers: [Int: String]) -> [ComparedClock] {
    var clocks: [ComparedClock] = []
    var known: [String: Int] = [:]
    for (place, capture) in captures.enumerated() {
      let observer = observers[place]
      if let clock = observer.flatMap({ known[$0] }) {
        clocks[clock].captures.append(place)
        continue
      }
      if let observer { known[observer] = clocks.count }
      clocks.append(ComparedClock(name: observer ?? capture, captures: [place]))
    }
    return clocks
  }
}

/// How the clocks of a run go by one another.
package struct ClocksCompared: Sendable {
  package let clocks: [ComparedClock]
  package let comparison: ClockComparison
  /// Addresses that two devices send from, as receivers whose clocks are known by one another tell.
  package let doubled: [DoubledAddress]
}
