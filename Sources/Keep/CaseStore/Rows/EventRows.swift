package import Foundation
import GRDB

// What happened, and what proves it. `CaseMigration.findings` says what the columns mean.

package struct EventRow: CaseRow {
  package static let databaseTableName = "events"

  package var id: Int64?
  package var event: String
  package var type: String
  package var timeNs: Int64?
  package var observerId: Int64?
  package var regionId: Int64?
  package var profileId: Int64?
  package var transmitterId: Int64?
  package var state: String?
  package var grade: String?
  package var title: String
  package var json: String

  package init(
    id: Int64? = nil, event: String, type: String, timeNs: Int64? = nil, observerId: Int64? = nil,
    regionId: Int64? = nil, profileId: Int64? = nil, transmitterId: Int64? = nil,
    state: String? = nil, grade: String? = nil, title: String, json: String
  ) {
    self.id = id
    self.event = event
    self.type = type
    self.timeNs = timeNs
    self.observerId = observerId
    self.regionId = regionId
    self.profileId = profileId
    self.transmitterId = transmitterId
    self.state = state
    self.grade = grade
    self.title = title
    self.json = json
  }
}

package struct AlertRow: CaseRow {
  package static let databaseTableName = "alerts"

  package var id: Int64?
  package var eventId: Int64
  package var severity: String
  package var title: String
  package var text: String
  package var plugin: String
  package var pluginVersion: String
  package var pluginSha256: String
  package var dedupeKey: String
  package var heldBack: Int
  package var fields: String

  package init(
    id: Int64? = nil, eventId: Int64, severity: String, title: String, text: String, plugin: String,
    pluginVersion: String, pluginSha256: String, dedupeKey: String, heldBack: Int, fields: String
  ) {
    self.id = id
    self.eventId = eventId
    self.severity = severity
    self.title = title
    self.text = text
    self.plugin = plugin
    self.pluginVersion = pluginVersion
    self.pluginSha256 = pluginSha256
    self.dedupeKey = dedupeKey
    self.heldBack = heldBack
    self.fields = fields
  }
}

package struct CitationRow: CaseRow {
  package static let databaseTableName = "citations"

  package var id: Int64?
  package var alertId: Int64
  package var event: String

  package init(
    id: Int64? = nil, alertId: Int64, event: String
  ) {
    self.id = id
    self.alertId = alertId
    self.event = event
  }
}

package struct EvidenceRow: CaseRow {
  package static let databaseTableName = "evidence"

  package var id: Int64?
  package var eventId: Int64
  package var captureId: Int64?
  package var fileId: Int64?
  package var number: Int
  package var words: String?
  package var marks: String?
  package var partOf: Int?

  package init(
    id: Int64? = nil, eventId: Int64, captureId: Int64? = nil, fileId: Int64? = nil, number: Int,
    words: String? = nil, marks: String? = nil, partOf: Int? = nil
  ) {
    self.id = id
    self.eventId = eventId
    self.captureId = captureId
    self.fileId = fileId
    self.number = number
    self.words = words
    self.marks = marks
    self.partOf = partOf
  }
}

package struct StepRow: CaseRow {
  package static let databaseTableName = "steps"

  package var id: Int64?
  package var eventId: Int64
  package var label: String
  package var text: String?

  package init(
    id: Int64? = nil, eventId: Int64, label: String, text: String? = nil
  ) {
    self.id = id
    self.eventId = eventId
    self.label = label
    self.text = text
  }
}

package struct FrameRow: CaseRow {
  package static let databaseTableName = "frames"

  package var id: Int64?
  package var captureId: Int64
  package var frame: Int
  package var timeNs: Int64?
  package var linkType: Int?
  package var rssi: Int?
  package var address: String?
  package var bytes: Data
  package var tag: Int?
  package var direction: String?
  package var originalBytes: Int?

  package init(
    id: Int64? = nil, captureId: Int64, frame: Int, timeNs: Int64? = nil, linkType: Int? = nil,
    rssi: Int? = nil, address: String? = nil, bytes: Data, tag: Int? = nil,
    direction: String? = nil, originalBytes: Int? = nil
  ) {
    self.id = id
    self.captureId = captureId
    self.frame = frame
    self.timeNs = timeNs
    self.linkType = linkType
    self.rssi = rssi
    self.address = address
    self.bytes = bytes
    self.tag = tag
    self.direction = direction
    self.originalBytes = originalBytes
  }
}
