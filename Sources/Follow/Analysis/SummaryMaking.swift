import Beacons
import CaptureReader
import FrameDecoder

/// Memory that is used again from one summary to the next.
package struct SummaryScratch: Sendable {
  fileprivate var gaps = Distribution()
  fileprivate var signals = Distribution()
  /// Number of identities that several addresses send together, by representatives of the
  /// addresses.
  fileprivate var unions: [[UInt32]: Int] = [:]
  /// By identity: number of the union that counted it last.
  fileprivate var counted: [UInt32] = []
  /// Places whose data has been brought near the processor already.
  fileprivate var near = 0..<0
  fileprivate var nearMembers: [UInt32] = []
  fileprivate var touched = 0

  package init() {}
}

extension BeaconSummaries {
  private static let reach = 64

  /// Reads a little of everything that the next summaries are made of. Identities lie in memory in
  /// the order in which they were first seen: one summary after the other would wait for memory
  /// half a dozen times each; of many reads that do not depend on each other the processor waits
  /// for all at once.
  func bringNear(_ place: Int, _ scratch: inout SummaryScratch) {
    guard !scratch.near.contains(place) else { return }
    scratch.near = place..<Swift.min(place + Self.reach, count)
    scratch.nearMembers.removeAll(keepingCapacity: true)
    var touched = 0
    for place in scratch.near {
      let number = number(at: place)
      touched &+= members.start(of: Int(number))
      touched &+= Int(statistics.identities[number].count)
    }
    for place in scratch.near {
      let member = members.number(at: members.start(of: Int(number(at: place))))
      scratch.nearMembers.append(member)
    }
    for member in scratch.nearMembers {
      touched &+= statistics.sightings(of: Int(member))
      touched &+= statistics.rests[Int(member)].firstFrame
      touched &+= Int(statistics.rests[Int(member)].maxPower)
      touched &+= Int(statistics.transmitters[member].observer)
    }
    for member in scratch.nearMembers {
      touched &+= statistics.touchSamples(of: Int(member)) &+ addresses.touch(member)
    }
    scratch.touched &+= touched
  }

  func summary(of number: UInt32, _ scratch: inout SummaryScratch) -> BeaconSummary {
    summary(statistics.identities[number], members[Int(number)], identities: 1, &scratch)
  }

  /// Several identities of one kind as if they were one, which goes by the name of the last of them.
  /// - Parameter places: one at least.
  package func summary(ofAll places: [Int], _ scratch: inout SummaryScratch) -> BeaconSummary {
    summary(
      identity(at: places[places.count - 1]), members(ofAll: places), identities: places.count,
      &scratch)
  }

  private func members(ofAll places: [Int]) -> ArraySlice<UInt32> {
    places.flatMap { members[Int(number(at: $0))] }[...]
  }

  /// - Parameter identities: how many identities the members are of.
  private func summary(
    _ identity: BeaconIdentity, _ members: ArraySlice<UInt32>, identities: Int,
    _ scratch: inout SummaryScratch
  ) -> BeaconSummary {
    let sum = added(members, &scratch)
    let format = BeaconFormats.format(identity.kind)
    let isTelemetry = format.isTelemetry
    let groups = groups(of: members)
    let medianInterval = GapScale.median(scratch.gaps)
    let own = own(members, &scratch)
    let ownError =
      own != nil && statistics.isForComparison ? GapScale.ownIntervalError(scratch.gaps) : nil
    return BeaconSummary(
      kind: identity.kind, identity: identity, sources: sources(members),
      sightings: sum.sightings, first: sum.first, last: sum.last,
      medianInterval: medianInterval, ownInterval: own, ownIntervalError: ownError,
      rssi: SignalScale.summary(scratch.signals),
      power: format.hasPower ? (Int(sum.minPower), Int(sum.maxPower)) : nil,
      telemetry: telemetry(groups),
      encryptedTelemetry: isTelemetry ? nil : encryptedTelemetry(groups),
      warnings: sum.warnings,
      companions: companions(groups, own: isTelemetry ? 0 : identities, &scratch),
      devices: devices(members))
  }

  /// By whom the identity at a place was heard, in the order of the observers.
  package func receptions(at place: Int, _ scratch: inout SummaryScratch) -> [Reception] {
    receptions(ofAll: [place], &scratch)
  }

