import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// What the captures of a run are compared by: whether they hold the same packets, and how their clocks go by one
/// another.
struct CapturesCompared {
  private var samples: [UInt32: PacketSample] = [:]
  /// By place of the capture; none where nobody compares them.
  private var signals: [SignalSample] = []
  private var arrivals: Arrivals?

  /// 32 MB.
  private static let mostArrivals = 1 << 21
  private static let leastAdvertisers = 4
  /// Pairs of clocks that have nothing in common take longest, and of many captures there are many.
  private static let mostFruitless = 32

  /// - Parameter signals: whether signals are compared, also with those of another run.
  init(captures: Int, clocks: Bool, signals: Bool) {
    if signals { self.signals = Array(repeating: SignalSample(), count: captures) }
    guard clocks, captures > 1 else { return }
    arrivals = Arrivals(
      captures: captures, most: Self.mostArrivals, leastAdvertisers: Self.leastAdvertisers)
  }

  mutating func add(_ sightings: Span<BriefSighting>, capture: UInt32) {
    if !signals.isEmpty { signals[Int(capture)].add(sightings) }
  }

  /// - Parameter transmitter: one of the run, by its number in the capture.
  mutating func add(
    _ sightings: Span<BriefSighting>, capture: UInt32, transmitter: (UInt32) -> Transmitter
  ) {
    samples[capture, default: PacketSample()].add(sightings, transmitter: transmitter)
    guard arrivals != nil else { return }
    for place in sightings.indices where sightings[place].time.isKnown {
      let address = transmitter(sightings[place].transmitter).address
      guard address.isPresent else { continue }
      arrivals?.add(address.address, sightings[place].time.nanoseconds, capture: Int(capture))
    }
    arrivals?.limit()
    if arrivals?.areTooMany == true { arrivals = nil }
  }

  /// Says of the captures what they have in common.
  /// - Parameter places: of the result's captures.
  func mark(_ result: inout AnalysisResult, places: [UInt32], observers: [Int: String]) {
    let signals = signals.isEmpty ? [] : places.map { self.signals[Int($0)] }
    result.signals = signals
    if !samples.isEmpty {
      SharedPackets.mark(&result.captures, places.map { samples[$0] ?? PacketSample() })
    }
    if !signals.isEmpty { RepeatedSignals.mark(&result.captures, signals) }
    if let arrivals { Self.markOverlaps(&result.captures, places, observers, arrivals) }
    guard let arrivals, result.heardByClocksOfTheirOwn else { return }
    let clocks = ComparedClock.all(result.captureNames, observers: observers)
    let logs = arrivals.logs(clocks)
    let comparison = ClockComparison(logs, against: nil, mostFruitless: Self.mostFruitless)
    let throughout = Set(
      result.captures.indices.filter {
        result.captures[$0].observers.allSatisfy(Self.listensThroughout)
      }.map { Int(places[$0]) })
    let doubled = DoubledAddresses.all(comparison, logs) {
      clocks[$0].captures.allSatisfy(throughout.contains)
    }
    result.clocks = ClocksCompared(clocks: clocks, comparison: comparison, doubled: doubled)
  }

  /// A sniffer has no scans, and listens all the time.
  private static func listensThroughout(_ observer: ObserverFacts) -> Bool {
    guard observer.listened > 0, observer.firstReport.isKnown, observer.lastReport.isKnown else {
      return true
    }
    let length = observer.lastReport.nanoseconds.since(observer.firstReport.nanoseconds)
    return Double(observer.listened) >= nearlyAll * Double(length)
  }
  private static let nearlyAll = 0.9

  private static let mostOverlaps = 8

  /// Captures of one observer are one clock's and not compared with one another; where two are of the same
  /// time, and neither holds a part of the other, they may be of two radios.
  private static func markOverlaps(
    _ captures: inout [CaptureFacts], _ places: [UInt32], _ observers: [Int: String],
    _ arrivals: Arrivals
  ) {
    var latest: [String: Int] = [:]
    var left = mostOverlaps
    let inOrder = captures.indices.filter { captures[$0].span.earliest.isKnown }
      .sorted { captures[$0].span.earliest.nanoseconds < captures[$1].span.earliest.nanoseconds }
    for number in inOrder {
      guard let observer = observers[Int(places[number])] else { continue }
      guard let before = latest[observer] else {
        latest[observer] = number
        continue
      }
      let span = (captures[before].span, captures[number].span)
      if span.1.latest.nanoseconds > span.0.latest.nanoseconds { latest[observer] = number }
      let end = min(span.0.latest.nanoseconds, span.1.latest.nanoseconds)
      guard end.since(span.1.earliest.nanoseconds) > leastOverlap, left > 0,
        !captures[number].shares(with: captures[before])
      else { continue }
      left -= 1
      let clocks = [before, number].map {
        ComparedClock(name: captures[$0].name, capture: Int(places[$0]))
      }
      let comparison = ClockComparison(arrivals.logs(clocks), against: 0)
      if let piece = comparison.groups.first?.captures.first?.track.main {
        captures[number].overlapping = (captures[before].name, piece.ahead, piece.packets)
      }
    }
  }

  /// Nanoseconds; rotated logs overlap for a moment.
  private static let leastOverlap: Int64 = 1_000_000_000
}
