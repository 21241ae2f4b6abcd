/// Deadlines, earliest first; of those at one instant the one with the smallest number. One that has
/// been put off since stays where it is and is put back when its turn comes: that costs nothing here.
package struct DeadlineHeap<Number: Comparable & BitwiseCopyable & Sendable>: Sendable {
  package struct Entry: BitwiseCopyable, Sendable {
    package let due: Int64
    /// What is due.
    package let number: Number

    package init(due: Int64, number: Number) {
      self.due = due
      self.number = number
    }

    @inline(__always)
    static func < (a: Entry, b: Entry) -> Bool { (a.due, a.number) < (b.due, b.number) }
  }

  private var entries: [Entry] = []

  package init() {}

  package var first: Entry? { entries.first }

  package var count: Int { entries.count }

  /// `Int64.max` where there is none.
  package var nextDue: Int64 { entries.first?.due ?? .max }

  package mutating func removeAll(where isGone: (Entry) -> Bool) {
    entries.removeAll(where: isGone)
    // What is in order is a heap.
    entries.sort { $0 < $1 }
  }

  package mutating func push(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes out the first one; there must be one.
  @discardableResult
  package mutating func pop() -> Entry {
    entries.swapAt(0, entries.count - 1)
    let first = entries.removeLast()
    var place = 0
    while true {
      let (left, right) = (2 * place + 1, 2 * place + 2)
      var least = place
      if left < entries.count, entries[left] < entries[least] { least = left }
      if right < entries.count, entries[right] < entries[least] { least = right }
      if least == place { return first }
      entries.swapAt(place, least)
      place = least
    }
  }
}
