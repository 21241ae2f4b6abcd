import CaptureReader
import FrameDecoder
package import Beacons

/// When each advertiser was heard in a capture, by the capture's own clock: what clocks are compared by.
///
/// The order of its times is theirs, not the records': a clock may have stepped back.
package struct ArrivalLog: Sendable {
  /// The same event on several channels, and a scan response to it: one arrival. Advertising events are
  /// 20 ms apart at least (Core 5.4, Vol 6 B 4.4.2.2), and their packets 10 ms at most; sniffers that
  /// follow them hear these within some 2 ms.
  private static let sameEvent: Int64 = 4_000_000

  /// Nanoseconds, by advertiser, then by time.
  let times: [Int64]
  /// Where those of an advertiser lie, by its address.
  let places: [UInt64: Range<Int>]

  /// One of several captures that have this clock, by its place in the run: from the first to the last arrival.
  let captures: [(place: Int, span: ClosedRange<Int64>)]

  fileprivate init(_ parts: [(place: Int, rows: ArrivalRows)]) {
    captures = parts.compactMap { part in part.rows.span.map { (part.place, $0) } }
    var all: [Int64]
    let senders: [(advertiser: UInt64, range: Range<Int>)]
    (all, senders) = Self.byAdvertiser(parts.map(\.rows))
    var times: [Int64] = []
    times.reserveCapacity(all.count)
    var places: [UInt64: Range<Int>] = [:]
    for (advertiser, range) in senders {
      // A recorder's records come in the order of their times, nearly always.
      if range.dropFirst().contains(where: { all[$0] < all[$0 - 1] }) { all[range].sort() }
      let start = times.count
      for place in range
      where times.count == start || all[place] - times[times.count - 1] > Self.sameEvent {
        times.append(all[place])
      }
      places[advertiser] = start..<times.count
    }
    (self.times, self.places) = (times, places)
    (first, last) = (times.min() ?? 0, times.max() ?? 0)
    var busy: Set<Int64> = []
    var latest: Int64?
    for time in times where latest != time / Self.busyWhile {
      latest = time / Self.busyWhile
      busy.insert(time / Self.busyWhile)
    }
    busyWhiles = busy.count
  }

  /// The times of each, in the order in which they were recorded, and where they lie; by ascending addresses.
  private static func byAdvertiser(_ parts: [ArrivalRows])
    -> (times: [Int64], senders: [(advertiser: UInt64, range: Range<Int>)])
  {
    var numbers: [UInt64: Int] = [:]
    var counts: [(advertiser: UInt64, count: Int)] = []
    var numbersOfRows: [UInt32] = []
    numbersOfRows.reserveCapacity(parts.reduce(0) { $0 + $1.rows.count })
    for part in parts {
      for row in part.rows {
        let number = numbers[row.advertiser] ?? counts.count
        if number == counts.count {
          numbers[row.advertiser] = number
          counts.append((row.advertiser, 0))
        }
        counts[number].count += 1
        numbersOfRows.append(UInt32(number))
      }
    }
    var next = Array(repeating: 0, count: counts.count)
    var senders: [(advertiser: UInt64, range: Range<Int>)] = []
    var end = 0
    for number in counts.indices.sorted(by: { counts[$0].advertiser < counts[$1].advertiser }) {
      next[number] = end
      senders.append((counts[number].advertiser, end..<(end + counts[number].count)))
      end += counts[number].count
    }
    var times = Array(repeating: Int64(0), count: end)
    var place = 0
    for part in parts {
      for row in part.rows {
        let number = Int(numbersOfRows[place])
        times[next[number]] = row.time
        next[number] += 1
        place += 1
      }
    }
    return (times, senders)
  }

  /// Ten minutes.
  private static let busyWhile: Int64 = 600_000_000_000
  /// In how many of them anybody was heard: what was recorded, without the days between.
  let busyWhiles: Int

  /// Of times in nanoseconds by advertiser, for tests.
  package init(_ heard: [UInt64: [Int64]]) { self.init(captures: [(0, heard)]) }

  /// The same of several captures.
  package init(captures: [(place: Int, heard: [UInt64: [Int64]])]) {
    self.init(
      captures.map { capture in
        var rows = ArrivalRows()
        for (advertiser, times) in capture.heard {
          for time in times { rows.add(advertiser, time) }
        }
        return (capture.place, rows)
      })
  }

  var count: Int { times.count }

  /// Of all, in nanoseconds.
  let first: Int64
  let last: Int64

  /// From the first to the last of all, in nanoseconds.
  var length: Int64 { last.addingWithin(-first) }

  /// Of an advertiser's the first that is not before a time; the end where there is none.
  func first(in range: Range<Int>, from time: Int64) -> Int {
    range.bisected(by: { times[$0] >= time })
  }
}

