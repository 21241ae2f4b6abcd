import GRDB

// Who listened, who was heard. `CaseMigration.findings` says what the columns mean.

package struct ObserverRow: CaseRow {
  package static let databaseTableName = "observers"

  package var id: Int64?
  package var name: String
  package var fromNs: Int64?
  package var toNs: Int64?
  package var reports: Int
  package var controller: String?
  package var system: String?
  package var listeningNs: Int64?
  /// Whether these are messages of a host about itself; nil in cases of older forms.
  package var isHost: Bool?

  /// Whether it could hear nobody. Cases of older forms have what a host says of its system.
  package var isNoRadio: Bool { isHost ?? (system != nil && reports == 0) }

  package init(
    id: Int64? = nil, name: String, fromNs: Int64? = nil, toNs: Int64? = nil, reports: Int,
    controller: String? = nil, system: String? = nil, listeningNs: Int64? = nil,
    isHost: Bool? = nil
  ) {
    self.id = id
    self.name = name
    self.fromNs = fromNs
    self.toNs = toNs
    self.reports = reports
    self.controller = controller
    self.system = system
    self.listeningNs = listeningNs
    self.isHost = isHost
  }
}

package struct ScanWindowRow: CaseRow {
  package static let databaseTableName = "scan_windows"

  package var id: Int64?
  package var observerId: Int64
  package var fromNs: Int64?
  package var toNs: Int64?
  package var endReason: String?
  package var isActive: Bool?
  package var intervalMs: Double?
  package var windowMs: Double?
  package var filtersDuplicates: Bool?

  package init(
    id: Int64? = nil, observerId: Int64, fromNs: Int64? = nil, toNs: Int64? = nil,
    endReason: String? = nil, isActive: Bool? = nil, intervalMs: Double? = nil,
    windowMs: Double? = nil, filtersDuplicates: Bool? = nil
  ) {
    self.id = id
    self.observerId = observerId
    self.fromNs = fromNs
    self.toNs = toNs
    self.endReason = endReason
    self.isActive = isActive
    self.intervalMs = intervalMs
    self.windowMs = windowMs
    self.filtersDuplicates = filtersDuplicates
  }
}

package struct DeafRow: CaseRow {
  package static let databaseTableName = "deaf"

  package var id: Int64?
  package var observerId: Int64
  package var fromNs: Int64
  package var toNs: Int64

  package init(
    id: Int64? = nil, observerId: Int64, fromNs: Int64, toNs: Int64
  ) {
    self.id = id
    self.observerId = observerId
    self.fromNs = fromNs
    self.toNs = toNs
  }
}

package struct RecordingRow: CaseRow {
  package static let databaseTableName = "recordings"

  package var id: Int64?
  package var observerId: Int64
  package var fromNs: Int64
  package var toNs: Int64
  package var continues: Bool

  package init(
    id: Int64? = nil, observerId: Int64, fromNs: Int64, toNs: Int64, continues: Bool = false
  ) {
    self.id = id
    self.observerId = observerId
    self.fromNs = fromNs
    self.toNs = toNs
    self.continues = continues
  }
}

package struct UnplacedRow: CaseRow {
  package static let databaseTableName = "unplaced"

  package var id: Int64?
  package var observerId: Int64
  package var fromNs: Int64
  package var toNs: Int64

  package init(
    id: Int64? = nil, observerId: Int64, fromNs: Int64, toNs: Int64
  ) {
    self.id = id
    self.observerId = observerId
    self.fromNs = fromNs
    self.toNs = toNs
  }
}

