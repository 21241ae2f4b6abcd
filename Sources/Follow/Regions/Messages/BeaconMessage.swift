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
  /// 1-based, where it was read from a file; 0 otherwise.
  package let line: Int

  package init(
    beacon: MessageBeacon, namespace: String, type: String, content: Content, line: Int = 0
  ) {
    self.beacon = beacon
    self.namespace = namespace
    self.type = type
    self.content = content
    self.line = line
  }
}
