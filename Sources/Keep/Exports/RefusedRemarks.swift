import Analysis
import Beacons
import FrameDecoder

/// Who claims to send a beacon and does not: no table of beacons has it, and its maker looks for it there.
extension Remarks {
  /// What was refused of one sender for one reason, in all captures.
  private struct Refused {
    let reason: BeaconReason
    var count = 0
    /// `frame 10`
    let first: String
  }

  private static let mostReasons = 3

  /// Most frequent first; a handful, and how many more there are. Of whole captures, whatever part of the time is
  /// looked at: payloads that are no beacon have no sightings.
  static func refused(_ result: AnalysisResult) -> [Remark] {
    let isPartial = result.captures.contains { $0.accounting.refusedNotListed > 0 }
    return handful(
      of: senders(result),
      more: { count, _ in
        Remark(
          "beacon_refused",
          "\(TextColumns.counted(count, "more address", "more addresses"))\(isPartial ? ", and others," : "") "
            + "\(count == 1 && !isPartial ? "claims" : "claim") to send beacons that are none ('beacontrace devices "
            + "--each' lists who does).")
      }
    ) { sender in
      Remark("beacon_refused", capture: sender.capture, of: .several, sentence(sender))
    }
  }

  private typealias Sender = (address: DeviceAddress, capture: String, refused: [Refused])

  private static func senders(_ result: AnalysisResult) -> [Sender] {
    var senders: [DeviceAddress: Sender] = [:]
    for facts in result.captures {
      for entry in facts.accounting.refused {
        let frame = "frame \(TextColumns.grouped(entry.firstFrame))"
        let first =
          result.captures.count > 1
          ? "\(frame) of \(TextColumns.printable(facts.name))" : frame
        var sender = senders[entry.address] ?? (entry.address, facts.name, [])
        let place =
          sender.refused.firstIndex { $0.reason == entry.reason } ?? sender.refused.count
        if place == sender.refused.count {
          sender.refused.append(Refused(reason: entry.reason, first: first))
        }
        sender.refused[place].count += entry.count
        senders[entry.address] = sender
      }
    }
    let sorted = senders.values.map { sender in
      (
        sender.address, sender.capture,
        sender.refused.sorted { ($1.count, $0.reason.rawValue) < ($0.count, $1.reason.rawValue) }
      )
    }
    return sorted.sorted { one, other in
      let counts = [one, other].map { $0.2.reduce(0) { $0 + $1.count } }
      return (counts[1], one.0.rawValue) < (counts[0], other.0.rawValue)
    }
  }

  private static func sentence(_ sender: Sender) -> String {
    let who =
      sender.address.isPresent
      ? BeaconTable.address(sender.address) : "Somebody who sends no address"
    guard let only = sender.refused.first, sender.refused.count == 1 else {
      let told = sender.refused.prefix(mostReasons).map {
        "an \($0.reason.claim) \(times($0.count)) (\($0.reason.name), first in \($0.first))"
      }
      let more = sender.refused.count - told.count
      return "\(who) claims to send beacons that are none: \(told.joined(separator: ", "))"
        + (more > 0 ? " and \(TextColumns.counted(more, "other"))." : ".")
    }
    return "\(who) claims to send an \(only.reason.claim) \(times(only.count)) and does not: "
      + "\(only.reason.name) (first in \(only.first))."
  }

  private static func times(_ count: Int) -> String {
    count == 1 ? "once" : "\(TextColumns.grouped(count)) times"
  }
}
