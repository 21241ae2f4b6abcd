import Analysis
import CaptureReader
import CaptureWriter
import Deliveries
import Exports
import LiveCapture

/// What a live run says of itself when it has ended: what was lost, and where what was kept lies.
enum LiveEnd {
  /// What is missing somewhere: told whatever else is not.
  static func losses(_ counts: CaptureCounts, _ outputs: LiveSession.Outputs) -> [String] {
    var lines: [String] = []
    if counts.lostInKernel > 0 {
      lines.append(
        "\(TextColumns.counted(Int(clamping: counts.lostInKernel), "packet")) lost in the kernel: its "
          + "buffer was full.")
    }
    if counts.lostInProgram > 0 {
      lines.append(
        "\(TextColumns.counted(Int(clamping: counts.lostInProgram), "packet")) lost here: the analysis "
          + "did not keep up.")
    }
    if let state = outputs.recorder?.state, state.notWritten > 0 {
      let why = state.lastFailure.map { ": \($0)" } ?? ""
      lines.append(
        "\(TextColumns.counted(state.notWritten, "packet")) could not be recorded\(why).")
    }
    if let state = outputs.recorder?.state, state.givenAway > 0 {
      lines.append(
        "\(TextColumns.counted(state.givenAway, "older file")) of the recording removed to make room: the "
          + "disk was full.")
    }
    if let state = outputs.alerts?.state, state.notWritten > 0 {
      lines.append(
        "\(TextColumns.counted(state.notWritten, "file")) around alerts could not be written: "
          + "\(state.problem ?? "no reason is known").")
    }
    if outputs.recess.sightings > 0 {
      lines.append(
        "\(TextColumns.counted(outputs.recess.sightings, "sighting")) not judged: the rules were behind "
          + "when the run was ended. 'events' with the same rules judges a recording.")
    }
    for delivery in outputs.deliveries {
      let counts = delivery.counts
      if counts.bytesNotShown > 0 {
        lines.append(
          "\(TextColumns.printable(delivery.name)): \(TextColumns.size(Int64(counts.bytesNotShown))) of "
            + "what it wrote were not shown.")
      }
      guard counts.undeliveredTotal > 0 else { continue }
      let reasons = counts.undelivered.filter { $0.value > 0 }
        .sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue.replacing("_", with: " ")) \($0.value)" }
      lines.append(
        "\(TextColumns.printable(delivery.name)): "
          + TextColumns.counted(counts.undeliveredTotal, "alert") + " not delivered "
          + "(\(reasons.joined(separator: ", "))"
          + (counts.problem.map { "; \(TextColumns.printable($0))" } ?? "") + ")"
          + kept(outputs.undelivered))
    }
    return lines
  }

  private static func kept(_ file: UndeliveredFile?) -> String {
    guard let file else { return "." }
    let name = TextColumns.printable(file.path)
    guard file.lost > 0 else { return ", kept in \(name)." }
    return ", \(file.lost) of all such not even in \(name)"
      + (file.problem.map { " (\(TextColumns.printable($0)))" } ?? "") + "."
  }

  /// A run goes on behind its last record, which is where a capture ends.
  static func silence(until end: Timestamp, _ result: AnalysisResult) -> [String] {
    let times = result.captures.map(\.span.latest).filter(\.isKnown).map(\.nanoseconds)
    guard let last = times.max(), end.isKnown, end.nanoseconds > last else { return [] }
    let (silence, overflow) = end.nanoseconds.subtractingReportingOverflow(last)
    guard !overflow, silence >= shortestSilence else { return [] }
    return [
      "",
      "Nothing came for the last \(TextColumns.duration(silence)): the run went on until "
        + "\(TextColumns.clockAndZone(end)).",
    ]
  }

  /// Nanoseconds.
  private static let shortestSilence: Int64 = 5_000_000_000

  /// Whether something was to be written and is not.
  static func isIncomplete(_ outputs: LiveSession.Outputs) -> Bool {
    (outputs.recorder?.state.notWritten ?? 0) > 0 || (outputs.alerts?.state.notWritten ?? 0) > 0
      // Kept or not: who was to get it has not got it.
      || outputs.deliveries.contains { $0.counts.undeliveredTotal > 0 }
  }

  /// Where what was kept lies.
  static func kept(_ outputs: LiveSession.Outputs) -> [String] {
    var lines: [String] = []
    if let state = outputs.recorder?.state, !state.path.isEmpty {
      let files = state.files == 1 ? "" : " and \(state.files - 1) before it"
      lines.append(
        "Recorded \(TextColumns.counted(state.packets, "packet")) to "
          + "\(TextColumns.printable(state.path))\(files).")
    }
    if let state = outputs.alerts?.state, state.files > 0 {
      lines.append(
        "Recorded the minutes around alerts in \(TextColumns.counted(state.files, "file")), the last "
          + "of them \(TextColumns.printable(state.path)).")
    }
    return lines
  }
}
