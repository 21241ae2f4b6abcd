package import GRDB

// What is drawn. `CaseMigration.findings` says what the columns mean.

package struct SignalBinRow: CaseRow {
  package static let databaseTableName = "signal_bins"

  package var id: Int64?
  package var beaconId: Int64
  package var fromNs: Int64
  package var toNs: Int64
  package var sightings: Int
  package var rssiMin: Int?
  package var rssiMedian: Int?
  package var rssiMax: Int?
  package var gapMedianMs: Double?
  /// Nil in cases of older forms.
  package var observerId: Int64?

  package init(
    id: Int64? = nil, beaconId: Int64, fromNs: Int64, toNs: Int64, sightings: Int,
    rssiMin: Int? = nil, rssiMedian: Int? = nil, rssiMax: Int? = nil, gapMedianMs: Double? = nil,
    observerId: Int64? = nil
  ) {
    self.id = id
    self.beaconId = beaconId
    self.fromNs = fromNs
    self.toNs = toNs
    self.sightings = sightings
    self.rssiMin = rssiMin
    self.rssiMedian = rssiMedian
    self.rssiMax = rssiMax
    self.gapMedianMs = gapMedianMs
    self.observerId = observerId
  }

  /// There are tens of thousands; a row that decodes itself takes much longer to read.
  package init(row: Row) {
    id = row["id"]
    beaconId = row["beacon_id"]
    fromNs = row["from_ns"]
    toNs = row["to_ns"]
    sightings = row["sightings"]
    rssiMin = row["rssi_min"]
    rssiMedian = row["rssi_median"]
    rssiMax = row["rssi_max"]
    gapMedianMs = row["gap_median_ms"]
    observerId = row["observer_id"]
  }
}

package struct TelemetryBinRow: CaseRow {
  package static let databaseTableName = "telemetry_bins"

  package var id: Int64?
  package var beaconId: Int64
  package var fromNs: Int64
  package var toNs: Int64
  package var count: Int
  package var batteryMinMv: Int?
  package var batteryMedianMv: Int?
  package var batteryMaxMv: Int?
  package var temperatureMinC: Double?
  package var temperatureMedianC: Double?
  package var temperatureMaxC: Double?

  package init(
    id: Int64? = nil, beaconId: Int64, fromNs: Int64, toNs: Int64, count: Int,
    batteryMinMv: Int? = nil, batteryMedianMv: Int? = nil, batteryMaxMv: Int? = nil,
    temperatureMinC: Double? = nil, temperatureMedianC: Double? = nil,
    temperatureMaxC: Double? = nil
  ) {
    self.id = id
    self.beaconId = beaconId
    self.fromNs = fromNs
    self.toNs = toNs
    self.count = count
    self.batteryMinMv = batteryMinMv
    self.batteryMedianMv = batteryMedianMv
    self.batteryMaxMv = batteryMaxMv
    self.temperatureMinC = temperatureMinC
    self.temperatureMedianC = temperatureMedianC
    self.temperatureMaxC = temperatureMaxC
  }
}

package struct RangingRow: CaseRow {
  package static let databaseTableName = "ranging"

  package var id: Int64?
  package var timeNs: Int64
  package var observerId: Int64
  package var regionId: Int64
  package var place: Int
  package var transmitterId: Int64
  package var proximity: String
  package var accuracyM: Double?
  package var accuracyMinM: Double?
  package var accuracyMaxM: Double?
  package var rssi: Double?
  package var others: Int

  package init(
    id: Int64? = nil, timeNs: Int64, observerId: Int64, regionId: Int64, place: Int,
    transmitterId: Int64, proximity: String, accuracyM: Double? = nil, accuracyMinM: Double? = nil,
    accuracyMaxM: Double? = nil, rssi: Double? = nil, others: Int
  ) {
    self.id = id
    self.timeNs = timeNs
    self.observerId = observerId
    self.regionId = regionId
    self.place = place
    self.transmitterId = transmitterId
    self.proximity = proximity
    self.accuracyM = accuracyM
    self.accuracyMinM = accuracyMinM
    self.accuracyMaxM = accuracyMaxM
    self.rssi = rssi
    self.others = others
  }
}

package struct StrongestRow: CaseRow {
  package static let databaseTableName = "strongest"

  package var id: Int64?
  package var beaconId: Int64
  package var timeNs: Int64
  package var rssi: Int
  /// Nil in cases of older forms.
  package var observerId: Int64?

  package init(
    id: Int64? = nil, beaconId: Int64, timeNs: Int64, rssi: Int, observerId: Int64? = nil
  ) {
    self.id = id
    self.beaconId = beaconId
    self.timeNs = timeNs
    self.rssi = rssi
    self.observerId = observerId
  }
}