  /// The same of the identities at several places together.
  package func receptions(ofAll places: [Int], _ scratch: inout SummaryScratch) -> [Reception] {
    let members = members(ofAll: places)
    let byObserver = Dictionary(grouping: members) { statistics.transmitters[$0].observer }
    return byObserver.sorted { $0.key < $1.key }.map { observer, members in
      let sum = added(members[...], &scratch)
      return Reception(
        observer: Int(observer), sightings: sum.sightings, first: sum.first, last: sum.last,
        medianInterval: GapScale.median(scratch.gaps),
        rssi: SignalScale.summary(scratch.signals))
    }
  }

  /// Whose keys made the transmitters' addresses.
  private func devices(_ members: ArraySlice<UInt32>) -> [DeviceAddress: String] {
    guard statistics.identities.hasDevices else { return [:] }
    var found: [DeviceAddress: String] = [:]
    for member in members {
      let address = statistics.transmitters[member].address
      found[address] = statistics.identities.device(at: address)
    }
    return found
  }

  /// How often the identity at a place sends, nanoseconds; nil where its gaps do not tell that.
  func ownInterval(at place: Int, _ scratch: inout SummaryScratch) -> Double? {
    let members = members[Int(number(at: place))]
    scratch.gaps.clear()
    for member in members { statistics.addGaps(of: Int(member), to: &scratch.gaps) }
    return own(members, &scratch)
  }

  /// Of what was heard without a filter of duplicates, and without long rests.
  /// - Parameter scratch: has all gaps, and then those alone of which the interval is.
  private func own(_ members: ArraySlice<UInt32>, _ scratch: inout SummaryScratch) -> Double? {
    guard !statistics.filtering.isEmpty else { return GapScale.ownInterval(scratch.gaps) }
    scratch.gaps.clear()
    for member in members
    where !statistics.filtering.contains(Int(statistics.transmitters[member].observer)) {
      statistics.addGaps(of: Int(member), to: &scratch.gaps)
    }
    return GapScale.ownInterval(scratch.gaps)
  }

  /// What adds up over all transmitters of an identity.
  private struct Sum {
    var sightings = 0
    var first = Timestamp.none
    var last = Timestamp.none
    var minPower = Int8.max
    var maxPower = Int8.min
    var warnings = BeaconWarnings.none

    mutating func note(first: Timestamp, last: Timestamp) {
      guard first.isKnown else { return }
      if !self.first.isKnown || first.nanoseconds < self.first.nanoseconds { self.first = first }
      if !self.last.isKnown || last.nanoseconds > self.last.nanoseconds { self.last = last }
    }
  }

  private func added(_ members: ArraySlice<UInt32>, _ scratch: inout SummaryScratch) -> Sum {
    scratch.gaps.clear()
    scratch.signals.clear()
    var sum = Sum()
    for member in members {
      let index = Int(member)
      statistics.addGaps(of: index, to: &scratch.gaps)
      statistics.addSignals(of: index, to: &scratch.signals)
      let rest = statistics.rests[index]
      sum.sightings += statistics.sightings(of: index)
      sum.note(first: rest.first, last: statistics.last(of: index))
      sum.minPower = Swift.min(sum.minPower, rest.minPower)
      sum.maxPower = Swift.max(sum.maxPower, rest.maxPower)
      sum.warnings.formUnion(rest.warnings)
    }
    return sum
  }

  /// Per address; several observers may have seen the same device.
  private func sources(_ members: ArraySlice<UInt32>) -> OneOrMore<BeaconSummary.Source> {
    let first = source(members[members.startIndex])
    if members.count == 1 { return OneOrMore(first) }
    var places = [first.address: 0]
    var result = [first]
    for member in members.dropFirst() {
      let next = source(member)
      if let place = places[next.address] {
        result[place].add(next)
      } else {
        places[next.address] = result.count
        result.append(next)
      }
    }
    return OneOrMore(
      result.sorted {
        ($1.sightings, $0.address.rawValue) < ($0.sightings, $1.address.rawValue)
      })
  }

