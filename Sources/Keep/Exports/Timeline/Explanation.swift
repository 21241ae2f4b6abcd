package import Analysis
import BeaconKeys
import Beacons
package import CaptureReader
import FrameDecoder

/// The chain behind one event, as it is told to people and programs: out of captures, or out of a case.
package struct Explanation {
  package struct Step {
    package let label: String
    /// Nil where the evidence stands.
    package let text: String?

    package init(label: String, text: String?) {
      self.label = label
      self.text = text
    }
  }

  /// A frame or a line that decided the event.
  package struct Proof {
    enum Place {
      case frame, line
    }
    let place: Place
    let number: Int
    /// The input as the user named it.
    let file: String
    /// When it was heard, how strong, and of whom; nil of a line.
    let words: String?
    let bytes: MarkedBytes?

    package static func line(_ number: Int, of file: String) -> Proof {
      Proof(place: .line, number: number, file: file, words: nil, bytes: nil)
    }

    package static func frame(
      _ number: Int, of file: String, _ words: String, _ bytes: MarkedBytes?
    ) -> Proof {
      Proof(place: .frame, number: number, file: file, words: words, bytes: bytes)
    }
  }

  let id: UInt64
  let title: String
  let steps: [Step]
  let proofs: [Proof]
  /// What is to be known of the clocks of cited captures.
  let clocks: [String]
  /// The cited ones.
  let captures: [ExplainCapture]

  package init(
    _ id: UInt64, title: String, steps: [Step], proofs: [Proof], clocks: [String],
    captures: [ExplainCapture]
  ) {
    self.id = id
    self.title = title
    self.steps = steps
    self.proofs = proofs
    self.clocks = clocks
    self.captures = captures
  }

  /// - Parameters:
  ///   - event: one of the run's.
  ///   - frames: of the captures in `event.evidence`, in any order. One that is missing is named
  ///     without its bytes.
  ///   - captures: of the run, by place.
  package init(
    _ event: TimelineEvent, _ names: EventNames, frames: [EvidenceFrame],
    captures: [CaptureFacts]
  ) {
    let chain = EventChain(event, names, frames)
    id = event.id
    title = chain.title
    steps = chain.steps().map { step in
      switch step {
      case .words(let label, let text): Step(label: label, text: text)
      case .evidence(let label): Step(label: label, text: nil)
      }
    }
    proofs = event.evidence.flatMap { Self.proofs($0, event, names, frames) }
    self.captures = ExplainCapture.cited(event, names, frames, captures)
    let files = Set(self.captures.map(\.name))
    clocks = Remarks.clocks(captures.filter { files.contains($0.name) })
  }

  private static func proofs(
    _ item: TimelineEvent.Evidence, _ event: TimelineEvent, _ names: EventNames,
    _ frames: [EvidenceFrame]
  ) -> [Proof] {
    let file = names.file(item)
    guard item.source == .capture else { return [.line(item.number, of: file)] }
    guard let frame = frames.first(where: { $0.capture == file && $0.frame == item.number }) else {
      return [.frame(item.number, of: file, "which cannot be read again", nil)]
    }
    let sender = frame.sender(of: event, names)
    let own = Proof.frame(
      item.number, of: file, words(frame, sender, besides: event.time), frame.marked(sender))
    return [own]
      + frame.parts.map {
        .frame(
          $0.frame, of: file, partWords($0, of: frame, besides: event.time), $0.marked(sender))
      }
  }

  /// What a frame is that is but a part of what an event cites.
  package static func partWords(
    _ part: EvidenceFrame, of frame: EvidenceFrame, besides other: Timestamp
  ) -> String {
    let time = part.time.isKnown ? when(part.time, besides: other) : "no time"
    let number = TextColumns.grouped(frame.frame)
    return part.frame < frame.frame
      ? "\(time), points to frame \(number)" : "\(time), goes on with what began in frame \(number)"
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

  /// What was sent, and what the line of its key lets expect at the time.
  private static func words(_ resolution: EvidenceFrame.Resolution) -> String {
    let timing = resolution.timing
    let sent =
      "by its key: what it sends from \(TextColumns.grouped(timing.slot)) s of its clock on"
    guard let due = timing.due else { return sent }
    return "\(sent), for \(TextColumns.grouped(timing.period)) s; by the key's line its clock says "
      + "\(TextColumns.grouped(due)) s"
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
        parts.append(Self.words(resolution))
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
