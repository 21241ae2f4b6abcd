package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// What `info` and `analyze` say about captures, as JSON. The keys are a contract: see FORMATS.md.
extension JSONWriter {
  /// - Parameter first: the capture of which it is a copy.
  mutating func capture(_ facts: CaptureFacts, copyOf first: String? = nil) throws {
    try object { json in
      json.pair("capture", facts.name)
      json.pair("bytes", Int(facts.bytes))
      json.pair("sha256", HexText.string(facts.sha256))
      if let first { json.pair("copy_of", first) }
      json.pair("container", facts.format)
      json.pair("compression", facts.compression?.rawValue)
      if !facts.comments.isEmpty {
        json.key("comments")
        try json.array { json in for comment in facts.comments { json.string(comment) } }
      }
      json.key("link_types")
      try json.array { json in
        for (link, records) in facts.links {
          try json.object { json in
            json.pair("number", link.number)
            json.pair("name", LinkTypes.name(link) ?? LinkNames.other(link))
            json.pair("records", records)
          }
        }
      }
      json.pair("from", facts.span.earliest)
      json.pair("to", facts.span.latest)
      json.pair("dropped", Int(clamping: facts.lost.packets))
      if facts.lost.first.isKnown {
        json.pair("dropped_first", facts.lost.first)
        json.pair("dropped_last", facts.lost.last)
      }
      if !facts.pauses.isEmpty { try json.pauses(facts) }
      json.key("observers")
      try json.array { json in for observer in facts.observers { try json.observer(observer) } }
      try json.accounting(facts.accounting)
      try json.clock(facts)
      json.key("damage")
      try json.array { json in for gap in facts.damage { try json.gap(gap) } }
    }
  }

  private mutating func accounting(_ accounting: Accounting) throws {
    key("records")
    try object { json in
      json.pair("total", accounting.records)
      for (kind, records) in accounting.classes { json.pair("\(kind.name)", records) }
    }
    key("reasons")
    try object { json in
      for kind in RecordClass.allCases {
        guard let entries = accounting.reasons[kind] else { continue }
        json.key("\(kind.name)")
        try json.array { json in for entry in entries { try json.entry(entry) } }
      }
    }
    pair("reports", accounting.reports)
    pair("reports_without_beacon", accounting.otherReports)
    key("warnings")
    try array { json in for entry in accounting.warnings { try json.entry(entry) } }
    if !accounting.refused.isEmpty {
      key("refused_payloads")
      try array { json in for entry in accounting.refused { try json.refused(entry) } }
      pair("refused_payloads_not_listed", accounting.refusedNotListed)
    }
    key("other_advertisers")
    try object { json in
      for (name, reports) in accounting.labels { json.pair(name, reports) }
      json.pair("unlabelled", accounting.unlabelledReports)
    }
  }

  private mutating func refused(_ entry: Accounting.Refused) throws {
    try object { json in
      json.pair("address", entry.address.isPresent ? BeaconTable.address(entry.address) : nil)
      json.pair("address_type", "\(entry.address.kindName)")
      json.pair("code", entry.reason.name)
      json.pair("count", entry.count)
      json.pair("first_frame", entry.firstFrame)
    }
  }

  private mutating func entry(_ entry: Accounting.Entry) throws {
    try object { json in
      json.pair("code", entry.code.rawValue)
      json.pair("count", entry.count)
      json.pair("first_frame", entry.firstFrame == 0 ? nil : entry.firstFrame)
      if !entry.detail.isEmpty { json.pair("detail", entry.detail) }
    }
  }

  private mutating func pauses(_ facts: CaptureFacts) throws {
    pair("pauses_total", facts.pauses.count + facts.pausesNotListed)
    key("pauses")
    try array { json in
      for pause in facts.pauses {
        try json.object { json in
          json.pair("interface", facts.interfaceNames[Int(pause.interface)])
          json.pair("from", pause.from)
          json.pair("to", pause.to)
        }
      }
    }
  }

  mutating func clock(_ facts: CaptureFacts) throws {
    key("clock")
    try object { json in
      json.pair("largest_step_back_s", Double(facts.span.largestStepBack) / 1e9, decimals: 6)
      json.pair("largest_step_forward_s", Double(facts.span.largestStepForward) / 1e9, decimals: 6)
      if facts.span.firstOutlier.isKnown { json.pair("first_outlier", facts.span.firstOutlier) }
      if let by = facts.correction.constant {
        json.pair("moved_s", Double(by) / 1e9, decimals: 6)
      } else if !facts.correction.isNone {
        json.key("moved")
        try json.array { json in for piece in facts.correction.pieces { try json.moved(piece) } }
      }
    }
  }

