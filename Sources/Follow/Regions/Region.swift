/// A named rule that says which sightings, or which positions, are inside.
package struct Region: Sendable {
  /// Unique, and unrelated to what beacons send.
  package let identifier: String

  package init(identifier: String) { self.identifier = identifier }
}
