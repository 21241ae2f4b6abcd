package import Beacons
package import FrameDecoder

extension Region {
  /// Whether nothing but a rule of somebody's own decides.
  package var isRuleAlone: Bool {
    if case .custom = condition { !isOfOneSender } else { false }
  }

  /// Whether something on the air can lie in it by its identity or address: no circle, no rule alone.
  package var isOfBeacons: Bool {
    switch condition {
    case .identity, .text, .address: true
    case .custom: isOfOneSender
    case .circle: false
    }
  }

  /// How much of who sends it lays down: of two regions that one beacon lies in, the higher one is the
  /// narrower.
  package var narrowness: Int {
    // More than an identity has bytes.
    let whole = 64
    let ofIdentity =
      switch condition {
      case .identity(let prefix): prefix.bytes.count
      case .text(_, let text, let isPrefix): isPrefix ? min(text.utf8.count, whole - 1) : whole
      case .address: whole
      case .circle, .custom: 0
      }
    return ofIdentity + (isOfOneSender ? whole : 0)
  }

  /// Whether an identity from an address may lie in the region as far as these two tell: gates and
  /// predicates aside.
  package func mayHold(
    _ sender: DeviceAddress, _ identity: BeaconIdentity, _ table: IdentityTable
  ) -> Bool {
    if let address, sender.address != address { return false }
    if let device, table.device(at: sender) != device { return false }
    switch condition {
    case .identity(let prefix):
      guard identity.kind == prefix.kind else { return false }
      return table.bytes(of: identity).starts(with: prefix.bytes)
    case .text(let kind, let text, let isPrefix):
      guard identity.kind == kind else { return false }
      let own = BeaconFormats.format(kind).identityText(table.bytes(of: identity))
      return isPrefix ? own.hasPrefix(text) : own == text
    case .address(let address): return sender.address == address
    case .custom: return true
    case .circle: return false
    }
  }
}
