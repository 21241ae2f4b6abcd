package import Analysis
import BeaconKeys
import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// The chain behind one event, in words: what happened, by which rule and numbers, and the frames
/// that decided it with their bytes.
package struct ExplainText {
  package let width: Int
  static let column = 27

  /// - Parameter width: columns of the terminal, nil where the output is not one; less than 60 are
  ///   taken for 60.
  package init(width: Int?) { self.width = max(width ?? AnalysisText.width, 60) }

  /// - Parameters:
  ///   - event: one of the run's.
  ///   - frames: of the captures in `event.evidence`, in any order. One that is missing is named
  ///     without its bytes.
  ///   - captures: of the run, by place.
  package func lines(
    _ event: TimelineEvent, _ names: EventNames, frames: [EvidenceFrame],
    captures: [CaptureFacts]
  ) -> [String] {
    let about = EventChain(event, names, frames)
    var lines = TextFit.wrap(about.title, indent: 0, hanging: 2, width: width)
    for step in about.steps() { lines += self.lines(step, event, names, frames) }
    let cited = ExplainCapture.cited(event, names, captures)
    let files = Set(cited.map(\.name))
    for clock in Remarks.clocks(captures.filter { files.contains($0.name) }) {
      lines += row("its clock", TextColumns.printable(clock))
    }
    return lines + sources(cited)
  }

  private func lines(
    _ step: EventChain.Step, _ event: TimelineEvent, _ names: EventNames,
    _ frames: [EvidenceFrame]
  ) -> [String] {
    switch step {
    case .words(let label, let text): return row(label, text)
    case .evidence(let label):
      return proofs(label, event.evidence.map { Self.proof($0, event, names, frames) })
    }
  }

  package func row(_ label: String, _ text: String) -> [String] {
    let body = text.split(separator: "\n").flatMap {
      TextFit.wrap(String($0), indent: Self.column, width: width)
    }
    guard let first = body.first else { return [] }
    return ["  " + TextColumns.left(label, Self.column - 2) + first.dropFirst(Self.column)]
      + body.dropFirst()
  }

  /// A frame or a line that decided the event.
  package struct Proof {
    /// `frame 9 608 of a.btsnoop`, and what else is to be said of it.
    let words: String
    let bytes: MarkedBytes?

    package static func line(_ number: Int, of file: String) -> Proof {
      let file = TextColumns.printable(file)
      return Proof(words: "line \(TextColumns.grouped(number)) of \(file)", bytes: nil)
    }

    package static func frame(
      _ number: Int, of file: String, _ words: String, _ bytes: MarkedBytes?
    )
      -> Proof
    {
      let file = TextColumns.printable(file)
      return Proof(
        words: "frame \(TextColumns.grouped(number)) of \(file), \(words)", bytes: bytes)
    }
  }

  package func proofs(_ label: String, _ proofs: [Proof]) -> [String] {
    let indent = String(repeating: " ", count: 6)
    return proofs.enumerated().flatMap { place, proof in
      row(place == 0 ? label : "and", proof.words)
        + (proof.bytes?.lines(width: width - 6) ?? []).map { indent + $0 }
    }
  }

  private static func proof(
    _ item: TimelineEvent.Evidence, _ event: TimelineEvent, _ names: EventNames,
    _ frames: [EvidenceFrame]
  ) -> Proof {
    let file = names.file(item)
    guard item.source == .capture else { return .line(item.number, of: file) }
    guard let frame = frames.first(where: { $0.capture == file && $0.frame == item.number }) else {
      return .frame(item.number, of: file, "which cannot be read again", nil)
    }
    let sender = frame.sender(of: event, names)
    return .frame(
      item.number, of: file, words(frame, sender, besides: event.time), frame.marked(sender))
  }

  /// How an address tells whose it is (Core, Vol 3, Part H, 2.2.2). Never the key itself.
  private static func made(_ address: DeviceAddress, by device: String) -> String {
    func hex(_ number: UInt32) -> String {
      HexText.string([16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }
    let (prand, hash) = (DeviceKey.prand(address.address), DeviceKey.hash(address.address))
    return
      "an address of \(device): ah(IRK of \(device), prand \(hex(prand))) = hash \(hex(hash)); a key that is not "
      + "its own fits one address in \(TextColumns.grouped(DeviceKey.hashes))"
  }

  /// With the date where that is another one than the event's.
  private static func when(_ time: Timestamp, besides other: Timestamp) -> String {
    let date = TextColumns.date(time)
    let isOther = other.isKnown && date != TextColumns.date(other)
    return (isOther ? date + " " : "") + Figures.clock(time, besides: other)
  }

  /// When a frame was heard, how strong, and of whom; or what else it is.
  package static func words(
    _ frame: EvidenceFrame, _ sender: EventNames.Sender?, besides other: Timestamp
  ) -> String {
    let time = frame.time.isKnown ? when(frame.time, besides: other) : "no time"
    let rssi = frame.rssi.map { Figures.dBm($0) } ?? "no RSSI"
    if let sender {
      var parts = [time, rssi, sender.words]
      if case .beacon(let own, let others) = frame.content, others > 0, own == sender {
        parts.append("one of \(others + 1) sightings in it")
      }
      if let resolution = frame.resolution, case .beacon(let own, _) = frame.content, own == sender
      {
        parts.append(
          "by its key: what it sends from \(TextColumns.grouped(resolution.clock)) s of its clock on"
        )
      }
      if let device = sender.device {
        parts.append(
          frame.isNamed
            ? "an address of \(device), as --device says" : made(sender.address, by: device))
      }
      return parts.joined(separator: ", ")
    }
    if case .advertisement = frame.content {
      return "\(time), \(rssi), advertisement of \(BeaconTable.address(frame.address)), no beacon"
    }
    return "\(time), no sighting"
  }
}
