package import Beacons

extension CaptureContext {
  /// The only capture of a run, known without reading it.
  package init(only name: String, identities: IdentityTable, observers: [String]) {
    self.init(
      place: 0, name: name, identities: identities, observers: observers,
      observerNumbers: observers.indices.map { UInt32($0) }, transmitterNumbers: [])
  }
}
