import GRDB

/// A moment of which a case says where an observer was.
package struct PlacedMoment: Hashable, Sendable {
  /// Nil where it is not known whose it is.
  package let observer: Int64?
  /// Nanoseconds.
  package let time: Int64

  package init(observer: Int64?, time: Int64) {
    self.observer = observer
    self.time = time
  }
}

extension CaseTables {
  /// What is put on a map first: ends of visits, and when beacons were heard best; then the other times of visits.
  package func placedMoments() throws -> [PlacedMoment] {
    let crossings = try CircleCrossings(database)
    let stays = try StayRow.order(Column("id")).fetchAll(database)
    var moments: [PlacedMoment] = []
    for stay in stays {
      for time in [crossings.placedEntry(stay), crossings.placedExit(stay)].compactMap({ $0 }) {
        moments.append(PlacedMoment(observer: stay.observerId, time: time))
      }
    }
    moments += try StrongestRow.order(Column("id")).fetchAll(database).map {
      PlacedMoment(observer: $0.observerId, time: $0.timeNs)
    }
    for stay in stays {
      for time in [stay.sinceNs, stay.lastSeenNs, stay.untilNs].compactMap({ $0 }) {
        moments.append(PlacedMoment(observer: stay.observerId, time: time))
      }
    }
    var known: Set<PlacedMoment> = []
    return moments.filter { known.insert($0).inserted }
  }

  package func recordings() throws -> [RecordingRow] {
    try RecordingRow.order(Column("id")).fetchAll(database)
  }
}
