import Analysis
import Beacons
import CaptureReader
import CaseStore
import Exports
import FrameDecoder
import Regions

/// What was read, by which settings, and what was odd about it.
extension CaseFilling {
  func addInputs(_ tables: CaseTables) throws {
    let spans = result.captures.map(\.span)
    try tables.addFact("tool_version", surroundings.version)
    try tables.addFact("form", CaseSchema.form)
    try tables.addFact("from_ns", spans.map(\.earliest).filter(\.isKnown).map(\.nanoseconds).min())
    try tables.addFact("to_ns", spans.map(\.latest).filter(\.isKnown).map(\.nanoseconds).max())
    try tables.addFact("keeps_sightings", surroundings.keepsSightings)
    try tables.addFact("keeps_proximity", surroundings.keepsProximity)
    try tables.addFact("default_regions", result.timeline?.isDefaultRegions)
    try tables.addFact("regions_per", result.timeline?.foundRegions?.rawValue)
    try tables.add(surroundings.options.map { OptionRow(word: $0) })
    try tables.add(surroundings.files)
    for (facts, id) in zip(result.captures, captureIDs.compactMap { $0 }) {
      try addCapture(facts, id, tables)
    }
    try tables.add(
      result.problems.map { problem in
        ProblemRow(
          capture: problem.capture, code: problem.code.rawValue,
          byte: problem.offset.map { Int($0) }, detail: problem.detail, remedy: problem.remedy)
      })
    try tables.add(surroundings.unread)
    try tables.add(
      (result.timeline?.judges ?? []).map { judge in
        PluginRow(
          name: judge.rule.plugin, version: judge.rule.version, sha256: judge.rule.sha256,
          alerts: judge.alerts, heldBack: judge.heldBack, errors: judge.errorCount,
          switchedOffNs: judge.switchedOff.known)
      })
  }

  private func addCapture(_ facts: CaptureFacts, _ id: Int64, _ tables: CaseTables) throws {
    let accounting = facts.accounting
    func records(_ kind: RecordClass) -> Int {
      accounting.classes.first { $0.kind == kind }?.records ?? 0
    }
    let links = facts.links.map { link, _ in
      LinkTypes.name(link) ?? LinkNames.other(link) ?? "link type \(link.number ?? 0)"
    }
    try tables.add([
      CaptureRow(
        id: id, name: facts.name, bytes: Int(facts.bytes),
        sha256: facts.sha256.isEmpty ? nil : HexText.string(facts.sha256),
        container: facts.format, compression: facts.compression?.rawValue,
        linkTypes: links.joined(separator: ", "), fromNs: facts.span.earliest.known,
        toNs: facts.span.latest.known, records: accounting.records,
        advertising: records(.advertising), other: records(.other),
        malformed: records(.malformed), truncated: records(.truncated),
        crcFailed: records(.crcFailed), unsupported: records(.unsupported),
        reports: accounting.reports, lostPackets: Int(clamping: facts.lost.packets),
        stepBackNs: facts.span.largestStepBack, stepForwardNs: facts.span.largestStepForward,
        isDamaged: facts.isDamaged, observer: facts.stem,
        movedNs: facts.correction.isNone ? 0 : facts.correction.constant,
        movedHow: facts.correction.constant == nil ? Remarks.movedHow(facts) : nil)
    ])
    try addAccounting(accounting, id, tables)
    try tables.add(
      facts.damage.map { gap in
        DamageRow(
          captureId: id, byte: Int(gap.offset), bytes: Int(gap.bytes),
          reason: gap.reason.rawValue, detail: gap.detail, resumedAtFrame: gap.resumedAtFrame,
          fromNs: gap.from.known, toNs: gap.to.known)
      })
    try tables.add(
      facts.pauses.map { pause in
        PauseRow(
          captureId: id, interface: facts.interfaceNames[Int(pause.interface)],
          fromNs: pause.from.known, toNs: pause.to.known)
      })
  }

  private func addAccounting(_ accounting: Accounting, _ id: Int64, _ tables: CaseTables) throws {
    func row(_ kind: String, _ entry: Accounting.Entry) -> AccountingRow {
      AccountingRow(
        captureId: id, kind: kind, code: entry.code.rawValue, count: entry.count,
        firstFrame: entry.firstFrame == 0 ? nil : entry.firstFrame,
        detail: entry.detail.isEmpty ? nil : entry.detail)
    }
    for kind in RecordClass.allCases {
      try tables.add((accounting.reasons[kind] ?? []).map { row("\(kind.name)", $0) })
    }
    try tables.add(accounting.warnings.map { row("warning", $0) })
    if accounting.otherReports > 0 {
      try tables.add([
        AccountingRow(
          captureId: id, kind: "others", code: "without_beacon", count: accounting.otherReports)
      ])
    }
    var labels = accounting.labels
    if accounting.unlabelledReports > 0 {
      labels.append(("unlabelled", accounting.unlabelledReports))
    }
    try tables.add(
      labels.map { name, reports in
        AccountingRow(captureId: id, kind: "label", code: name, count: reports)
      })
  }

  /// WORTH KNOWING, what folders held that was not read, hints and warnings.
  func addRemarks(_ tables: CaseTables) throws {
    let writer = try tables.writer("remarks")
    func add(
      _ kind: String, _ code: String?, capture: String? = nil, beacon: String? = nil,
      _ text: String
    ) throws {
      writer.int(Int64?.none)
      writer.text(kind)
      writer.text(code)
      writer.text(capture)
      writer.text(beacon)
      writer.text(text)
      try writer.end()
    }
    try Remarks.forEach(result, beacons, IdentifierChains(beacons, result)) { remark in
      try add("remark", remark.code, capture: remark.capture, beacon: remark.id, remark.text)
    }
    for file in result.passedOver {
      try add(
        RemarkRow.passedOver, file.code.rawValue, capture: file.capture, file.detail + ".")
    }
    guard let timeline = result.timeline else { return }
    for hint in timeline.hints { try add("hint", hint.code, hint.text) }
    for warning in timeline.problems + timeline.warnings { try add("warning", nil, warning) }
    if let chains = explained.remark { try add("remark", "chains_not_kept", chains) }
  }
}

extension Timestamp {
  /// Nanoseconds; nil where it is not known.
  var known: Int64? { isKnown ? nanoseconds : nil }
}