package struct BeaconRow: CaseRow {
  package static let databaseTableName = "beacons"

  package var id: Int64?
  package var kind: String
  package var kindName: String
  package var identity: String
  package var groupName: String
  package var shortName: String
  package var sightings: Int
  package var firstNs: Int64?
  package var lastNs: Int64?
  package var medianIntervalMs: Double?
  package var rssiMin: Int?
  package var rssiMedian: Int?
  package var rssiMax: Int?
  package var powerMin: Int?
  package var powerMax: Int?
  package var powerAtM: Int?
  package var batteryMv: Int?
  package var temperatureC: Double?
  package var advCount: Int?
  package var uptimeS: Double?
  package var telemetryNs: Int64?
  package var telemetrySightings: Int?
  package var encryptedTelemetry: Int
  package var companions: Int
  package var warnings: String?

  package init(
    id: Int64? = nil, kind: String, kindName: String, identity: String, groupName: String,
    shortName: String, sightings: Int, firstNs: Int64? = nil, lastNs: Int64? = nil,
    medianIntervalMs: Double? = nil, rssiMin: Int? = nil, rssiMedian: Int? = nil,
    rssiMax: Int? = nil, powerMin: Int? = nil, powerMax: Int? = nil, powerAtM: Int? = nil,
    batteryMv: Int? = nil, temperatureC: Double? = nil, advCount: Int? = nil,
    uptimeS: Double? = nil, telemetryNs: Int64? = nil, telemetrySightings: Int? = nil,
    encryptedTelemetry: Int, companions: Int, warnings: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.kindName = kindName
    self.identity = identity
    self.groupName = groupName
    self.shortName = shortName
    self.sightings = sightings
    self.firstNs = firstNs
    self.lastNs = lastNs
    self.medianIntervalMs = medianIntervalMs
    self.rssiMin = rssiMin
    self.rssiMedian = rssiMedian
    self.rssiMax = rssiMax
    self.powerMin = powerMin
    self.powerMax = powerMax
    self.powerAtM = powerAtM
    self.batteryMv = batteryMv
    self.temperatureC = temperatureC
    self.advCount = advCount
    self.uptimeS = uptimeS
    self.telemetryNs = telemetryNs
    self.telemetrySightings = telemetrySightings
    self.encryptedTelemetry = encryptedTelemetry
    self.companions = companions
    self.warnings = warnings
  }
}

package struct TransmitterRow: CaseRow {
  package static let databaseTableName = "transmitters"

  package var id: Int64?
  package var beaconId: Int64
  package var address: String?
  package var addressType: String
  package var sightings: Int
  package var firstNs: Int64?
  package var lastNs: Int64?
  package var firstCaptureId: Int64?
  package var firstFrame: Int?
  package var observers: String

  package init(
    id: Int64? = nil, beaconId: Int64, address: String? = nil, addressType: String, sightings: Int,
    firstNs: Int64? = nil, lastNs: Int64? = nil, firstCaptureId: Int64? = nil,
    firstFrame: Int? = nil, observers: String
  ) {
    self.id = id
    self.beaconId = beaconId
    self.address = address
    self.addressType = addressType
    self.sightings = sightings
    self.firstNs = firstNs
    self.lastNs = lastNs
    self.firstCaptureId = firstCaptureId
    self.firstFrame = firstFrame
    self.observers = observers
  }
}

package struct ReceptionRow: CaseRow {
  package static let databaseTableName = "receptions"

  package var id: Int64?
  package var beaconId: Int64
  package var observerId: Int64
  package var sightings: Int
  package var firstNs: Int64?
  package var lastNs: Int64?
  package var medianIntervalMs: Double?
  package var rssiMin: Int?
  package var rssiMedian: Int?
  package var rssiMax: Int?

  package init(
    id: Int64? = nil, beaconId: Int64, observerId: Int64, sightings: Int, firstNs: Int64? = nil,
    lastNs: Int64? = nil, medianIntervalMs: Double? = nil, rssiMin: Int? = nil,
    rssiMedian: Int? = nil, rssiMax: Int? = nil
  ) {
    self.id = id
    self.beaconId = beaconId
    self.observerId = observerId
    self.sightings = sightings
    self.firstNs = firstNs
    self.lastNs = lastNs
    self.medianIntervalMs = medianIntervalMs
    self.rssiMin = rssiMin
    self.rssiMedian = rssiMedian
    self.rssiMax = rssiMax
  }
}

package struct HearingRow: CaseRow {
  package static let databaseTableName = "hearings"

  package var id: Int64?
  package var transmitterId: Int64?
  package var observerId: Int64
  package var kind: String

  package init(id: Int64? = nil, transmitterId: Int64? = nil, observerId: Int64, kind: String) {
    self.id = id
    self.transmitterId = transmitterId
    self.observerId = observerId
    self.kind = kind
  }
}