  private func source(_ member: UInt32) -> BeaconSummary.Source {
    let rest = statistics.rests[Int(member)]
    let transmitter = statistics.transmitters[member]
    let last = statistics.last(of: Int(member))
    let heard = BeaconSummary.Heard(
      observer: Int(transmitter.observer), first: rest.first, last: last)
    return BeaconSummary.Source(
      address: transmitter.address, sightings: statistics.sightings(of: Int(member)),
      first: rest.first, last: last, firstFrame: rest.firstFrame,
      firstCapture: Int(rest.firstCapture), heard: OneOrMore(heard))
  }

  // MARK: what else the addresses send

  /// The different groups of the transmitters' addresses, ascending.
  private func groups(of members: ArraySlice<UInt32>) -> OneOrMore<UInt32>? {
    if members.count == 1 {
      return addresses.group(of: members[members.startIndex]).map { OneOrMore($0) }
    }
    let groups = Set(members.compactMap { addresses.group(of: $0) })
    return groups.isEmpty ? nil : OneOrMore(groups.sorted())
  }

  /// - Parameter own: how many of the identities are its own: 0 of telemetry.
  private func companions(
    _ groups: OneOrMore<UInt32>?, own: Int, _ scratch: inout SummaryScratch
  ) -> Int {
    guard let groups else { return 0 }
    if own > 1 { return union(Array(groups), &scratch) - own }
    if groups.count == 1 { return Int(addresses[groups[0]].identities) - own }
    // Addresses that send it and nothing else add nothing.
    let others = groups.filter { addresses[$0].identities > own }
      .map { sharing.representative(of: $0) }
    let different = Set(others).sorted()
    switch different.count {
    case 0: return 0
    case 1: return Int(addresses[different[0]].identities) - own
    default: return union(different, &scratch) - own
    }
  }

  /// Addresses may send a million identities together: they are counted once, not per identity.
  private func union(_ groups: [UInt32], _ scratch: inout SummaryScratch) -> Int {
    if let known = scratch.unions[groups] { return known }
    if scratch.counted.isEmpty {
      scratch.counted = [UInt32](repeating: 0, count: statistics.identities.count)
    }
    let turn = UInt32(truncatingIfNeeded: scratch.unions.count + 1)
    var count = 0
    for group in groups {
      addresses.forEachIdentity(of: group) { identity in
        if scratch.counted[Int(identity)] != turn { count += 1 }
        scratch.counted[Int(identity)] = turn
      }
    }
    scratch.unions[groups] = count
    return count
  }

  private static let telemetryForms = BeaconKindTable(otherwise: TelemetryForm.none) {
    $0.telemetry
  }

  private func transmitters(of form: TelemetryForm, _ groups: OneOrMore<UInt32>?) -> [Int] {
    guard let groups else { return [] }
    var result: [Int] = []
    for group in groups {
      for member in addresses.telemetry(of: group) {
        let identity = statistics.transmitters[member].identity
        let kind = statistics.identities[identity].kind
        if Self.telemetryForms[kind] == form { result.append(Int(member)) }
      }
    }
    return result
  }

  private func encryptedTelemetry(_ groups: OneOrMore<UInt32>?) -> EncryptedTelemetry? {
    let members = transmitters(of: .encrypted, groups)
    guard !members.isEmpty else { return nil }
    let latest = members.map { statistics.last(of: $0) }
      .max { $0.nanoseconds < $1.nanoseconds }
    return EncryptedTelemetry(
      sightings: members.reduce(0) { $0 + statistics.sightings(of: $1) }, last: latest ?? .none)
  }

  /// The latest plain telemetry that any of the addresses sent.
  private func telemetry(_ groups: OneOrMore<UInt32>?) -> Telemetry? {
    let members = transmitters(of: .plain, groups)
    let latest = members.max {
      (statistics.last(of: $0).nanoseconds, statistics.rests[$0].firstFrame)
        < (statistics.last(of: $1).nanoseconds, statistics.rests[$1].firstFrame)
    }
    return latest.map { index in
      let told = TelemetryReading(statistics.rests[index].extra)
      return Telemetry(
        battery: told.battery, temperature: told.temperature,
        advertisements: told.advertisements, uptime: told.uptime,
        uptimeRate: statistics.uptimeRate(of: index), time: statistics.last(of: index),
        sightings: members.reduce(0) { $0 + statistics.sightings(of: $1) })
    }
  }
}
