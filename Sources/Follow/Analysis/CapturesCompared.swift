import Beacons
import CaptureReader
import FrameDecoder

/// What the captures of a run are compared by: whether they hold the same packets, and how their clocks go by one
/// another.
struct CapturesCompared {
  private var samples: [UInt32: PacketSample] = [:]
  private var arrivals: Arrivals?

  /// 32 MB.
  private static let mostArrivals = 1 << 21
  private static let leastAdvertisers = 4
  /// Pairs of clocks that have nothing in common take longest, and of many captures there are many.
  private static let mostFruitless = 32

  init(captures: Int, clocks: Bool) {
    guard clocks, captures > 1 else { return }
    arrivals = Arrivals(
      captures: captures, most: Self.mostArrivals, leastAdvertisers: Self.leastAdvertisers)
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
    guard !samples.isEmpty else { return }
    SharedPackets.mark(&result.captures, places.map { samples[$0] ?? PacketSample() })
    guard let arrivals, result.heardByClocksOfTheirOwn else { return }
    let clocks = ComparedClock.all(result.captureNames, observers: observers)
    let comparison = ClockComparison(
      arrivals.logs(clocks), against: nil, mostFruitless: Self.mostFruitless)
    result.clocks = ClocksCompared(clocks: clocks, comparison: comparison)
  }
}
