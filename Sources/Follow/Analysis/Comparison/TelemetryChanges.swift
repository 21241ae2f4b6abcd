import CaptureReader

extension BeaconChange {
  /// What is different in the last telemetry of either side.
  static func ofTelemetry(_ before: Telemetry?, _ now: Telemetry?) -> [BeaconChange] {
    guard let before, let now else { return [] }
    var changes: [BeaconChange] = []
    switch (before.battery, now.battery) {
    case (let old?, let new?) where abs(old - new) < Least.battery: break
    case (nil, nil): break
    case (let old, let new): changes.append(.battery(before: old, now: new))
    }
    if (before.temperature == nil) != (now.temperature == nil) {
      changes.append(.temperature(before: before.temperature, now: now.temperature))
    }
    if let change = uptime(before, now) { changes.append(change) }
    return changes
  }

  /// Whether it started anew; where its uptime goes wrong, that in its place, and also where it went right before.
  private static func uptime(_ before: Telemetry, _ now: Telemetry) -> BeaconChange? {
    guard before.uptime > 0, now.uptime > 0 else { return nil }
    let start = restart(before, now)
    let goesWrong = isWrong(now.uptimeRate ?? before.uptimeRate) ?? false
    guard goesWrong else { return start.map { .restarted(at: $0) } }
    guard start != nil || isWrong(before.uptimeRate) == false else { return nil }
    return .uptimeRate(before: before.uptimeRate, now: now.uptimeRate)
  }

  private static func isWrong(_ rate: Double?) -> Bool? {
    rate.map { ($0 - 1).magnitude > Least.uptimeRate }
  }

  /// When it started anew between the two: by its uptime it was not yet running at the earlier one.
  private static func restart(_ before: Telemetry, _ now: Telemetry) -> Timestamp? {
    guard before.time.isKnown, now.time.isKnown else { return nil }
    let (start, isBefore) = now.time.nanoseconds.subtractingReportingOverflow(
      Int64(now.uptime) * 100_000_000)
    let (end, isAfter) = before.time.nanoseconds.addingReportingOverflow(Least.uptime)
    guard !isBefore, !isAfter, start > end else { return nil }
    return Timestamp(nanoseconds: start)
  }
}
