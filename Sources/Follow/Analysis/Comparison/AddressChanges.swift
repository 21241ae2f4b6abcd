import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Whether a beacon has other addresses now.
extension Comparison {
  /// The only address of an identity, and the only identity of that address.
  private func only(_ place: Int, _ side: ComparedSide) -> DeviceAddress? {
    let all = addresses(of: place, side)
    guard all.count == 1, side.senders[all[0].rawValue]?.count == 1 else { return nil }
    return all[0]
  }

  /// By place of the earlier side.
  func swaps() -> [Int: BeaconChange] {
    var swaps: [Int: BeaconChange] = [:]
    for (place, placeNow) in matches {
      guard let from = only(place, before), let to = only(placeNow, now), from != to,
        let other = before.senders[to.rawValue]?.first, only(other, before) == to,
        let otherNow = matches[other], only(otherNow, now) == from
      else { continue }
      swaps[place] = .swapped(with: other, from: from, to: to)
    }
    return swaps
  }

  /// Whose addresses it comes from, nil for those that are of no key.
  private static func devices(of beacon: BeaconSummary, _ side: ComparedSide) -> Set<String?> {
    Set(beacon.addresses.map { side.beacons.statistics.identities.device(at: $0) })
  }

  func addresses(_ old: BeaconSummary, _ new: BeaconSummary) -> [BeaconChange] {
    let (before, now) = (Set(old.addresses), Set(new.addresses))
    guard before != now, let from = old.addresses.first, let to = new.addresses.first else {
      return []
    }
    // Whose key is there is known whatever its address.
    let devices = Self.devices(of: old, self.before).union(Self.devices(of: new, self.now))
    if devices.count == 1, !devices.contains(nil) { return [] }
    // Where a side does not tell it, nothing is said of it.
    if let atOnce = old.addressesAtOnce(self.before.steps),
      let atOnceNow = new.addressesAtOnce(self.now.steps), atOnce != atOnceNow
    {
      let added = new.addresses.filter { !before.contains($0) }
      return atOnceNow > atOnce
        ? [.moreAddresses(before: atOnce, now: atOnceNow, added: added)]
        : [.fewerAddresses(before: atOnce, now: atOnceNow)]
    }
    if before.count == 1, now.count > 1 { return [.changesAddress(now: now.count)] }
    if Self.haveOtherLifetimes(before, now) { return [.otherAddress(from: from, to: to)] }
    if now.count == 1, old.addressesAtOnce(self.before.steps) == 1,
      let period = Self.longestTurn(old),
      new.last.nanoseconds.since(new.first.nanoseconds) >= Self.turns * period
    {
      return [.keepsAddress(before: before.count)]
    }
    // Who changes its address has another one each time.
    let isChanging = before.count > 1 || before.union(now).contains { $0.lifetime != .long }
    return before.isDisjoint(with: now) && !isChanging ? [.otherAddress(from: from, to: to)] : []
  }

  /// So many turns would have ended in the time in which one address was heard.
  private static let turns: Int64 = 2
  private static let shortestTurn: Int64 = 60_000_000_000

  /// Whether those of one side are of a kind that those of the other are not: kept, or private of either sort.
  private static func haveOtherLifetimes(
    _ before: Set<DeviceAddress>, _ now: Set<DeviceAddress>
  ) -> Bool {
    let areTold = before.union(now).allSatisfy { $0.kind == .random || $0.kind == .publicDevice }
    return areTold && Set(before.map(\.lifetime)).isDisjoint(with: now.map(\.lifetime))
  }

  /// For how long it had an address at most, a minute at least, nanoseconds: until the next one came, or it was heard
  /// last; nil where it had no second one.
  private static func longestTurn(_ beacon: BeaconSummary) -> Int64? {
    let sources = beacon.sources.filter { $0.address.isPresent && $0.first.isKnown }
    let begins = sources.map(\.first.nanoseconds).sorted()
    guard begins.count > 1 else { return nil }
    let turns = zip(begins, begins.dropFirst()).map { $1.since($0) }
    let heard = sources.map { $0.last.nanoseconds.since($0.first.nanoseconds) }
    return (turns + heard + [shortestTurn]).max()
  }
}
