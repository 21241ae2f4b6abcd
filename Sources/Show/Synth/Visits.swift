import Beacons

/// Who was where, worked out from the plan and the walk.
extension Synthesis {
  /// When the observer was in a room, to a tenth of a second.
  func stays(in room: Room) -> [Range<Int64>] {
    let tick: Int64 = 100_000_000
    var path = scenario.observer
    var stays: [Range<Int64>] = []
    var since: Int64?
    for time in stride(from: 0, to: now, by: Int64.Stride(tick)) {
      let isInside = room.contains(path.position(at: time % scenario.duration))
      if isInside && since == nil { since = time }
      if !isInside, let start = since {
        stays.append(start..<time)
        since = nil
      }
    }
    if let start = since { stays.append(start..<now) }
    return stays
  }

  /// When some beacon of a region could be heard: its mean signal reached the receiver's
  /// sensitivity.
  func reception(of region: String) -> [BeaconHistory.Stretch] {
    let matching = scenario.beacons.indices.filter { scenario.beacons[$0].belongs(to: region) }
    return BeaconHistory.union(matching.flatMap { histories[$0].inRange })
  }
}

extension BeaconPlan {
  /// Whether a region, `KIND:IDENTITY` or the beginning of one, holds this beacon.
  func belongs(to region: String) -> Bool {
    let own = "\(content.format.name):\(content.identityText)"
    return own == region || own.hasPrefix(region + ":")
  }
}
