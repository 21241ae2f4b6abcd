import Analysis
import Beacons
import CaptureReader

/// A capture that an event cites: what tells it from any other file, and how its frames are seen with
/// another program.
package struct ExplainCapture {
  /// As the user named it.
  package let name: String
  /// As stored; nil where that is not known.
  let bytes: Int64?
  /// Hexadecimal, of the bytes as stored; nil for what is no file.
  let sha256: String?
  /// Numbers of the cited frames that another program shows.
  let shown: [Int]
  /// Why it does not show the others, a clause behind its name; nil: it shows all.
  let obstacle: String?

  /// - Parameters:
  ///   - frames: numbers of the cited ones.
  ///   - container: as `info` names it.
  ///   - damagedFrom: the first frame behind a place that could not be read, where there is one.
  package init(
    name: String, bytes: Int64?, sha256: String?, frames: [Int], container: String?,
    damagedFrom: Int?
  ) {
    let all = Array(Set(frames)).sorted()
    shown = container == "btsnooz" ? [] : all.filter { $0 < damagedFrom ?? .max }
    obstacle =
      container == "btsnooz"
      ? "does not read the log in a bug report"
      : shown.count < all.count
        ? "stops at the damage before frame \(TextColumns.grouped(damagedFrom ?? 0))" : nil
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Those that an event cites, in the order of the run.
  static func cited(
    _ event: TimelineEvent, _ names: EventNames, _ frames: [EvidenceFrame],
    _ captures: [CaptureFacts]
  ) -> [ExplainCapture] {
    let cited = event.evidence.filter { $0.source == .capture }
    let places = Set(cited.map(\.file)).sorted()
    return places.compactMap { place -> ExplainCapture? in
      let name = names.captures[place]
      guard let facts = captures.first(where: { $0.name == name }) else { return nil }
      let digest = facts.sha256.isEmpty ? nil : HexText.string(facts.sha256)
      let numbers = cited.filter { $0.file == place }.map(\.number)
      let parts = frames.filter { $0.capture == name && numbers.contains($0.frame) }
        .flatMap(\.parts)
      return ExplainCapture(
        name: name, bytes: facts.bytes, sha256: digest, frames: numbers + parts.map(\.frame),
        container: facts.format,
        damagedFrom: facts.damage.compactMap(\.resumedAtFrame).min())
    }
  }

  /// `tshark -r site.log -x -Y 'frame.number == 12'`; nil where there is no file to be read, or it would show none.
  var command: String? {
    guard name != "-", sha256 != nil, let first = shown.first else { return nil }
    let filter =
      shown.count == 1
      ? "frame.number == \(first)"
      : "frame.number in {\(shown.map(String.init).joined(separator: ","))}"
    let path = name.hasPrefix("-") ? "./\(name)" : name
    return "tshark -r \(ShellWord.quoted(path)) -x -Y '\(filter)'"
  }
}

extension ExplainText {
  /// What the cited frames are checked by: the captures' digests, and a command of another program.
  package func sources(_ captures: [ExplainCapture]) -> [String] {
    captures.flatMap { capture -> [String] in
      let size = capture.bytes.map { ", \(TextColumns.grouped(Int($0))) bytes" } ?? ""
      return row("capture", TextColumns.printable(capture.name) + size)
        + (capture.sha256.map { ["      SHA-256 \($0)"] } ?? [])
    }
      + captures.compactMap(\.command).enumerated().flatMap { place, command in
        // To be copied: never broken.
        [place == 0 ? "  to be seen in Wireshark's tshark:" : "", "      \(command)"]
          .filter { !$0.isEmpty }
      }
      + captures.flatMap { capture in
        capture.obstacle.map {
          row(
            "tshark",
            "\($0) (\(TextColumns.printable(capture.name))), and does not show "
              + (capture.shown.isEmpty ? "these frames" : "those behind it"))
        } ?? []
      }
  }
}
