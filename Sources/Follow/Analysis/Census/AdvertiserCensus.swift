package import Beacons
package import CaptureReader
package import FrameDecoder

/// Who advertised in which minute, beacon or not: one address is one advertiser.
///
/// A reading of its own, beside the way of the sightings, which those who are no beacons leave early.
package struct AdvertiserCensus {
  package struct Advertiser: Sendable {
    package let address: DeviceAddress
    /// What its reports said of themselves.
    package internal(set) var labels = AdvertiserLabels.none
    /// Whether any of them was a beacon's.
    package internal(set) var isBeacon = false
    /// The minute noted last.
    fileprivate var minute = Int32.min
  }

  /// Somebody was heard in a minute; in order by time, then by advertiser.
  struct Presence: Comparable {
    private let bits: UInt64

    init(minute: Int32, advertiser: Int) {
      bits = UInt64(UInt32(bitPattern: minute) ^ 1 << 31) << 32 | UInt64(advertiser)
    }

    var minute: Int32 { Int32(bitPattern: UInt32(bits >> 32) ^ 1 << 31) }
    var advertiser: Int { Int(bits & 0xFFFF_FFFF) }

    static func < (a: Presence, b: Presence) -> Bool { a.bits < b.bits }
  }

  static let minute: Int64 = 60_000_000_000

  package private(set) var advertisers: [Advertiser] = []
  /// By number of the advertiser; empty where nobody wants to see each.
  package private(set) var profiles: [AdvertiserProfile] = []
  /// Reports that were looked at and not counted: without an address, without a time, too weak or of no known
  /// strength where that was asked for.
  package private(set) var withoutAddress = 0
  package private(set) var withoutTime = 0
  package private(set) var weak = 0
  /// Reports at other times than those that count, and when.
  package private(set) var elsewhere: ClosedRange<Int64>?
  private(set) var presences: [Presence] = []
  private var numbers: [DeviceAddress: Int] = [:]
  package let limits: TimeLimits?
  private let leastRSSI: Int8?
  private let listsEach: Bool

  /// - Parameters:
  ///   - limits: which part of the time counts.
  ///   - leastRSSI: what is weaker, in dBm, does not count.
  ///   - listsEach: `profiles` are made.
  package init(within limits: TimeLimits? = nil, leastRSSI: Int8? = nil, listsEach: Bool = false) {
    self.limits = limits
    self.leastRSSI = leastRSSI
    self.listsEach = listsEach
  }

  /// Adds a capture, up to where it can be read.
  /// - Throws: where it cannot be opened, or not be read on.
  package mutating func read(
    _ source: CaptureSource, options: FrameDecoder.Options
  ) throws(CaptureProblem) {
    let reader = try CaptureReader.open(source, isHashed: false)
    var frames = FrameDecoder(options: options)
    var beacons = BeaconDecoder()
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      reader.withBytes { bytes in
        batch.records.withSpan { frames.decode($0, bytes) }
        take(frames, &beacons, bytes)
      }
      for mark in reader.log.marks { frames.take(mark) }
    }
    reader.withBytes { bytes in
      frames.finish(at: reader.timeSpan.latest)
      take(frames, &beacons, bytes)
    }
  }

  private mutating func take(
    _ frames: borrowing FrameDecoder, _ beacons: inout BeaconDecoder, _ bytes: RawSpan
  ) {
    frames.reports.withSpan { reports in
      for place in reports.indices {
        let report = reports[place]
        guard counts(report), let number = note(report) else { continue }
        // One by one: what a report says of itself is known until the next one.
        beacons.decode(reports.extracting(place..<(place + 1)), bytes, joined: frames.joined)
        advertisers[number].labels.formUnion(beacons.labels)
        if !beacons.sightings.isEmpty { advertisers[number].isBeacon = true }
        if listsEach { add(report, frames, beacons, bytes, to: number) }
      }
    }
  }

  /// Says of the profiles who may have gone on under another address.
  mutating func tellSuccession() {
    for (number, next) in AddressSuccession(advertisers, profiles).next {
      profiles[number].perhapsNext = next
      profiles[next].perhapsBefore = number
    }
  }

  private mutating func add(
    _ report: AdvertisingReport, _ frames: borrowing FrameDecoder,
    _ beacons: borrowing BeaconDecoder, _ bytes: RawSpan, to number: Int
  ) {
    let place = Int(report.start)..<(Int(report.start) + Int(report.count))
    if report.isJoined {
      frames.joined.withRawSpan { profiles[number].add(report, $0.extracting(place)) }
    } else {
      profiles[number].add(report, bytes.extracting(place))
    }
    if let reason = beacons.reason { profiles[number].add(reason) }
    let identities = beacons.identities
    beacons.sightings.withSpan { sightings in
      for place in sightings.indices {
        let identity = identities[sightings[place].identity]
        let isTelemetry = BeaconFormats.format(identity.kind).isTelemetry
        profiles[number].add(
          AdvertiserProfile.Beacon(
            kind: identity.kind, identity: isTelemetry ? [] : identities.bytes(of: identity)))
      }
    }
  }

  private mutating func counts(_ report: AdvertisingReport) -> Bool {
    guard report.time.isKnown else {
      withoutTime += 1
      return false
    }
    if let limits, !limits.contains(report.time) {
      let time = report.time.nanoseconds
      elsewhere =
        min(elsewhere?.lowerBound ?? time, time)...max(elsewhere?.upperBound ?? time, time)
      return false
    }
    guard report.address.isPresent else {
      withoutAddress += 1
      return false
    }
    if let leastRSSI, report.rssi == 127 || report.rssi < leastRSSI {
      weak += 1
      return false
    }
    return true
  }

  /// - Returns: the advertiser's number; nil where there are more than can be counted.
  private mutating func note(_ report: AdvertisingReport) -> Int? {
    let number: Int
    if let known = numbers[report.address] {
      number = known
    } else {
      guard advertisers.count < UInt32.max else { return nil }
      number = advertisers.count
      numbers[report.address] = number
      advertisers.append(Advertiser(address: report.address))
      if listsEach { profiles.append(AdvertiserProfile()) }
    }
    let time = report.time.nanoseconds
    // Rounded down, also before 1970; 64 bits of nanoseconds are fewer minutes than 32 bits hold.
    let minute = Int32(time / Self.minute - (time % Self.minute < 0 ? 1 : 0))
    if advertisers[number].minute != minute {
      advertisers[number].minute = minute
      presences.append(Presence(minute: minute, advertiser: number))
    }
    return number
  }

  /// Each presence once, ascending. To be called when everything was read.
  mutating func sort() {
    presences.sort()
    var kept = 0
    for place in presences.indices where place == 0 || presences[place] != presences[kept - 1] {
      presences[kept] = presences[place]
      kept += 1
    }
    presences.removeLast(presences.count - kept)
    for number in profiles.indices { profiles[number].minutes = 0 }
    for presence in presences where listsEach { profiles[presence.advertiser].minutes += 1 }
  }
}
