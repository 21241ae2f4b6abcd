package import GRDB

/// A time at which a visit began or ended, as its events tell it.
package struct StayMoment: Hashable, Sendable {
  private let profile: Int64
  private let observer: Int64?
  private let region: Int64?
  /// Nanoseconds.
  private let time: Int64

  package init(_ stay: StayRow, _ time: Int64) {
    (profile, observer, region) = (stay.profileId, stay.observerId, stay.regionId)
    self.time = time
  }

  /// - Parameter event: a row of `columns` and whatever else.
  package init(_ event: Row, _ time: Int64) {
    (profile, observer, region) = (event[0], event[1], event[2])
    self.time = time
  }

  package static let columns = "profile_id, observer_id, region_id"
}
