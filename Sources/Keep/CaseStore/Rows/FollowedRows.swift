import GRDB

// What was reconstructed. `CaseMigration.findings` says what the columns mean.

package struct ProfileRow: CaseRow {
  package static let databaseTableName = "profiles"

  package var id: Int64?
  package var name: String
  package var numbers: String

  package init(
    id: Int64? = nil, name: String, numbers: String
  ) {
    self.id = id
    self.name = name
    self.numbers = numbers
  }
}

package struct RegionRow: CaseRow {
  package static let databaseTableName = "regions"

  package var id: Int64?
  package var name: String
  package var condition: String
  package var definition: String
  package var latitude: Double?
  package var longitude: Double?
  package var radiusM: Double?

  package init(
    id: Int64? = nil, name: String, condition: String, definition: String, latitude: Double? = nil,
    longitude: Double? = nil, radiusM: Double? = nil
  ) {
    self.id = id
    self.name = name
    self.condition = condition
    self.definition = definition
    self.latitude = latitude
    self.longitude = longitude
    self.radiusM = radiusM
  }
}

package struct StayRow: CaseRow {
  package static let databaseTableName = "stays"

  package var id: Int64?
  package var profileId: Int64
  package var observerId: Int64
  package var regionId: Int64
  package var sinceNs: Int64?
  package var wasInsideAlready: Bool
  package var untilNs: Int64?
  package var durationNs: Int64?
  package var lastSeenNs: Int64?
  package var sightings: Int?
  package var grade: String?
  package var why: String?
  package var firstCaptureId: Int64?
  package var firstFrame: Int?
  package var lastCaptureId: Int64?
  package var lastFrame: Int?
  package var nearestNs: Int64?
  package var nearestM: Double?
  package var nearestMinM: Double?
  package var nearestMaxM: Double?
  package var nearestTransmitterId: Int64?
  /// These three: nil where the entry is proved, and in cases of older forms.
  package var heardBeforeNs: Int64?
  package var listenedBeforeNs: Int64?
  package var entryWhy: String?
  /// `EventRow.event`: nil where none was told, and in cases of older forms.
  package var entryEvent: String?
  package var exitEvent: String?
  /// What the first and the last sighting are stamped, where that is not when they were followed: their clock had
  /// been set back. Nil in cases of older forms, too.
  package var firstStampedNs: Int64?
  package var lastStampedNs: Int64?

  package init(
    id: Int64? = nil, profileId: Int64, observerId: Int64, regionId: Int64, sinceNs: Int64? = nil,
    wasInsideAlready: Bool, untilNs: Int64? = nil, durationNs: Int64? = nil,
    lastSeenNs: Int64? = nil, sightings: Int? = nil, grade: String? = nil, why: String? = nil,
    firstCaptureId: Int64? = nil, firstFrame: Int? = nil, lastCaptureId: Int64? = nil,
    lastFrame: Int? = nil, nearestNs: Int64? = nil, nearestM: Double? = nil,
    nearestMinM: Double? = nil, nearestMaxM: Double? = nil, nearestTransmitterId: Int64? = nil,
    heardBeforeNs: Int64? = nil, listenedBeforeNs: Int64? = nil, entryWhy: String? = nil,
    entryEvent: String? = nil, exitEvent: String? = nil, firstStampedNs: Int64? = nil,
    lastStampedNs: Int64? = nil
  ) {
    self.id = id
    self.profileId = profileId
    self.observerId = observerId
    self.regionId = regionId
    self.sinceNs = sinceNs
    self.wasInsideAlready = wasInsideAlready
    self.untilNs = untilNs
    self.durationNs = durationNs
    self.lastSeenNs = lastSeenNs
    self.sightings = sightings
    self.grade = grade
    self.why = why
    self.firstCaptureId = firstCaptureId
    self.firstFrame = firstFrame
    self.lastCaptureId = lastCaptureId
    self.lastFrame = lastFrame
    self.nearestNs = nearestNs
    self.nearestM = nearestM
    self.nearestMinM = nearestMinM
    self.nearestMaxM = nearestMaxM
    self.nearestTransmitterId = nearestTransmitterId
    self.heardBeforeNs = heardBeforeNs
    self.listenedBeforeNs = listenedBeforeNs
    self.entryWhy = entryWhy
    self.entryEvent = entryEvent
    self.exitEvent = exitEvent
    self.firstStampedNs = firstStampedNs
    self.lastStampedNs = lastStampedNs
  }
}

package struct StateRow: CaseRow {
  package static let databaseTableName = "states"

  package var id: Int64?
  package var profileId: Int64
  package var observerId: Int64
  package var regionId: Int64
  package var state: String

  package init(
    id: Int64? = nil, profileId: Int64, observerId: Int64, regionId: Int64, state: String
  ) {
    self.id = id
    self.profileId = profileId
    self.observerId = observerId
    self.regionId = regionId
    self.state = state
  }
}

package struct SpanRow: CaseRow {
  package static let databaseTableName = "spans"

  package var id: Int64?
  package var observerId: Int64
  package var regionId: Int64
  package var fromNs: Int64
  package var toNs: Int64
  package var state: String

  package init(
    id: Int64? = nil, observerId: Int64, regionId: Int64, fromNs: Int64, toNs: Int64, state: String
  ) {
    self.id = id
    self.observerId = observerId
    self.regionId = regionId
    self.fromNs = fromNs
    self.toNs = toNs
    self.state = state
  }
}

package struct FixRow: CaseRow {
  package static let databaseTableName = "fixes"

  package var id: Int64?
  package var source: String
  package var observerId: Int64?
  package var fileId: Int64?
  package var captureId: Int64?
  package var number: Int
  package var timeNs: Int64?
  package var latitude: Double
  package var longitude: Double
  package var accuracyM: Double?
  /// Nil in cases of older forms.
  package var gapBefore: Bool?

  package init(
    id: Int64? = nil, source: String, observerId: Int64? = nil, fileId: Int64? = nil,
    captureId: Int64? = nil, number: Int, timeNs: Int64? = nil, latitude: Double, longitude: Double,
    accuracyM: Double? = nil, gapBefore: Bool? = nil
  ) {
    self.id = id
    self.source = source
    self.observerId = observerId
    self.fileId = fileId
    self.captureId = captureId
    self.number = number
    self.timeNs = timeNs
    self.latitude = latitude
    self.longitude = longitude
    self.accuracyM = accuracyM
    self.gapBefore = gapBefore
  }
}
