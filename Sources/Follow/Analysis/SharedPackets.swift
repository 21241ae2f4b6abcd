import Beacons
import CaptureReader

/// A sample of a capture's sightings: always the same of the same packets, so that two captures that hold
/// the same ones have the same samples of these (the smallest hashes, MinHash).
struct PacketSample: Sendable {
  private var hashes: [UInt64] = []
  /// Larger ones are in no sample any more.
  private var limit = UInt64.max

  /// Of a capture a hundred times as long there are still ten to compare.
  private static let most = 1024

  /// Time, in the microseconds that every container has, and signal: two radios hardly ever have both in
  /// common.
  mutating func add(_ sightings: Span<BriefSighting>) {
    for place in sightings.indices where sightings[place].time.isKnown {
      let time = UInt64(bitPattern: sightings[place].time.nanoseconds / 1000)
      let signal = UInt64(UInt8(bitPattern: sightings[place].rssi))
      let hash = Self.mixed(time &* 256 &+ signal)
      guard hash < limit else { continue }
      hashes.append(hash)
      if hashes.count == 2 * Self.most { shorten() }
    }
  }

  /// The finaliser of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  private mutating func shorten() {
    hashes = Array(Set(hashes)).sorted()
    guard hashes.count > Self.most else { return }
    hashes.removeSubrange(Self.most...)
    limit = hashes[Self.most - 1]
  }

  /// In order, and up to where they are complete.
  var complete: (hashes: [UInt64], limit: UInt64) { (Array(Set(hashes)).sorted(), limit) }
}

/// Captures that hold packets of others: parts and copies, whatever their names and forms.
enum SharedPackets {
  /// Fewer may be chance.
  private static let least = 5
  /// Of the sample of the smaller one. Radios side by side have a few in common by chance.
  private static let leastShare = 0.5

  /// Says of each capture which earlier one it shares most with.
  static func mark(_ captures: inout [CaptureFacts], _ samples: [PacketSample]) {
    let samples = samples.map(\.complete)
    var holders: [UInt64: [Int]] = [:]
    for (place, sample) in samples.enumerated() {
      var shared: [Int: Int] = [:]
      for hash in sample.hashes {
        for other in holders[hash] ?? [] where hash <= samples[other].limit {
          shared[other, default: 0] += 1
        }
        holders[hash, default: []].append(place)
      }
      let found = shared.compactMap { other, count -> (other: Int, share: Double)? in
        guard count >= least else { return nil }
        let limit = min(sample.limit, samples[other].limit)
        let fewer = min(
          sample.hashes.count { $0 <= limit }, samples[other].hashes.count { $0 <= limit })
        let share = Double(count) / Double(fewer)
        return share >= leastShare ? (other, share) : nil
      }
      let best = found.max { ($0.share, $1.other) < ($1.share, $0.other) }
      captures[place].sharing = best.map { (captures[$0.other].name, $0.share) }
    }
  }
}
