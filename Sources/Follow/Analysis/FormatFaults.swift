package import Beacons

/// What is odd about payloads of beacons that are kept all the same, each fault once, whichever beacons have it.
package struct FormatFaults {
  package struct Fault {
    package let warning: BeaconWarnings
    package fileprivate(set) var count = 0
    /// Places of the first ones among the summaries.
    package fileprivate(set) var first: [Int] = []
  }

  /// In the order of the warnings asked for; those alone that some beacon has.
  package let all: [Fault]

  /// - Parameter most: how many beacons of each are named.
  package init(_ beacons: BeaconSummaries, _ warnings: [BeaconWarnings], first most: Int) {
    var faults = warnings.map { Fault(warning: $0) }
    let any = warnings.reduce(BeaconWarnings.none) { $0.union($1) }
    for place in beacons.indices {
      let found = BeaconWarnings(
        rawValue: beacons.warnings(at: place).rawValue & any.rawValue)
      guard !found.isEmpty else { continue }
      for number in faults.indices where found.contains(faults[number].warning) {
        faults[number].count += 1
        if faults[number].first.count < most { faults[number].first.append(place) }
      }
    }
    all = faults.filter { $0.count > 0 }
  }
}

extension BeaconSummaries {
  /// What is odd about the payloads of the identity at a place; cheaper than its summary.
  func warnings(at place: Int) -> BeaconWarnings {
    members[Int(number(at: place))].reduce(.none) {
      $0.union(statistics.rests[Int($1)].warnings)
    }
  }
}
