/// A message attached to beacons (SEMANTICS 5).
package struct BeaconMessage: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case text(String)
    case bytes([UInt8])
  }
  package let beacon: MessageBeacon
  package let namespace: String
  package let type: String
  package let content: Content

  package init(beacon: MessageBeacon, namespace: String, type: String, content: Content) {
    self.beacon = beacon
    self.namespace = namespace
    self.type = type
    self.content = content
  }
}
