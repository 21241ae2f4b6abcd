import Beacons
import CaptureReader
import FrameDecoder

/// A sample of a capture's sightings: always the same of the same packets, so that two captures that hold
/// the same ones have the same samples of these.
struct PacketSample: Sendable {
  struct Packet: HashedRow {
    /// Of its time and signal.
    let hash: UInt64
    /// Of its sender.
    let sender: UInt64
    /// Microseconds.
    let time: Int64

    func comes(before other: Self) -> Bool { (hash, sender) < (other.hash, other.sender) }
    func isRepeat(of other: Self) -> Bool { hash == other.hash && sender == other.sender }
  }

  /// Of a capture a hundred times as long there are still ten to compare.
  private var packets = SmallestHashes<Packet>(most: 1024)

  /// Time, in the microseconds that every container has, and signal: two radios hardly ever have both in
  /// common of one beacon. Radios that hear others at the same moments may, so of the few that are
  /// sampled the sender counts, too.
  /// - Parameter transmitter: one of the run, by its number in the capture.
  mutating func add(
    _ sightings: Span<BriefSighting>, transmitter: (UInt32) -> Transmitter
  ) {
    for place in sightings.indices where sightings[place].time.isKnown {
      let time = sightings[place].time.nanoseconds / 1000
      let signal = UInt64(UInt8(bitPattern: sightings[place].rssi))
      let hash = SplitMix.mixed(UInt64(bitPattern: time) &* 256 &+ signal)
      guard hash < packets.limit else { continue }
      let sender = transmitter(sightings[place].transmitter)
      packets.add(Packet(hash: hash, sender: Self.hash(sender), time: time))
    }
  }

  /// Who sends what: not how the address is written, nor who heard it.
  private static func hash(_ transmitter: Transmitter) -> UInt64 {
    SplitMix.mixed(transmitter.address.address ^ SplitMix.mixed(UInt64(transmitter.identity)))
  }

  var complete: (rows: [Packet], limit: UInt64) { packets.complete }
}

/// Captures that hold packets of others: parts and copies, whatever their names and forms.
enum SharedPackets {
  /// Fewer may be chance.
  private static let least = 5
  /// Of what was sampled while both hold the same. Radios side by side have a few in common by chance.
  private static let leastShare = 0.5

  private typealias Sample = (rows: [PacketSample.Packet], limit: UInt64)

  /// Two captures' packets that are the same.
  private struct Common {
    var count = 0
    var first = Int64.max
    var last = Int64.min

    mutating func add(_ time: Int64) {
      count += 1
      first = min(first, time)
      last = max(last, time)
    }
  }

  /// Says of each capture which earlier one it shares most with, whatever the order in which they were
  /// named: earlier is which began before and, of those that began together, which has more.
  static func mark(_ captures: inout [CaptureFacts], _ samples: [PacketSample]) {
    let samples = samples.map(\.complete)
    var holders: [UInt64: [(place: Int, sender: UInt64)]] = [:]
    var whole: [[UInt8]: Int] = [:]
    var copies: [(place: Int, first: Int)] = []
    for place in captures.indices {
      captures[place].isSampled = samples[place].rows.count >= least
    }
    for place in order(captures) {
      // The same bytes once more: whatever shares packets with them shares them with the first. A folder
      // may hold a thousand copies.
      let facts = captures[place]
      if let first = whole[facts.sha256], samples[place].rows.count >= least {
        captures[place].sharing = (captures[first].name, 1)
        copies.append((place, first))
        continue
      }
      if !facts.sha256.isEmpty { whole[facts.sha256] = place }
      var common: [Int: Common] = [:]
      for packet in samples[place].rows {
        for other in holders[packet.hash] ?? []
        where other.sender == packet.sender && packet.hash <= samples[other.place].limit {
          common[other.place, default: Common()].add(packet.time)
        }
        holders[packet.hash, default: []].append((place, packet.sender))
      }
      let found = common.compactMap { other, common in
        share(common, samples[place], samples[other]).map { (other: other, share: $0) }
      }
      let best = found.max {
        ($0.share, captures[$1.other].name) < ($1.share, captures[$0.other].name)
      }
      captures[place].sharing = best.map { (captures[$0.other].name, $0.share) }
      captures[place].sharers.formUnion(found.map { captures[$0.other].name })
    }
    for (place, first) in copies {
      captures[place].sharers = captures[first].sharers
      for other in captures.indices where captures[other].sharers.contains(captures[first].name) {
        captures[other].sharers.insert(captures[place].name)
      }
    }
  }

  private static func order(_ captures: [CaptureFacts]) -> [Int] {
    captures.indices.sorted { a, b in
      let (one, other) = (captures[a], captures[b])
      let starts = (one.span.earliest.nanoseconds, other.span.earliest.nanoseconds)
      if starts.0 != starts.1 { return starts.0 < starts.1 }
      if one.accounting.records != other.accounting.records {
        return one.accounting.records > other.accounting.records
      }
      return (one.name, a) < (other.name, b)
    }
  }

  /// Which part of the sightings of the one that has fewer is the same; nil where that may be chance.
  /// While both hold the same, nearly all of it is: two radios have a packet in common here and there.
  private static func share(_ common: Common, _ one: Sample, _ other: Sample) -> Double? {
    guard common.count >= least else { return nil }
    let limit = min(one.limit, other.limit)
    func counts(_ sample: Sample) -> (all: Int, meanwhile: Int) {
      let complete = sample.rows.prefix { $0.hash <= limit }
      return (complete.count, complete.count { $0.time >= common.first && $0.time <= common.last })
    }
    let (a, b) = (counts(one), counts(other))
    guard Double(common.count) >= leastShare * Double(min(a.meanwhile, b.meanwhile)) else {
      return nil
    }
    return Double(common.count) / Double(min(a.all, b.all))
  }
}
