import Analysis
import CaptureReader

extension Remarks {
  private static let mostStretches = 3

  /// Whiles in which two receivers heard the same beacons and hardly the same packets: one remark for each two.
  static func unshared(_ result: AnalysisResult) -> [Remark] {
    result.clocks.map { unshared($0.comparison, $0.clocks, result) } ?? []
  }

  static func unshared(
    _ comparison: ClockComparison, _ clocks: [ComparedClock], _ result: AnalysisResult
  ) -> [Remark] {
    comparison.groups.flatMap { group in
      group.captures.compactMap { capture in
        let stretches = capture.track.unshared
        guard let first = stretches.first else { return nil }
        let clock = clocks[capture.place]
        let (own, other) = (clock.name, clocks[capture.through].name)
        let times = stretches.prefix(mostStretches).map { stretch in
          TextColumns.spanAndZone(
            Timestamp(nanoseconds: stretch.first), Timestamp(nanoseconds: stretch.last))
        }.joined(separator: ", ")
        let more = stretches.count - mostStretches
        return Remark(
          "packets_unshared",
          capture: clock.captures.count == 1 ? result.captureNames[clock.captures[0]] : nil,
          of: .two,
          "\(own) and \(other) heard the same beacons \(times)"
            + (more > 0 ? " and \(TextColumns.counted(more, "time")) more" : "")
            + " as often as at other times, and hardly the same packets ("
            + "\(TextColumns.grouped(first.shared)) of \(TextColumns.grouped(first.packets)); otherwise "
            + "\(first.usually) of 100): records of one of the two were copied there from another time, or made, "
            + "unless the radios listened in turn.")
      }
    }
  }
}
