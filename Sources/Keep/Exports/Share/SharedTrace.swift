package import Analysis
package import Beacons
import CaptureReader
import FrameDecoder
package import Pseudonyms
import Regions

/// What an analysis made of captures, as numbers that can be compared with those of another one: a number for
/// each sighting and each event. Of the originals it is told in pseudonyms.
package final class SharedTrace: FindingSink {
  /// Of the originals: who becomes whom; nil: they have been replaced.
  private let names: Pseudonyms?
  /// By capture, in its order.
  private(set) var sightings: [Int: [Told]] = [:]
  private(set) var events: [Told] = []
  /// By capture, in its order.
  private var frames: [Int: SharedFrames] = [:]
  /// By place among the inputs: the number among those that were read.
  private var numbers: [Int: Int] = [:]
  /// By capture, then the capture's number of an identity.
  private var identities: [Int: [UInt64]] = [:]

  struct Told: Equatable {
    let what: UInt64
    let frame: Int
    let time: Int64

    static func == (one: Told, other: Told) -> Bool { one.what == other.what }
  }

  package init(_ names: Pseudonyms?) { self.names = names }

  package var sightingCount: Int { sightings.values.reduce(0) { $0 + $1.count } }
  package var eventCount: Int { events.count }
  package var frameCount: Int { frames.values.reduce(0) { $0 + $1.records } }
  package var reportCount: Int { frames.values.reduce(0) { $0 + $1.reports } }

  package func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    var known = identities.removeValue(forKey: capture.place) ?? []
    while known.count < capture.identities.count {
      known.append(number(capture.identities[UInt32(known.count)], capture.identities))
    }
    var own = self.sightings.removeValue(forKey: capture.place) ?? []
    for place in sightings.indices {
      own.append(told(sightings[place], identity: known[Int(sightings[place].identity)]))
    }
    self.sightings[capture.place] = own
    identities[capture.place] = known
  }

  package func pause() {}

  private func told(_ sighting: Sighting, identity: UInt64) -> Told {
    var sum = Sum()
    sum.add(sighting.time.nanoseconds)
    sum.add(sighting.frame)
    sum.add(Int(sighting.index))
    sum.add(Int(sighting.observer))
    sum.add(Int(sighting.rssi))
    sum.add(Int(sighting.power))
    sum.add(Int(sighting.channel))
    sum.add(address(sighting.address))
    sum.add(identity)
    sum.add(UInt64(sighting.warnings.rawValue))
    sum.add(sighting.frameWarnings.rawValue)
    // Encrypted telemetry is scrambled.
    if sighting.kind != .eddystoneETLM {
      sum.add(sighting.extra.0)
      sum.add(sighting.extra.1)
    }
    return Told(what: sum.value, frame: sighting.frame, time: sighting.time.nanoseconds)
  }

  /// Takes what regions came to. Captures count without those that could not be read, of which nothing was shared.
  package func take(_ result: AnalysisResult) throws {
    let read = Set(result.captures.map(\.name))
    let places = result.captureNames.indices.filter {
      names == nil || read.contains(result.captureNames[$0])
    }
    let facts = Dictionary(result.captures.map { ($0.name, $0) }) { one, _ in one }
    for (number, place) in places.enumerated() {
      numbers[place] = number
      frames[number] = facts[result.captureNames[place]].map { SharedFrames($0.accounting) }
    }
    sightings = Dictionary(
      uniqueKeysWithValues: sightings.map { (numbers[$0.key] ?? $0.key, $0.value) })
    guard let timeline = result.timeline else { return }
    let regions = timeline.regions.map { region -> UInt64 in
      guard case .identity(let prefix) = region.condition else { return 0 }
      return number(prefix.kind, prefix.bytes)
    }
    let table = result.statistics.identities
    let senders = result.statistics.transmitters.transmitters.map { transmitter -> UInt64 in
      var sum = Sum()
      sum.add(address(transmitter.address))
      sum.add(number(table[transmitter.identity], table))
      return sum.value
    }
    try timeline.forEachBatch { batch in
      for event in batch { events.append(told(event, regions, senders)) }
    }
    // What happens at one moment goes by regions, whose order is that of their bytes.
    events.sort { ($0.time, $0.what) < ($1.time, $1.what) }
  }

  private func told(_ event: TimelineEvent, _ regions: [UInt64], _ senders: [UInt64]) -> Told {
    var sum = Sum()
    sum.add(event.type.rawValue)
    sum.add(event.time.nanoseconds)
    sum.add(event.observer)
    sum.add(event.region.map { regions[$0] } ?? 0)
    sum.add(event.transmitter.map { senders[$0] } ?? 0)
    sum.add(event.lastSeen.nanoseconds)
    sum.add(event.crossedAt.nanoseconds)
    for word in [
      event.state.map { "\($0)" }, event.from.map { "\($0)" }, event.to.map { "\($0)" },
      event.silence.map { "\($0.grade)" }, event.deed?.rawValue,
    ] {
      sum.add(word ?? "none")
    }
    sum.add((event.rssi ?? 0).bitPattern)
    sum.add((event.distance?.metres ?? 0).bitPattern)
    sum.add(Int(event.packetsLost))
    for piece in event.evidence {
      sum.add(numbers[piece.file] ?? piece.file)
      sum.add(piece.number)
    }
    return Told(
      what: sum.value, frame: event.evidence.last?.number ?? 0, time: event.time.nanoseconds)
  }

  private func address(_ address: DeviceAddress) -> UInt64 { Self.address(address, names) }

  static func address(_ address: DeviceAddress, _ names: Pseudonyms?) -> UInt64 {
    guard let names else { return address.rawValue }
    let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address.address >> UInt64(40 - 8 * $0)) }
    let other = names.address(bytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return DeviceAddress(other, code: address.kindCode).rawValue
  }

  private func number(_ identity: BeaconIdentity, _ table: IdentityTable) -> UInt64 {
    number(identity.kind, table.bytes(of: identity))
  }

  private func number(_ kind: BeaconKind, _ bytes: [UInt8]) -> UInt64 {
    var sum = Sum()
    sum.add(Int(kind.rawValue))
    for byte in names?.identity(kind, bytes) ?? bytes { sum.add(Int(byte)) }
    return sum.value
  }
}

