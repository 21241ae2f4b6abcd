/// What a live run is up to, in one line.
package struct LiveStatus: Sendable {
  /// The interface, or what is replayed.
  package var name = ""
  /// Of the capture's clock, `10:04:05`; empty while nothing came.
  package var time = ""
  /// Packets in a second, of the last few.
  package var rate = 0
  package var beacons = 0
  /// Identifiers of the regions that somebody is in, in order of their definition.
  package var inside: [String] = []
  package var alerts = 0
  /// On their way to receivers that have much to do.
  package var waiting = 0
  /// Alerts that receivers did not get.
  package var undelivered = 0
  package var lost: UInt64 = 0
  /// The interface is not there just now.
  package var isOff = false
  /// The controller is there, and switched off.
  package var isDown = false
  /// What the radio is known to do, where that is not all well: `nothing scans`.
  package var remark = ""
  /// Where packets are recorded to, and how many bytes are there; empty: nowhere.
  package var recording = ""
  package var recorded: Int64 = 0
  /// Why nothing is recorded just now; empty: nothing is wrong.
  package var recordingProblem = ""

  package init() {}

  /// The most important first: what does not fit is cut at the end.
  /// - Parameters:
  ///   - width: columns.
  ///   - tellsInside: whether regions and beacons are not told elsewhere.
  package func line(_ width: Int, tellsInside: Bool = true) -> String {
    // Where less is told there is room for the name.
    var parts = [TextFit.observer(name, tellsInside ? 20 : 40)]
    if !time.isEmpty { parts.append(time) }
    parts.append(
      isDown
        ? "CONTROLLER DOWN" : isOff ? "NOT CAPTURING" : "\(ProgressText.count(rate))/s")
    if lost > 0 { parts.append("\(ProgressText.count(Int(clamping: lost))) LOST") }
    if !remark.isEmpty, !isDown { parts.append(remark) }
    if !recordingProblem.isEmpty {
      parts.append("NOT RECORDED: \(TextColumns.printable(recordingProblem))")
    }
    if undelivered > 0 { parts.append("\(ProgressText.count(undelivered)) NOT DELIVERED") }
    if !recording.isEmpty, recordingProblem.isEmpty {
      parts.append("→ \(TextFit.observer(recording, 20)) \(TextColumns.size(recorded))")
    }
    if alerts > 0 {
      parts.append(
        TextColumns.counted(alerts, "alert") + (waiting > 0 ? ", \(waiting) on the way" : ""))
    }
    if tellsInside { parts += [TextColumns.counted(beacons, "beacon"), insideWords] }
    // The last column stays free: a terminal may begin another line there.
    return TextFit.cut(parts.joined(separator: "  "), max(1, width - 1))
  }

  private var insideWords: String {
    guard !inside.isEmpty else { return "inside nothing" }
    let names = inside.prefix(3).map { TextFit.name($0, 16) }.joined(separator: ", ")
    let more = inside.count > 3 ? " and \(inside.count - 3) more" : ""
    return "inside \(names)\(more)"
  }
}