/// Arrivals as they come, of one capture.
private struct ArrivalRows: Sendable {
  private(set) var rows: [(advertiser: UInt64, time: Int64)] = []

  /// Between the years 1839 and 2101: of any two the difference is a number, and so is what is near it. A
  /// clock outside of these is no clock.
  private static let limit = Int64.max / 20 * 9

  mutating func add(_ advertiser: UInt64, _ time: Int64) {
    if time > -Self.limit && time < Self.limit { rows.append((advertiser, time)) }
  }

  var span: ClosedRange<Int64>? {
    guard var (least, most) = rows.first.map({ ($0.time, $0.time) }) else { return nil }
    for row in rows { (least, most) = (min(least, row.time), max(most, row.time)) }
    return least...most
  }

  mutating func keep(_ isKept: (UInt64) -> Bool) { rows.removeAll { !isKept($0.advertiser) } }
}

/// When whom was heard, in each capture of a run; of too many advertisers only some, the same ones of all.
package struct Arrivals: Sendable {
  /// By place of the capture.
  private var captures: [ArrivalRows]
  private var count = 0
  /// Of advertisers only every 2^thinning-th is kept, the same ones in all captures: then there are too many to
  /// keep.
  private var thinning: UInt64 = 0
  private var mayThin = true
  private let most: Int
  private let leastAdvertisers: Int

  /// - Parameters:
  ///   - most: arrivals that are kept, of 16 bytes each, as long as advertisers are left to go without.
  ///   - leastAdvertisers: fewer than these are not left.
  init(captures: Int, most: Int, leastAdvertisers: Int) {
    self.captures = Array(repeating: ArrivalRows(), count: captures)
    (self.most, self.leastAdvertisers) = (most, leastAdvertisers)
  }

  /// More than can be kept, of those that have to be.
  var areTooMany: Bool { count > most && !mayThin }

  /// To be followed by `limit()` after some.
  mutating func add(_ advertiser: UInt64, _ time: Int64, capture: Int) {
    guard Self.isKept(advertiser, thinning) else { return }
    while captures.count <= capture { captures.append(ArrivalRows()) }
    captures[capture].add(advertiser, time)
    count += 1
  }

  mutating func limit() { while count > most, mayThin { thin() } }

  private mutating func thin() {
    let thinning = thinning + 1
    var left: Set<UInt64> = []
    for capture in captures {
      for row in capture.rows where Self.isKept(row.advertiser, thinning) {
        left.insert(row.advertiser)
      }
    }
    // Those who are heard so often are kept, all of them: without them nothing could be compared.
    guard left.count >= leastAdvertisers else {
      mayThin = false
      return
    }
    self.thinning = thinning
    for place in captures.indices { captures[place].keep { Self.isKept($0, thinning) } }
    count = captures.reduce(0) { $0 + $1.rows.count }
  }

  private static func isKept(_ advertiser: UInt64, _ thinning: UInt64) -> Bool {
    // The upper bits of a multiplicative hash (Knuth, TAOCP 3, 6.4).
    thinning == 0 || (advertiser &* 0x9E37_79B9_7F4A_7C15) >> (64 - thinning) == 0
  }

  func logs(_ clocks: [ComparedClock]) -> [ArrivalLog] {
    clocks.map { clock in
      ArrivalLog(clock.captures.filter { $0 < captures.count }.map { ($0, captures[$0]) })
    }
  }
}

/// Collects when whom was heard, of each capture of a run. A class: it is asked while the run still has it.
package final class ArrivalSink: FindingSink {
  private var arrivals = Arrivals(captures: 0, most: 1 << 24, leastAdvertisers: 16)

  package init() {}

  package func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    for place in sightings.indices {
      let sighting = sightings[place]
      guard sighting.time.isKnown, sighting.address.isPresent else { continue }
      arrivals.add(sighting.address.address, sighting.time.nanoseconds, capture: capture.place)
    }
    arrivals.limit()
  }

  package func pause() {}

  package func logs(_ clocks: [ComparedClock]) -> [ArrivalLog] { arrivals.logs(clocks) }
}
