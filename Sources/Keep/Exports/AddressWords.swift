import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// What it means that one identity comes from several addresses.
enum AddressWords {
  /// Nanoseconds that clocks of several receivers may differ.
  private static let slack: Int64 = 60_000_000_000

  /// `; e7:0d:5c:31:9a:42 was first heard 2026-05-19 10:07:11`: where one sent it alone for a while, and another one,
  /// which alternates with it, from then on.
  /// - Parameter atOnce: how many of its addresses are there at once.
  static func second(_ beacon: BeaconSummary, atOnce: Int?) -> String {
    guard atOnce == 2, !beacon.hasDevices, beacon.sources.count == 2 else { return "" }
    let (one, other) = (beacon.sources[0].first, beacon.sources[1].first)
    // One of the two was alone for a while.
    guard one.isKnown, other.isKnown else { return "" }
    let ahead = other.nanoseconds.since(one.nanoseconds)
    guard ahead > slack || ahead < -slack else { return "" }
    let later = beacon.sources[ahead > 0 ? 1 : 0]
    return
      "; \(BeaconTable.address(later.address)) was first heard \(TextColumns.moment(later.first))"
  }

  /// `, or somebody recorded it, and sends it again after 29 min 50 s`: of an identifier that a beacon sends for a while
  /// alone, and that came back from another address when nobody had sent it for a while.
  static func recorded(_ beacon: BeaconSummary) -> String {
    guard beacon.kind == .eddystoneEID else { return "" }
    let sources = beacon.sources.filter { $0.first.isKnown && $0.last.isKnown }
      .sorted {
        ($0.first.nanoseconds, $0.address.rawValue) < ($1.first.nanoseconds, $1.address.rawValue)
      }
    guard var last = sources.first?.last.nanoseconds else { return "" }
    var longest: Int64 = 0
    for source in sources.dropFirst() {
      longest = max(longest, source.first.nanoseconds.since(last))
      last = max(last, source.last.nanoseconds)
    }
    return longest > slack
      ? ", or somebody recorded it, and sends it again after \(TextColumns.duration(longest))" : ""
  }

  /// `2 addresses that alternate: several devices or a clone`
  static func several(_ beacon: BeaconSummary, _ steps: ClockSteps = ClockSteps()) -> String {
    several(beacon, atOnce: beacon.addressesAtOnce(steps))
  }

  /// `2 addresses one after the other, each heard by another receiver: …`: of addresses that devices keep while they
  /// run; nil where it is otherwise. Who is taken for one of several receivers has to be one.
  static func apart(_ beacon: BeaconSummary, _ steps: ClockSteps) -> String? {
    let sources = beacon.sources.filter { $0.address.isPresent }
    let observers = sources.map { Set($0.heard.map(\.observer)) }
    let all = observers.reduce(into: Set<Int>()) { $0.formUnion($1) }
    guard sources.count > 1, !beacon.hasDevices,
      sources.allSatisfy({ $0.address.lifetime == .long && !$0.address.isForGood }),
      observers.reduce(0, { $0 + $1.count }) == all.count, beacon.addressesAtOnce(steps) == 1
    else { return nil }
    return TextColumns.counted(sources.count, "address", "addresses")
      + " one after the other, each heard by another receiver: several devices or a clone, rather than one that "
      + "was carried and changed its address"
  }

  /// - Parameter atOnce: how many of its addresses are there at once.
  static func several(_ beacon: BeaconSummary, atOnce: Int?) -> String {
    let addresses = beacon.addresses
    let senders = beacon.hasDevices ? beacon.senders : addresses.count
    // Of whom a key tells that he changes them, nothing is left to be guessed.
    let isResolved = senders < addresses.count
    let count =
      isResolved
      ? "\(addresses.count) addresses of \(senders) senders, as keys tell,"
      : TextColumns.counted(addresses.count, "address", "addresses")
    let isRotating = !isResolved && addresses.allSatisfy { $0.lifetime == .resolvable }
    let kept = addresses.count { $0.isForGood }
    let isPublic = kept == 0 ? "" : ", \(kept == addresses.count ? "all" : "\(kept)") public"
    switch atOnce {
    case nil where kept > 0: return "\(count)\(isPublic): several devices or a clone"
    case nil:
      return "\(count), and too little to tell whether they alternate: "
        + (isRotating
          ? "one device that changes them, or several"
          : "several devices, a clone, or one that changes its address")
    case 1 where kept > 0:
      return "\(count) one after the other\(isPublic): several devices in turn, or a clone"
    case 1 where isResolved: return "\(count) one after the other: several devices in turn"
    case 1:
      // Phones that send one app's identity change theirs, too.
      return "\(count) one after the other: one device that changes its address, or several in turn"
    case senders: return "\(count) that alternate: several devices or a clone"
    case let most?:
      return "\(count), up to \(most) of which alternate: several devices or a clone"
        + (isRotating ? ", which change their addresses" : "")
    }
  }
}

extension DeviceAddress {
  /// Whether a device keeps it for ever: a public one (Core, Vol 6, Part B, 1.3.1).
  fileprivate var isForGood: Bool { kind == .publicDevice || kind == .publicIdentity }
}
