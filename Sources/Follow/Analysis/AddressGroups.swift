import Beacons
import FrameDecoder

/// What each address sends. A transmitter's address stands for a group of transmitters.
struct AddressGroups: Sendable {
  struct Group: BitwiseCopyable, Sendable {
    /// Where its transmitters begin: those of identities by identity, then those of telemetry.
    var start: UInt32
    var telemetryStart: UInt32
    /// Different identities, telemetry left out.
    var identities: UInt32
  }

  private let transmitters: TransmitterTable
  /// Transmitters by address.
  private var members: [UInt32] = []
  private var groups: [Group] = []
  /// By transmitter; `nowhere` without an address.
  private var groupOf: [UInt32]
  private static let nowhere = UInt32.max

  /// - Parameters:
  ///   - byIdentity: the transmitters of each identity.
  ///   - isTelemetry: whether an identity is telemetry.
  ///   - isDevice: whether it is a device that has the address: it is in no group, as it sends nothing
  ///     beside what is. Nil: nobody is.
  init(
    _ transmitters: TransmitterTable, byIdentity: FiledNumbers, identities: Int,
    isTelemetry: (Int) -> Bool, isDevice: ((Int) -> Bool)?
  ) {
    self.transmitters = transmitters
    groupOf = [UInt32](repeating: Self.nowhere, count: transmitters.count)
    var sorted = KeyedNumbers(capacity: transmitters.count)
    for telemetry in [false, true] {
      for identity in 0..<identities where isTelemetry(identity) == telemetry {
        if let isDevice, isDevice(identity) { continue }
        for index in byIdentity[identity] where transmitters[index].address.isPresent {
          sorted.append(index, key: transmitters[index].address.rawValue)
        }
      }
    }
    sorted.sort()
    members = sorted.numbers
    divide(sorted.keys, isTelemetry: isTelemetry)
  }

  private mutating func divide(_ addresses: [UInt64], isTelemetry: (Int) -> Bool) {
    var identity = Self.nowhere
    for place in members.indices {
      let index = members[place]
      if place == 0 || addresses[place] != addresses[place - 1] {
        groups.append(
          Group(start: UInt32(place), telemetryStart: UInt32(place), identities: 0))
        identity = Self.nowhere
      }
      let group = groups.count - 1
      groupOf[Int(index)] = UInt32(group)
      let next = transmitters[index].identity
      guard !isTelemetry(Int(next)) else { continue }
      groups[group].telemetryStart = UInt32(place + 1)
      if next != identity { groups[group].identities += 1 }
      identity = next
    }
    groups.append(
      Group(
        start: UInt32(members.count), telemetryStart: UInt32(members.count), identities: 0))
  }

  /// Number of the group of a transmitter's address; nil without an address.
  func group(of index: UInt32) -> UInt32? {
    let group = groupOf[Int(index)]
    return group == Self.nowhere ? nil : group
  }

  /// What stands in the table for a transmitter, for it to come near the processor.
  func touch(_ index: UInt32) -> Int { group(of: index).map { Int(groups[Int($0)].start) } ?? 0 }

  subscript(group: UInt32) -> Group { groups[Int(group)] }

  /// Groups there are.
  var count: Int { groups.count - 1 }

  func address(of group: UInt32) -> DeviceAddress {
    transmitters[members[Int(groups[Int(group)].start)]].address
  }

  /// Transmitters of telemetry.
  func telemetry(of group: UInt32) -> ArraySlice<UInt32> {
    let group = Int(group)
    return members[Int(groups[group].telemetryStart)..<Int(groups[group + 1].start)]
  }

  /// Each identity that the address sends, telemetry left out, ascending.
  func forEachIdentity(of group: UInt32, _ body: (UInt32) -> Void) {
    let range = groups[Int(group)].start..<groups[Int(group)].telemetryStart
    var before = Self.nowhere
    for place in range {
      let identity = transmitters[members[Int(place)]].identity
      if identity != before { body(identity) }
      before = identity
    }
  }

  func identities(of group: UInt32) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(Int(groups[Int(group)].identities))
    forEachIdentity(of: group) { result.append($0) }
    return result
  }
}

/// Addresses that send several identities, those that send the same ones together.
struct SharingAddresses: Sendable {
  /// Groups that send the same, by their lowest number; each ascending.
  private(set) var classes: [[UInt32]] = []
  /// By group; the group itself where no other sends the same.
  private var first: [UInt32: UInt32] = [:]

  init(_ addresses: AddressGroups) {
    var several = KeyedNumbers(capacity: 0)
    for group in 0..<UInt32(addresses.count) where addresses[group].identities > 1 {
      var hash: UInt64 = 0
      addresses.forEachIdentity(of: group) {
        hash = (hash ^ UInt64($0)) &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 32
      }
      several.append(group, key: hash)
    }
    several.sort()
    var place = 0
    while place < several.numbers.count {
      let end = several.keys[place...].firstIndex { $0 != several.keys[place] }
      let range = place..<(end ?? several.keys.count)
      divide(several.numbers[range], addresses)
      place = range.upperBound
    }
  }

  /// Groups of one hash, nearly always of the same identities.
  private mutating func divide(_ groups: ArraySlice<UInt32>, _ addresses: AddressGroups) {
    var found: [(identities: [UInt32], groups: [UInt32])] = []
    for group in groups {
      let identities = groups.count > 1 ? addresses.identities(of: group) : []
      if let place = found.firstIndex(where: { $0.identities == identities }) {
        found[place].groups.append(group)
        first[group] = found[place].groups[0]
      } else {
        found.append((identities, [group]))
      }
    }
    classes += found.map(\.groups)
  }

  /// A group that sends the same as this one: one and the same for all of them.
  func representative(of group: UInt32) -> UInt32 { first[group] ?? group }
}
