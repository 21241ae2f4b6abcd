import Analysis
import CaptureReader
import FrameDecoder

/// Observers' names that do not stand for one radio.
extension Remarks {
  private static let mostNames = 4

  static func controllers(_ captures: [CaptureFacts]) -> [Remark] {
    let found = ControllerNames(captures)
    return changed(found.changes) + found.renumbered.map { renumbered($0) }
  }

  /// Names that were another's: of one computer in one sentence.
  private static func changed(_ changes: [ControllerNames.Change]) -> [Remark] {
    let groups = Dictionary(grouping: changes) { ControllerNames.radios(of: $0.observer) }
    return groups.sorted { $0.key < $1.key }.map { _, group in
      let parts = group.prefix(mostNames).map { change in
        "\(change.observer) was controller \(BeaconTable.address(change.from)) before "
          + "\(TextColumns.moment(change.since)) and \(BeaconTable.address(change.to)) from then on"
      }
      let more = group.count - parts.count
      return Remark(
        "controller_changed", capture: group[0].capture, of: .several,
        parts.joined(separator: "; ") + (more > 0 ? "; \(more) more changes" : "")
          + ": another radio. Signals from before and after, and rules that compare them, say nothing of "
          + "the beacons.")
    }
  }

  private static func renumbered(_ found: ControllerNames.Renumbered) -> Remark {
    let names = found.observers.prefix(mostNames)
    let more = found.observers.count - names.count
    let listed =
      more > 0
      ? names.joined(separator: ", ") + " and \(more) more"
      : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
    return Remark(
      "controller_renumbered", capture: found.capture, of: .several,
      "\(listed) are one controller (\(BeaconTable.address(found.controller))), one after the other: it "
        + "got another number, as when it is plugged in again. They are followed as receivers of their own."
    )
  }
}
