import GRDB

// What was read, by which settings. `CaseMigration.findings` says what the columns mean.

package struct OptionRow: CaseRow {
  package static let databaseTableName = "options"

  package var id: Int64?
  package var word: String

  package init(
    id: Int64? = nil, word: String
  ) {
    self.id = id
    self.word = word
  }
}

package struct FileRow: CaseRow {
  package static let databaseTableName = "files"

  package var id: Int64?
  package var role: String
  package var name: String
  package var bytes: Int?
  package var sha256: String?

  package init(
    id: Int64? = nil, role: String, name: String, bytes: Int? = nil, sha256: String? = nil
  ) {
    self.id = id
    self.role = role
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }
}

package struct CaptureRow: CaseRow {
  package static let databaseTableName = "captures"

  package var id: Int64?
  package var name: String
  package var bytes: Int
  package var sha256: String?
  package var container: String
  package var compression: String?
  package var linkTypes: String
  package var fromNs: Int64?
  package var toNs: Int64?
  package var records: Int
  package var advertising: Int
  package var other: Int
  package var malformed: Int
  package var truncated: Int
  package var crcFailed: Int
  package var unsupported: Int
  package var reports: Int
  package var lostPackets: Int
  package var stepBackNs: Int64
  package var stepForwardNs: Int64
  package var isDamaged: Bool
  /// What the names of its observers begin with; nil in cases of older forms.
  package var observer: String?
  /// By how much its times are later than they stand in it; nil where that differs, and in cases of older forms.
  package var movedNs: Int64?
  /// How its times were set right where that differs: a clause; nil otherwise.
  package var movedHow: String?

  package init(
    id: Int64? = nil, name: String, bytes: Int, sha256: String? = nil, container: String,
    compression: String? = nil, linkTypes: String, fromNs: Int64? = nil, toNs: Int64? = nil,
    records: Int, advertising: Int, other: Int, malformed: Int, truncated: Int, crcFailed: Int,
    unsupported: Int, reports: Int, lostPackets: Int, stepBackNs: Int64, stepForwardNs: Int64,
    isDamaged: Bool, observer: String? = nil, movedNs: Int64? = nil, movedHow: String? = nil
  ) {
    self.id = id
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
    self.container = container
    self.compression = compression
    self.linkTypes = linkTypes
    self.fromNs = fromNs
    self.toNs = toNs
    self.records = records
    self.advertising = advertising
    self.other = other
    self.malformed = malformed
    self.truncated = truncated
    self.crcFailed = crcFailed
    self.unsupported = unsupported
    self.reports = reports
    self.lostPackets = lostPackets
    self.stepBackNs = stepBackNs
    self.stepForwardNs = stepForwardNs
    self.isDamaged = isDamaged
    self.observer = observer
    self.movedNs = movedNs
    self.movedHow = movedHow
  }
}

package struct AccountingRow: CaseRow {
  package static let databaseTableName = "accounting"

  package var id: Int64?
  package var captureId: Int64
  package var kind: String
  package var code: String
  package var count: Int
  package var firstFrame: Int?
  package var detail: String?

  package init(
    id: Int64? = nil, captureId: Int64, kind: String, code: String, count: Int,
    firstFrame: Int? = nil, detail: String? = nil
  ) {
    self.id = id
    self.captureId = captureId
    self.kind = kind
    self.code = code
    self.count = count
    self.firstFrame = firstFrame
    self.detail = detail
  }
}

package struct DamageRow: CaseRow {
  package static let databaseTableName = "damage"

  package var id: Int64?
  package var captureId: Int64
  package var byte: Int
  package var bytes: Int
  package var reason: String
  package var detail: String
  package var resumedAtFrame: Int?
  /// Of the frames before it and behind it: nil where there is none, or it has no time, and in cases of older
  /// forms.
  package var fromNs: Int64?
  package var toNs: Int64?

  package init(
    id: Int64? = nil, captureId: Int64, byte: Int, bytes: Int, reason: String, detail: String,
    resumedAtFrame: Int? = nil, fromNs: Int64? = nil, toNs: Int64? = nil
  ) {
    self.id = id
    self.captureId = captureId
    self.byte = byte
    self.bytes = bytes
    self.reason = reason
    self.detail = detail
    self.resumedAtFrame = resumedAtFrame
    self.fromNs = fromNs
    self.toNs = toNs
  }
}

package struct PauseRow: CaseRow {
  package static let databaseTableName = "pauses"

  package var id: Int64?
  package var captureId: Int64
  package var interface: String?
  package var fromNs: Int64?
  package var toNs: Int64?

  package init(
    id: Int64? = nil, captureId: Int64, interface: String? = nil, fromNs: Int64? = nil,
    toNs: Int64? = nil
  ) {
    self.id = id
    self.captureId = captureId
    self.interface = interface
    self.fromNs = fromNs
    self.toNs = toNs
  }
}

package struct ProblemRow: CaseRow {
  package static let databaseTableName = "problems"

  package var id: Int64?
  package var capture: String
  package var code: String
  package var byte: Int?
  package var detail: String
  package var remedy: String?

  package init(
    id: Int64? = nil, capture: String, code: String, byte: Int? = nil, detail: String,
    remedy: String? = nil
  ) {
    self.id = id
    self.capture = capture
    self.code = code
    self.byte = byte
    self.detail = detail
    self.remedy = remedy
  }
}

package struct RemarkRow: CaseRow {
  package static let databaseTableName = "remarks"
  /// The kind of what `analyze` has under WORTH KNOWING.
  package static let ofAnalysis = "remark"
  /// The kind of what folders held and is no capture.
  package static let passedOver = "passed_over"

  package var id: Int64?
  package var kind: String
  package var code: String?
  package var capture: String?
  package var beacon: String?
  package var text: String

  package init(
    id: Int64? = nil, kind: String, code: String? = nil, capture: String? = nil,
    beacon: String? = nil, text: String
  ) {
    self.id = id
    self.kind = kind
    self.code = code
    self.capture = capture
    self.beacon = beacon
    self.text = text
  }
}

package struct UnreadRow: CaseRow {
  package static let databaseTableName = "unread"
  /// The kinds: what is among the problems, and what is among the remarks of the kind of that name.
  package static let problem = "problem"
  package static let passedOver = RemarkRow.passedOver

  package var id: Int64?
  package var kind: String
  package var name: String
  package var bytes: Int?
  package var sha256: String?

  package init(
    id: Int64? = nil, kind: String, name: String, bytes: Int? = nil, sha256: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }
}

package struct PluginRow: CaseRow {
  package static let databaseTableName = "plugins"

  package var id: Int64?
  package var name: String
  package var version: String
  package var sha256: String
  package var alerts: Int
  package var heldBack: Int
  package var errors: Int
  package var switchedOffNs: Int64?

  package init(
    id: Int64? = nil, name: String, version: String, sha256: String, alerts: Int, heldBack: Int,
    errors: Int, switchedOffNs: Int64? = nil
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.sha256 = sha256
    self.alerts = alerts
    self.heldBack = heldBack
    self.errors = errors
    self.switchedOffNs = switchedOffNs
  }
}
