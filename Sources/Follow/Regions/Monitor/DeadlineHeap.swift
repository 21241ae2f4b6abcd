/// The deadlines of one observer, earliest first. One that has been put off since stays where it is
/// and is put back when its turn comes: a match then costs nothing here.
struct DeadlineHeap: Sendable {
  struct Entry: BitwiseCopyable, Sendable {
    /// Decided as soon as the clock is later than that.
    let due: Int64
    /// Index of the state.
    let state: UInt32

    @inline(__always)
    static func < (a: Entry, b: Entry) -> Bool { (a.due, a.state) < (b.due, b.state) }
  }

  private var entries: [Entry] = []

  /// `Int64.max` where there is none.
  var nextDue: Int64 { entries.first?.due ?? .max }

  mutating func push(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes out the first one; there must be one.
  mutating func pop() -> Entry {
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
