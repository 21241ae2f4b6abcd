/// Who advertises next: a heap by time, then by number, so that ties always fall the same way.
struct Schedule: Sendable {
  struct Turn: Sendable {
    /// Nanoseconds since the start.
    var time: Int64
    let number: Int32

    static func < (a: Turn, b: Turn) -> Bool { (a.time, a.number) < (b.time, b.number) }
  }
  private var heap: [Turn] = []

  var next: Turn? { heap.first }

  mutating func add(_ turn: Turn) {
    heap.append(turn)
    var place = heap.count - 1
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// The first one's next turn; nil takes it out.
  mutating func reschedule(_ time: Int64?) {
    if let time {
      heap[0].time = time
    } else {
      let last = heap.removeLast()
      if heap.isEmpty { return }
      heap[0] = last
    }
    var place = 0
    while true {
      var least = place
      let (left, right) = (2 * place + 1, 2 * place + 2)
      if left < heap.count && heap[left] < heap[least] { least = left }
      if right < heap.count && heap[right] < heap[least] { least = right }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
