package import Beacons
package import CaptureReader
package import FrameDecoder

/// A beacon as people count them: one identity, however many devices send it.
package struct BeaconSummary: Sendable {
  /// A device that sends the identity.
  package struct Source: Sendable {
    package let address: DeviceAddress
    package var sightings: Int
    package var first: Timestamp
    package var last: Timestamp
    package let firstFrame: Int
    /// Place of the capture with the first sighting.
    package let firstCapture: Int
    /// Places of the observers that saw it.
    package var observers: [Int]
  }

  package let kind: BeaconKind
  package let identity: BeaconIdentity
  package let id: String
  /// Most sightings first.
  package let sources: [Source]
  package let sightings: Int
  package let first: Timestamp
  package let last: Timestamp
  /// Median gap between sightings of one device by one observer, nanoseconds: off by a sixteenth at
  /// most, by less than 3 % where gaps vary.
  package let medianInterval: Double?
  /// dBm.
  package let rssi: (min: Int, median: Int, max: Int)?
  /// Lowest and highest power sent, dBm; nil for telemetry.
  package let power: (min: Int, max: Int)?
  package let telemetry: Telemetry?
  package let encryptedTelemetry: EncryptedTelemetry?
  package let warnings: BeaconWarnings
  /// Other identities that the same addresses send.
  package let companions: Int
}

/// The last plain telemetry of a device.
package struct Telemetry: Sendable {
  /// mV.
  package let battery: Int?
  /// In 1/256 °C.
  package let temperature: Int?
  package let advertisements: Int
  /// In 0.1 s.
  package let uptime: Int
  package let time: Timestamp
  /// Frames of plain telemetry in all.
  package let sightings: Int
}

/// Telemetry that only a key can open.
package struct EncryptedTelemetry: Sendable {
  package let sightings: Int
  package let last: Timestamp
}

extension BeaconStatistics {
  /// One summary per identity, by kind, then most sightings first. Telemetry is joined to the
  /// identities of its address; telemetry that belongs to none stands for itself.
  package func summaries() -> [BeaconSummary] {
    var byIdentity = [[Int]](repeating: [], count: identities.count)
    var scratch = Scratch()
    for (index, transmitter) in transmitters.transmitters.enumerated() {
      byIdentity[Int(transmitter.identity)].append(index)
      guard transmitter.address.isPresent else { continue }
      let kind = identities[transmitter.identity].kind
      if kind == .eddystoneTLM {
        scratch.telemetry[transmitter.address, default: []].append(index)
      } else if kind == .eddystoneETLM {
        scratch.encrypted[transmitter.address, default: []].append(index)
      } else if !BeaconFormats.format(kind).isTelemetry {
        scratch.identities[transmitter.address, default: []].insert(transmitter.identity)
      }
    }
    var result: [BeaconSummary] = []
    for (number, members) in byIdentity.enumerated() where !members.isEmpty {
      let identity = identities[UInt32(number)]
      if BeaconFormats.format(identity.kind).isTelemetry,
        members.allSatisfy({ scratch.identities[address($0)] != nil })
      {
        continue
      }
      result.append(summary(identity, members, &scratch))
    }
    return result.sorted {
      ($0.kind.rawValue, $1.sightings, $0.id) < ($1.kind.rawValue, $0.sightings, $1.id)
    }
  }

  /// What the summaries share, and memory that is used again from one to the next.
  private struct Scratch {
    /// Identities that each address sends, telemetry left out.
    var identities: [DeviceAddress: Set<UInt32>] = [:]
    /// Transmitters of plain telemetry.
    var telemetry: [DeviceAddress: [Int]] = [:]
    /// Transmitters of encrypted telemetry.
    var encrypted: [DeviceAddress: [Int]] = [:]
    /// Number of identities that several addresses send together.
    private var unions: [[DeviceAddress]: Int] = [:]
    var gaps = Distribution()
    var signals = Distribution()

    mutating func clear() {
      gaps.clear()
      signals.clear()
    }

    /// An address may send a million identities: they are counted once, not per identity.
    mutating func identityCount(of addresses: [DeviceAddress]) -> Int {
      if addresses.count <= 1 { return addresses.first.flatMap { identities[$0]?.count } ?? 0 }
      if let known = unions[addresses] { return known }
      let union = addresses.reduce(into: Set<UInt32>()) { $0.formUnion(identities[$1] ?? []) }
      unions[addresses] = union.count
      return union.count
    }
  }

