package import Analysis
import Beacons
import CaptureReader

/// `clocks --format json`. The keys are a contract: see FORMATS.md.
package enum ClocksJSON {
  package static func write(
    _ comparison: ClockComparison, of clocks: [ComparedClock], _ result: AnalysisResult,
    to output: any TextOutput
  ) throws {
    var json = JSONWriter(output, lineDepth: 5)
    let names = clocks.map(\.name)
    let observers = observers(clocks, result)
    try json.object { json in
      json.key("captures")
      try json.array { json in
        for capture in result.captures {
          try json.object { json in
            json.pair("capture", capture.name)
            if let observer = observers[capture.name] { json.pair("observer", observer) }
            json.pair("sha256", HexText.string(capture.sha256))
            try json.clock(capture)
          }
        }
      }
      json.key("groups")
      try json.array { json in
        for group in comparison.groups {
          try json.object { json in
            json.pair("against", names[group.against])
            json.key("captures")
            try json.array { json in
              for capture in group.captures { try json.capture(capture, names) }
            }
          }
        }
      }
      json.key("not_known")
      try json.array { json in
        let read = Set(result.captures.map(\.name))
        for capture in comparison.alone where clocks[capture.place].isRead(read, in: result) {
          try json.alone(capture, names)
        }
      }
      json.key("not_compared")
      try json.array { json in
        for place in comparison.notCompared { json.string(result.captureNames[place]) }
      }
      json.pair("complete", comparison.isComplete)
      json.key("remarks")
      try json.array { json in
        for remark in Remarks.signalsRepeated(result.captures)
          + Remarks.unshared(comparison, clocks, result)
        {
          try json.object { json in
            json.pair("code", remark.code)
            json.pair("capture", remark.capture)
            json.pair("text", remark.text)
          }
        }
      }
      try json.notRead(result)
    }
    try json.finish()
  }

  /// By the capture's name, what its clock is called where that is something else.
  private static func observers(
    _ clocks: [ComparedClock], _ result: AnalysisResult
  ) -> [String: String] {
    var observers: [String: String] = [:]
    for clock in clocks {
      for place in clock.captures where result.captureNames[place] != clock.name {
        observers[result.captureNames[place]] = clock.name
      }
    }
    return observers
  }
}

extension ComparedClock {
  /// Whether one of its captures could be read: of others it is told why not, and nothing of what they hold.
  /// - Parameter read: names of the captures that could be.
  func isRead(_ read: Set<String>, in result: AnalysisResult) -> Bool {
    captures.contains { read.contains(result.captureNames[$0]) }
  }
}

extension JSONWriter {
  /// To the microsecond.
  fileprivate mutating func seconds(_ name: String, _ nanoseconds: Int64) {
    pair(name, Double(nanoseconds) / 1e9, decimals: 6)
  }

  fileprivate mutating func capture(_ capture: ClockComparison.Capture, _ names: [String]) throws {
    try object { json in
      json.pair("capture", names[capture.place])
      json.pair("through", names[capture.through])
      json.seconds("ahead_s", capture.ahead)
      json.pair("advertisers", capture.track.advertisers)
      json.pair("packets", capture.track.packets)
      json.key("pieces")
      try json.array { json in for piece in capture.track.pieces { try json.piece(piece) } }
    }
  }

  private mutating func piece(_ piece: ClockTrack.Piece) throws {
    try object { json in
      json.pair("from", Timestamp(nanoseconds: piece.first))
      json.pair("to", Timestamp(nanoseconds: piece.last))
      json.seconds("ahead_s", piece.ahead)
      json.pair("drift_ppm", piece.rate.map { $0 * 1e6 }, decimals: 3)
      json.pair("packets", piece.packets)
      json.key("points")
      try json.array { json in
        for point in piece.points {
          try json.object { json in
            json.pair("time", Timestamp(nanoseconds: point.time))
            json.seconds("ahead_s", point.ahead)
            json.pair("packets", point.packets)
          }
        }
      }
    }
  }

  fileprivate mutating func alone(_ capture: ClockComparison.Alone, _ names: [String]) throws {
    try object { json in
      json.pair("capture", names[capture.place])
      let reason =
        !capture.hasHeard
        ? "no_beacon"
        : capture.advertisers == 0
          ? "no_common_advertiser" : "no_common_packets"
      json.pair("reason", reason)
      json.pair("advertisers", capture.advertisers)
    }
  }
}
