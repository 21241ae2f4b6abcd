import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// Identifiers of beacons with keys that somebody recorded, it seems, and sent again: each so that it can be cited.
extension Remarks {
  static func oddIdentifiers(_ result: AnalysisResult) -> [Remark] {
    handful(
      of: result.oddIdentifiers.all,
      more: { count, first in
        Remark(
          code(first),
          "\(TextColumns.counted(count, "more identifier")) of beacons with keys, or what came with them, in that way."
        )
      }
    ) { found in
      Remark(
        code(found), capture: found.heard.capture,
        beacon: (.eddystoneResolved, found.heard.name), sentence(found))
    }
  }

  /// Telemetry that keys do not open, though identifiers from its address are theirs.
  static func unopened(_ result: AnalysisResult) -> [Remark] {
    handful(
      of: result.oddIdentifiers.unopened,
      more: { count, _ in
        Remark(
          "etlm_tag_mismatch",
          "\(TextColumns.counted(count, "more beacon")) with telemetry that is not opened by the key."
        )
      }
    ) { found in
      let all = TextColumns.counted(found.frames + found.opened, "telemetry frame")
      let part = found.opened == 0 ? all : "\(TextColumns.grouped(found.frames)) of \(all)"
      let place =
        "first in frame \(TextColumns.grouped(found.frame))"
        + (result.captures.count > 1 ? " of \(TextColumns.printable(found.capture))" : "")
        + (result.limits == nil ? "" : ", in the whole capture")
      return Remark(
        "etlm_tag_mismatch", capture: found.capture, of: .several,
        beacon: (.eddystoneResolved, found.name),
        "\(part) of \(TextColumns.printable(found.name)) \(found.frames == 1 ? "is" : "are") not opened by its key "
          + "(etlm_tag_mismatch, \(place)): \(found.frames == 1 ? "it was" : "they were") made with another key, for "
          + "another time of its clock, or otherwise than by EAX.")
    }
  }

  private static func code(_ found: OddIdentifiers.Found) -> String {
    found.others == nil ? "eid_unchanged" : found.ahead < 0 ? "eid_behind" : "eid_ahead"
  }

  private static func sentence(_ found: OddIdentifiers.Found) -> String {
    let (voice, name) = (found.heard.voice, TextColumns.printable(found.heard.name))
    guard let others = found.others else {
      guard let still = voice.still else { return "" }
      return
        "\(name): identifier \(hex(still.first)) \(place(still.first, still.sightings, found)) "
        + "\(lasts(still, found)): somebody recorded it and sends it again, or the beacon's clock stands still."
    }
    let isOne = voice.identifiers == 1
    let what =
      isOne
      ? "identifier \(hex(voice.first))"
      : "\(TextColumns.grouped(voice.identifiers)) identifiers, the first \(hex(voice.first)),"
    let span = TextColumns.duration(Int64(found.ahead.magnitude) * 1_000_000_000)
    let kept = voice.still.map { still in
      "; \(isOne ? "it" : hex(still.first)) \(lasts(still, found))"
    }
    return
      "\(name): \(what) \(place(voice.first, voice.sightings, found)) \(isOne ? "is" : "are") about \(span) "
      + "\(found.ahead < 0 ? "behind" : "ahead of") \(beside(others))\(kept ?? ""): "
      + "\(reasons(others, found.ahead, it: isOne ? "it" : "them"))."
  }

  /// `lasts 64 s, and was sent for 4 min 59 s`
  private static func lasts(_ still: HeardIdentifiers.Still, _ found: OddIdentifiers.Found)
    -> String
  {
    "lasts \(TextColumns.duration(found.heard.period * 1_000_000_000)), and was sent for "
      + TextColumns.duration(still.length)
  }

  /// `from e0:11:22:33:44:55 (frame 23 460 of shop.log, 2026-05-19 10:40:00; 300 sightings)`
  private static func place(
    _ moment: HeardIdentifiers.Moment, _ sightings: Int, _ found: OddIdentifiers.Found
  ) -> String {
    "from \(BeaconTable.address(moment.address)) (frame \(TextColumns.grouped(moment.frame)) of "
      + "\(TextColumns.printable(found.heard.capture)), \(TextColumns.moment(moment.time)); "
      + "\(TextColumns.counted(sightings, "sighting")))"
  }

  private static func beside(_ others: OddIdentifiers.Others) -> String {
    switch others {
    case .meanwhile(let moment):
      "what else it sent there before and after (frame \(TextColumns.grouped(moment.frame)): \(hex(moment)))"
    case .before(let moment):
      "what it had sent before (frame \(TextColumns.grouped(moment.frame)): \(hex(moment)))"
    case .elsewhere(let heard, _):
      "what \(TextColumns.printable(heard.observer)) heard of it at the time (frames "
        + "\(TextColumns.grouped(heard.voice.first.frame)) to \(TextColumns.grouped(heard.voice.last.frame)) of "
        + "\(TextColumns.printable(heard.capture)))"
    }
  }

  /// What explains it, and nothing in the captures decides between.
  private static func reasons(
    _ others: OddIdentifiers.Others, _ ahead: Int64, it: String
  ) -> String {
    let replayed = "somebody recorded \(it) and sends \(it) again"
    let made = "who sends \(it) has its key, or recorded \(it) while its clock was set forward"
    switch others {
    case .meanwhile:
      return ahead < 0 ? "\(replayed), or another device has its key" : made
    case .before:
      return
        "\(replayed), or its clock fell back (without power, or set up anew), or another device has its key"
    case .elsewhere(_, .known):
      return
        "\(ahead < 0 ? replayed : "what was heard there is a recording that is sent again, or \(made)"), or another "
        + "device has its key; by what both receivers heard it is not their clocks"
    case .elsewhere(_, .jumped):
      return
        "the receiver's clock was set by as much, or \(ahead < 0 ? replayed : made), or another device has its "
        + "key"
    case .elsewhere(_, .unknown):
      return
        "the receivers' clocks differ by as much, or \(ahead < 0 ? replayed : "a recording is sent again at one of them"); "
        + "nothing that both heard shows how their clocks go"
    }
  }

  private static func hex(_ moment: HeardIdentifiers.Moment) -> String {
    HexText.string((0..<8).map { UInt8(truncatingIfNeeded: moment.sent >> UInt64(56 - 8 * $0)) })
  }
}
