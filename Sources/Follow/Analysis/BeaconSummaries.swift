package import Beacons
package import CaptureReader
package import FrameDecoder

/// One summary per identity, by kind, then most sightings first, then by the identity's bytes.
///
/// A run may have a million: only their order is kept, a summary is made when it is asked for.
/// Telemetry is joined to the identities of its address; telemetry that belongs to none stands for
/// itself.
package struct BeaconSummaries: Sendable, RandomAccessCollection {
  let statistics: BeaconStatistics
  /// Transmitters of each identity.
  let members: FiledNumbers
  let addresses: AddressGroups
  let sharing: SharingAddresses
  /// Numbers of the identities.
  private var order: [UInt32] = []
  /// By identity: whether there may be something to remark.
  private var remarkable: [Bool]

  init(_ statistics: BeaconStatistics) {
    self.statistics = statistics
    let transmitters = statistics.transmitters
    let identities = statistics.identities
    let telemetry = BeaconFormats.all.filter { $0.isTelemetry }.map { $0.kind }
    let isTelemetry = { (number: Int) in telemetry.contains(identities[UInt32(number)].kind) }
    // Whose sightings were left out belong to nobody: to an owner behind the last.
    members = FiledNumbers(count: transmitters.count, owners: identities.count + 1) {
      statistics.isPartial && statistics.sightings(of: $0) == 0
        ? identities.count : Int(transmitters[UInt32($0)].identity)
    }
    addresses = AddressGroups(
      transmitters, byIdentity: members, identities: identities.count, isTelemetry: isTelemetry,
      isDevice: identities.hasDevices ? { identities[UInt32($0)].kind == .device } : nil)
    sharing = SharingAddresses(addresses)
    remarkable = [Bool](repeating: false, count: identities.count)
    sort(isTelemetry)
  }

  private mutating func sort(_ isTelemetry: (Int) -> Bool) {
    let identities = statistics.identities
    var totals = [UInt64](repeating: 0, count: identities.count)
    var sorted = KeyedNumbers(capacity: identities.count)
    for number in 0..<identities.count {
      let indices = members[number]
      guard !indices.isEmpty, !isTelemetry(number) || !indices.allSatisfy(isOfBeacon) else {
        continue
      }
      for index in indices {
        totals[number] += UInt64(clamping: statistics.sightings(of: Int(index)))
        let rest = statistics.rests[Int(index)]
        if rest.minPower != rest.maxPower || rest.warnings.contains(.implausiblePower) {
          remarkable[number] = true
        }
      }
      if indices.count > 1 { remarkable[number] = true }
      sorted.append(UInt32(number), key: UInt64(identities[UInt32(number)].count))
    }
    sorted.sort()
    sorted.rekey { identities[$0].words.2 }
    sorted.sort()
    sorted.rekey { identities[$0].words.1 }
    sorted.sort()
    sorted.rekey { identities[$0].words.0 }
    sorted.sort()
    sorted.rekey { ~totals[Int($0)] }
    sorted.sort()
    sorted.rekey { UInt64(identities[$0].kind.rawValue) }
    sorted.sort()
    order = sorted.numbers
  }

  /// Whether the address of a transmitter sends an identity that is no telemetry.
  private func isOfBeacon(_ index: UInt32) -> Bool {
    addresses.group(of: index).map { addresses[$0].identities > 0 } ?? false
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { order.count }

  package subscript(place: Int) -> BeaconSummary {
    var scratch = SummaryScratch()
    return summary(of: order[place], &scratch)
  }

  /// The summary at a place; `scratch` is memory that is used again from one to the next.
  package func summary(at place: Int, _ scratch: inout SummaryScratch) -> BeaconSummary {
    bringNear(place, &scratch)
    return summary(of: order[place], &scratch)
  }

  /// The run's number of the identity at a place.
  package func number(at place: Int) -> UInt32 { order[place] }

  package func identity(at place: Int) -> BeaconIdentity {
    statistics.identities[order[place]]
  }

  /// The identity as text.
  package func text(_ identity: BeaconIdentity) -> String {
    BeaconFormats.format(identity.kind).identityText(bytes(identity))
  }

  /// Who sends the identity at a place: an address as often as it has observers.
  package func addresses(at place: Int) -> [DeviceAddress] {
    members[Int(order[place])].map { statistics.transmitters[$0].address }
  }

  /// The run's identities.
  package var identities: IdentityTable { statistics.identities }

  /// All bytes of the identity.
  package func bytes(_ identity: BeaconIdentity) -> [UInt8] {
    statistics.identities.bytes(of: identity)
  }

  /// Whether keys made some of the run's addresses.
  package var hasDevices: Bool { statistics.identities.hasDevices }

  /// Name of the device that has an address; nil where none does.
  package func device(at address: DeviceAddress) -> String? {
    statistics.identities.device(at: address)
  }

  /// Sightings of all transmitters of the identity at a place.
  package func sightings(at place: Int) -> Int {
    members[Int(order[place])].reduce(0) { $0 + statistics.sightings(of: Int($1)) }
  }

  /// Whether powers differ or are implausible, or several transmitters send the identity; cheap.
  package func mayNeedRemark(at place: Int) -> Bool { remarkable[Int(order[place])] }

  /// Places of a kind's summaries, for every kind there is, in the order of the places.
  package var kinds: [(kind: BeaconKind, places: Range<Int>)] {
    var result: [(kind: BeaconKind, places: Range<Int>)] = []
    var start = 0
    while start < order.count {
      let kind = identity(at: start).kind
      // The first place of another kind; kinds ascend.
      let end = (start..<order.count).bisected { identity(at: $0).kind != kind }
      result.append((kind, start..<end))
      start = end
    }
    return result
  }
}

extension BeaconSummaries {
  /// Addresses that send the same identities, more than one.
  package struct Shared {
    /// Ascending.
    package let addresses: [DeviceAddress]
    /// How many identities.
    package let count: Int
    /// Places of the first ones.
    package let first: [Int]
  }

  /// By the place of the first identity, then by address. Telemetry is no identity, and an address
  /// that sends nothing but ephemeral ones sends one that changes.
  package func shared(first most: Int) -> [Shared] {
    guard !sharing.classes.isEmpty else { return [] }
    var places = [UInt32](repeating: 0, count: statistics.identities.count)
    for (place, number) in order.enumerated() { places[Int(number)] = UInt32(place) }
    var result: [Shared] = []
    for groups in sharing.classes {
      var first: [Int] = []
      var isEphemeral = true
      addresses.forEachIdentity(of: groups[0]) { number in
        isEphemeral =
          isEphemeral && BeaconFormats.format(statistics.identities[number].kind).isEphemeral
        let place = Int(places[Int(number)])
        guard first.count < most || place < first[most - 1] else { return }
        first.insert(place, at: first.firstIndex { place < $0 } ?? first.count)
        if first.count > most { first.removeLast() }
      }
      guard !isEphemeral else { continue }
      result.append(
        Shared(
          addresses: groups.map { addresses.address(of: $0) },
          count: Int(addresses[groups[0]].identities), first: first))
    }
    return result.sorted {
      ($0.first[0], $0.addresses[0].rawValue) < ($1.first[0], $1.addresses[0].rawValue)
    }
  }
}

extension BeaconSummaries {
  /// The first identity that is sent from an address, of 48 bits.
  package func first(sentFrom address: UInt64) -> (place: Int, address: DeviceAddress)? {
    for place in indices {
      for member in members[Int(number(at: place))] {
        let sender = statistics.transmitters[member].address
        if sender.isPresent, sender.address == address { return (place, sender) }
      }
    }
    return nil
  }

  /// First and last sighting of the identity at a place from some addresses; nil where none has a time.
  package func span(of place: Int, from addresses: [DeviceAddress]) -> (
    first: Timestamp, last: Timestamp
  )? {
    var span: (first: Timestamp, last: Timestamp)?
    for member in members[Int(number(at: place))]
    where addresses.contains(statistics.transmitters[member].address) {
      let (first, last) = (statistics.rests[Int(member)].first, statistics.last(of: Int(member)))
      guard first.isKnown, last.isKnown else { continue }
      guard let known = span else {
        span = (first, last)
        continue
      }
      span = (
        known.first.nanoseconds < first.nanoseconds ? known.first : first,
        known.last.nanoseconds > last.nanoseconds ? known.last : last
      )
    }
    return span
  }
}

extension BeaconStatistics {
  /// The summaries of all identities.
  package func summaries() -> BeaconSummaries { BeaconSummaries(self) }
}
