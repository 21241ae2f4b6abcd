package import Beacons
package import FrameDecoder

extension Region {
  /// Whether nothing but a rule of somebody's own decides.
  package var isRuleAlone: Bool {
    if case .custom = condition { address == nil } else { false }
  }

  /// Whether an identity from an address may lie in the region as far as these two tell: gates and
  /// predicates aside.
  package func mayHold(
    _ sender: DeviceAddress, _ identity: BeaconIdentity, _ table: IdentityTable
  ) -> Bool {
    if let address, sender.address != address { return false }
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
    case .resolvedEID, .circle: return false
    }
  }
}