  /// A part of a capture whose clock was moved.
  private mutating func moved(_ piece: ClockCorrection.Piece) throws {
    try object { json in
      if piece.hasStart { json.pair("from", Timestamp(nanoseconds: piece.from)) }
      if piece.hasEnd { json.pair("until", Timestamp(nanoseconds: piece.until)) }
      json.pair("by_s", Double(piece.by) / 1e9, decimals: 6)
      json.pair("drift_ppm", Double(piece.drift) / 1e3, decimals: 3)
    }
  }

  private mutating func gap(_ gap: ContainerLog.Gap) throws {
    try object { json in
      json.pair("offset", Int(gap.offset))
      json.pair("bytes", Int(gap.bytes))
      json.pair("reason", gap.reason.rawValue)
      json.pair("detail", gap.detail)
      json.pair("resumed_at_frame", gap.resumedAtFrame)
      json.pair("from", gap.from)
      json.pair("to", gap.to)
    }
  }

  private mutating func observer(_ observer: ObserverFacts) throws {
    try object { json in
      json.pair("name", observer.name)
      if let controller = observer.controller {
        json.key("controller_address")
        json.raw { text in
          text.text("\"")
          text.address(controller.address)
          text.text("\"")
        }
      }
      if let note = observer.systemNote { json.pair("system", note) }
      json.pair("reports", observer.reports)
      if observer.carriesHCI {
        json.pair("reports_while_scan_off", observer.reportsWhileOff)
      }
      json.pair("first_report", observer.firstReport)
      json.pair("last_report", observer.lastReport)
      json.key("scan")
      if observer.carriesHCI { try json.scan(observer) } else { json.string(nil) }
    }
  }

  private mutating func scan(_ observer: ObserverFacts) throws {
    let scan = observer.scan
    try object { json in
      json.pair("listening_s", Double(scan.listening) / 1e9, decimals: 6)
      json.pair("listened_s", Double(observer.listened) / 1e9, decimals: 6)
      json.pair("unrecorded_s", Double(scan.unrecorded) / 1e9, decimals: 6)
      json.pair("windows_total", scan.windows.count + scan.windowsNotListed)
      json.key("windows")
      try json.array { json in
        for window in scan.windows.prefix(ObserverText.mostWindows) {
          try json.object { json in
            json.pair("from", window.start)
            json.pair("to", window.end)
            json.pair("end_reason", window.endReason.rawValue)
            json.pair("active", window.parameters?.isActive)
            json.pair(
              "interval_ms", window.parameters.map { Double($0.interval) * 0.625 }, decimals: 3)
            json.pair("window_ms", window.parameters.map { Double($0.window) * 0.625 }, decimals: 3)
            let rhythm = window.rhythm
            let rests = rhythm.share != nil
            let ends = rhythm.duration > 0 && (rests || rhythm.period == 0)
            json.pair("duration_s", ends ? Double(rhythm.duration) / 100 : nil, decimals: 2)
            json.pair("period_s", rests ? Double(rhythm.period) * 1.28 : nil, decimals: 2)
            json.pair("filter_duplicates", window.filtersDuplicates)
            if window.listedOnly > 0 {
              json.pair("listed_only_s", Double(window.listedOnly) / 1e9, decimals: 6)
            }
            if window.contentFiltered > 0 {
              json.pair("content_filter_s", Double(window.contentFiltered) / 1e9, decimals: 6)
            }
            json.pair("inferred", window.isInferred)
          }
        }
      }
    }
  }

  mutating func problem(_ problem: CaptureProblem) throws {
    try object { json in
      json.pair("capture", problem.capture)
      json.pair("code", problem.code.rawValue)
      json.pair("offset", problem.offset.map { Int($0) })
      json.pair("detail", problem.detail)
      json.pair("remedy", problem.remedy)
    }
  }
}

extension JSONWriter {
  /// Members of an object: inputs that could not be read, and what was no input.
  mutating func notRead(_ result: AnalysisResult) throws {
    key("problems")
    try array { json in for problem in result.problems { try json.problem(problem) } }
    key("passed_over")
    try array { json in
      for problem in result.passedOver {
        try json.object { json in
          json.pair("file", problem.capture)
          json.pair("code", problem.code.rawValue)
          json.pair("detail", problem.detail)
        }
      }
    }
  }
}

/// `info --format json`.
package enum InfoJSON {
  package static func write(_ result: AnalysisResult, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 3)
    let copies = CopiesOfCaptures(result.captures)
    try json.object { json in
      json.key("captures")
      try json.array { json in
        for (place, facts) in result.captures.enumerated() {
          try json.capture(facts, copyOf: copies.first(of: place))
        }
      }
      try json.notRead(result)
    }
    try json.finish()
  }
}