  private func summary(
    _ identity: BeaconIdentity, _ members: [Int], _ scratch: inout Scratch
  ) -> BeaconSummary {
    scratch.clear()
    var warnings: BeaconWarnings = []
    for index in members {
      addGaps(of: index, to: &scratch.gaps)
      addSignals(of: index, to: &scratch.signals)
      warnings.formUnion(rests[index].warnings)
    }
    let format = BeaconFormats.format(identity.kind)
    let sources = sources(members)
    let times = members.filter { rests[$0].first.isKnown }
    let addresses = sources.map(\.address).filter(\.isPresent)
      .sorted { $0.rawValue < $1.rawValue }
    let together = scratch.identityCount(of: addresses)
    // Its own identity is one of them, where an address is known.
    let companions = format.isTelemetry ? together : max(0, together - 1)
    return BeaconSummary(
      kind: identity.kind, identity: identity,
      id: format.identityText(identities.bytes(of: identity)), sources: sources,
      sightings: members.reduce(0) { $0 + sightings(of: $1) },
      first: times.map { rests[$0].first }.min { $0.nanoseconds < $1.nanoseconds } ?? .none,
      last: times.map { last(of: $0) }.max { $0.nanoseconds < $1.nanoseconds } ?? .none,
      medianInterval: GapScale.quantile(0.5, scratch.gaps),
      rssi: SignalScale.summary(scratch.signals),
      power: format.isTelemetry ? nil : powerRange(members),
      telemetry: telemetry(addresses.flatMap { scratch.telemetry[$0] ?? [] }),
      encryptedTelemetry: format.isTelemetry
        ? nil : encrypted(addresses.flatMap { scratch.encrypted[$0] ?? [] }),
      warnings: warnings, companions: companions)
  }

  private func address(_ index: Int) -> DeviceAddress { transmitters[UInt32(index)].address }

  private func powerRange(_ members: [Int]) -> (min: Int, max: Int)? {
    guard let low = members.map({ rests[$0].minPower }).min(),
      let high = members.map({ rests[$0].maxPower }).max()
    else { return nil }
    return (Int(low), Int(high))
  }

  /// Per address; several observers may have seen the same device.
  private func sources(_ members: [Int]) -> [BeaconSummary.Source] {
    var places: [DeviceAddress: Int] = [:]
    var result: [BeaconSummary.Source] = []
    for index in members {
      let (sum, rest) = ((sightings: sightings(of: index), last: last(of: index)), rests[index])
      let observer = Int(transmitters[UInt32(index)].observer)
      guard let place = places[address(index)] else {
        places[address(index)] = result.count
        result.append(
          BeaconSummary.Source(
            address: address(index), sightings: sum.sightings, first: rest.first, last: sum.last,
            firstFrame: rest.firstFrame, firstCapture: Int(rest.firstCapture),
            observers: [observer]))
        continue
      }
      result[place].sightings += sum.sightings
      result[place].observers.append(observer)
      guard rest.first.isKnown else { continue }
      let known = result[place].first.isKnown
      if !known || rest.first.nanoseconds < result[place].first.nanoseconds {
        result[place].first = rest.first
      }
      if !known || sum.last.nanoseconds > result[place].last.nanoseconds {
        result[place].last = sum.last
      }
    }
    return result.sorted {
      ($1.sightings, $0.address.rawValue) < ($0.sightings, $1.address.rawValue)
    }
  }

  private func encrypted(_ members: [Int]) -> EncryptedTelemetry? {
    guard !members.isEmpty else { return nil }
    let latest = members.map { last(of: $0) }
      .max { $0.nanoseconds < $1.nanoseconds }
    return EncryptedTelemetry(
      sightings: members.reduce(0) { $0 + sightings(of: $1) }, last: latest ?? .none)
  }

  /// The latest plain telemetry that any of the addresses sent.
  private func telemetry(_ members: [Int]) -> Telemetry? {
    let latest = members.max {
      (last(of: $0).nanoseconds, rests[$0].firstFrame)
        < (last(of: $1).nanoseconds, rests[$1].firstFrame)
    }
    return latest.map { index in
      let extra = rests[index].extra
      return Telemetry(
        battery: EddystoneTLM.battery(extra), temperature: EddystoneTLM.temperature(extra),
        advertisements: EddystoneTLM.advertisements(extra), uptime: EddystoneTLM.uptime(extra),
        time: last(of: index), sightings: members.reduce(0) { $0 + sightings(of: $1) })
    }
  }
}
