import Beacons
import FrameDecoder
import Regions

/// The state of each region at each observer, as far as rules have been told.
final class RegionStates {
  /// Names of the regions that somebody declared; empty: they come to be while reading.
  var declared: Set<String> = []
  /// By region, then observer. What an earlier run left is good until a time, unless the observer comes.
  private var states: [String: [String: (presence: RegionPresence, until: Int64)]] = [:]
  /// Observers that are known by an earlier run.
  private(set) var awaited: Set<String> = []

  /// By transmitter: the declared regions that it may lie in, as rules have them. What is declared stays
  /// as it is during a run.
  var memberships: [UInt32: LuaValue] = [:]

  /// The declared regions, which stand as they are during a run; nil: nobody has asked yet.
  private var index: RegionIndex?

  /// What somebody is to send, in full.
  struct Sent: Hashable {
    let kind: BeaconKind
    let id: String
  }
  /// The declared regions by what somebody is to send in them; nil: nobody has asked yet.
  var byWhatIsSent: [Sent: [Region]]?

  func set(_ region: String, _ observer: String, _ state: RegionPresence) {
    states[region, default: [:]][observer] = (state, .max)
  }

  /// - Parameter until: nanoseconds.
  func await(_ region: String, _ observer: String, _ state: RegionPresence, until: Int64) {
    awaited.insert(observer)
    states[region, default: [:]][observer] = (state, until)
  }

  func isDeclared(_ region: String) -> Bool { declared.contains(region) }

  /// The declared regions that a beacon may lie in, in their order, but those that are nothing but a rule. As many as
  /// there are, it takes a few look-ups: there may be ten thousand, and as many beacons as somebody invents.
  func holding(
    _ sender: DeviceAddress, _ identity: BeaconIdentity, _ table: IdentityTable,
    of regions: [Region]
  ) -> [Region] {
    guard !declared.isEmpty else { return [] }
    let index =
      index
      ?? {
        var index = RegionIndex()
        for (number, region) in regions.enumerated()
        where !region.isRuleAlone && isDeclared(region.identifier) {
          index.add(region, UInt32(number))
        }
        return index
      }()
    self.index = index
    return index.regions(
      of: identity, address: sender, device: { table.device(at: sender) },
      bytes: { table.bytes(of: identity) }
    ).map { regions[Int($0)] }
  }

  /// - Parameters:
  ///   - observer: nil for all: inside where any is, else outside where any is.
  ///   - now: nanoseconds.
  func presence(in region: String, at observer: String?, now: Int64) -> RegionPresence {
    guard let all = states[region] else { return .unknown }
    if let observer {
      guard let known = all[observer], known.until >= now else { return .unknown }
      return known.presence
    }
    let known = all.values.filter { $0.until >= now }.map(\.presence)
    if known.contains(.inside) { return .inside }
    return known.contains(.outside) ? .outside : .unknown
  }
}