extension Pseudonyms {
  /// An identity, or what it begins with, in pseudonyms.
  package func identity(_ kind: BeaconKind, _ bytes: [UInt8]) -> [UInt8] {
    let part = { (range: Range<Int>) in Array(bytes[range.clamped(to: bytes.indices)]) }
    switch kind {
    case .iBeacon, .altBeacon:
      let own = part(0..<16)
      return uuid(own) + number(.major, part(16..<18), of: own)
        + number(.minor, part(18..<20), of: own)
    case .eddystoneUID:
      let own = part(0..<10)
      return namespace(own) + instance(part(10..<16), of: own)
    case .eddystoneURL: return part(0..<1) + url(part(1..<bytes.count))
    case .eddystoneEID: return identifier(bytes)
    case .eddystoneTLM, .eddystoneETLM: return address(bytes)
    default: return bytes
    }
  }
}

/// Numbers and words as one number (FNV-1a, 64 bits): to tell what differs, not to keep it secret.
private struct Sum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      value = (value ^ (number >> shift & 0xFF)) &* 0x0000_0100_0000_01B3
    }
  }

  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

  mutating func add(_ word: String) {
    for byte in word.utf8 { add(UInt64(byte)) }
    add(UInt64.max)
  }
}

extension SharedTrace {
  /// What differs of another run's, a clause; nil where nothing does.
  /// - Parameter captures: how they are called, in their order.
  package func difference(from other: SharedTrace, _ captures: [String]) -> String? {
    for (place, own) in frames.sorted(by: { $0.key < $1.key }) {
      guard let theirs = other.frames[place] else { return "\(captures[place]) was not read" }
      if let difference = own.difference(from: theirs) {
        return "\(captures[place]) has \(difference)"
      }
    }
    for (place, own) in sightings.sorted(by: { $0.key < $1.key }) {
      let theirs = other.sightings[place] ?? []
      guard own != theirs else { continue }
      let at = zip(own, theirs).enumerated().first { $1.0 != $1.1 }?.offset
      guard let at else {
        return "\(captures[place]) has \(theirs.count) sightings for \(own.count)"
      }
      return "the sighting of \(captures[place]) frame \(own[at].frame) is another one"
    }
    if sightingCount != other.sightingCount {
      return "there are \(other.sightingCount) sightings for \(sightingCount)"
    }
    if events == other.events { return nil }
    let at = zip(events, other.events).enumerated().first { $1.0 != $1.1 }?.offset
    guard let at else { return "there are \(other.eventCount) events for \(eventCount)" }
    return "an event that frame \(events[at].frame) decides is another one"
  }
}
