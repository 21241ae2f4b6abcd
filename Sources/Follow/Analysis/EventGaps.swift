/// A beacon's gaps between advertising events, told from those inside one.
///
/// The packets of an event begin up to 10 ms apart (Core, Vol 6 Part B 4.4.2), so that from its first channel to its
/// last there may be 20 ms where the packet between them was lost. Events begin 20 ms apart at least, and a gap
/// from the last packet of one to the first of the next is shorter than that by as much as events are long.
struct EventGaps {
  /// From the last packet of an event to the first one of the next, ascending.
  let counts: ArraySlice<(bucket: Int, count: Int)>
  let total: Int
  /// From the first packet of an event that was heard to its last, in the mean, nanoseconds.
  let length: Double

  /// Gaps from there on are an interval's, or those below are a part of it, nanoseconds.
  private static let clearlyLonger = 28e6

  init(_ gaps: Distribution) {
    let first = Self.first(gaps)
    counts = gaps.counts[first...]
    var (total, inside) = (gaps.total, gaps.inside)
    for (bucket, count) in gaps.counts[..<first] {
      total -= count
      inside += count * Int(GapScale.middle(bucket))
    }
    self.total = total
    // Each owner has an event more than gaps. What is longer than events can be is something else: many
    // senders that nobody can tell apart.
    let mean = Double(inside) / Double(max(1, total + gaps.owners))
    length = mean <= GapScale.longestEvent ? mean : 0
  }

  /// Place of the first gap that is not from the first to the last channel of an event.
  ///
  /// No interval is as short as those are, and an event has one of them at most. Where they are so long that an interval
  /// may be as short, half of them is as common: what is heard where the packet between was not lost.
  private static func first(_ gaps: Distribution) -> Int {
    let counts = gaps.counts
    guard let shortest = counts.first, shortest.bucket < GapScale.beyondEvents else {
      return counts.startIndex
    }
    var place = counts.startIndex
    var (short, doubtful) = (0, 0)
    while place < counts.endIndex, counts[place].bucket < GapScale.leastInterval {
      short += counts[place].count
      place += 1
    }
    var end = place
    while end < counts.endIndex, counts[end].bucket < GapScale.beyondEvents {
      doubtful += counts[end].count
      end += 1
    }
    if doubtful > 0, gaps.halves >= short + doubtful {
      place = end
      short += doubtful
    }
    let rest = gaps.total - short
    guard short > 0, short <= rest + gaps.owners,
      let least = GapScale.quantile(0.1, counts[place...], of: rest), least >= clearlyLonger
    else { return counts.startIndex }
    return place
  }
}
