import CaptureReader
import CaseStore
import Exports
import Regions

/// Where observers were when they heard beacons best: as near to them as their ways went, as far as signals tell.
struct StrongestPlaces {
  private let names: CaseNames
  private let paths: ObserverPaths
  private var beacons: [Int64: BeaconRow] = [:]

  init(_ file: CaseFile, _ names: CaseNames, _ paths: ObserverPaths) throws {
    self.names = names
    self.paths = paths
    var wanted: Set<Int64> = []
    try file.forEach(StrongestRow.self) { wanted.insert($0.beaconId) }
    try file.forEach(BeaconRow.self) { row in
      if let id = row.id, wanted.contains(id) { beacons[id] = row }
    }
  }

  func write(_ file: CaseFile, _ features: inout FeatureList) throws {
    try file.forEach(StrongestRow.self) { best in
      let time = Timestamp(column: best.timeNs)
      guard let position = paths.position(of: best.observerId, at: time) else {
        return features.leftOut.add("strongest signal", VisitPlaces.unplaced)
      }
      let beacon = beacons[best.beaconId]
      let place = Place(longitude: position.longitude, latitude: position.latitude)
      try features.add("strongest", .point(place)) { text in
        text.pair("beacon", beacon?.shortName)
        text.pair("kind", beacon?.kind)
        text.pair("identity", beacon?.identity)
        text.pair("observer", best.observerId.flatMap { names.observers[$0] })
        text.pair("time", time)
        text.pair("rssi", best.rssi)
      }
    }
  }
}
