import Analysis
import CaptureReader
import FrameDecoder
import Regions

/// Distance, messages and positions: how each kind of event came to be (SEMANTICS 3 to 5).
extension EventChain {
  func proximity() -> [Step] {
    let to = event.to ?? .unknown
    var steps: [Step] = [
      .words(label: "change", "\((event.from ?? .unknown).name) → \(to.name)"),
      .evidence(label: "decided by samples of"),
    ]
    if let rssi = event.rssi {
      steps.append(
        .words(
          label: "smoothed RSSI", "\(Figures.dBm(rssi)) (smoothing \(number("smoothing")))"))
    }
    if let power = frames.lazy.compactMap(\.measuredPower).first {
      steps.append(.words(label: "measured power", "\(Figures.dBm(power)) at 1 m"))
    }
    if let distance = event.distance {
      steps.append(
        .words(
          label: "distance",
          "\(Figures.distance(distance)), by \(number("distance_model"))"
            + (number("distance_model") == DistanceModel.pathLoss.name
              ? " with exponent \(number("path_loss_exponent"))" : "")))
    }
    steps.append(
      .words(
        label: "zones",
        "immediate below \(number("immediate_below")) m, near up to \(number("near_up_to")) m, far "
          + "beyond"))
    let verdict =
      to == .unknown
      ? (event.rssi == nil
        ? "no sample came for too long" : "no sample came for too long, or no distance can be told")
      : "the distance lies in the zone \(to.name)"
    return steps + [.words(label: "therefore", verdict)]
  }

  func ranging() -> [Step] {
    let entries = event.entries.enumerated().map { place, entry in
      let samples = TextColumns.counted(entry.samples, "sample")
      let parts = [
        "\(entry.proximity.name)", entry.accuracy.map { Figures.distance($0) },
        entry.rssi.map { Figures.dBm($0) }, samples,
        names.sender(entry.identity, entry.address).words,
      ]
      return Step.words(
        label: place == 0 ? "nearest first" : "",
        parts.compactMap { $0 }.joined(separator: ", "))
    }
    let rule = Step.words(
      label: "lists are made",
      profile.rangingPeriod == 0 ? "on change" : "every \(number("ranging_period")) s while inside")
    let nobody = Step.words(label: "nearest first", "nobody")
    return [rule] + (entries.isEmpty ? [nobody] : entries)
  }

  func message() -> [Step] {
    guard let number = event.message else { return [.evidence(label: "decided by")] }
    let message = names.timeline.messages[number]
    let isLost = event.type == .messageLost
    var steps: [Step] = [
      .words(
        label: "message",
        TextColumns.printable("\(message.namespace)/\(message.type) \"\(message.content)\"")),
      .words(label: "carried by", TextColumns.printable(message.beacon)),
      .evidence(label: isLost ? "last sighting" : "first sighting"),
    ]
    if isLost {
      steps.append(
        .words(
          label: "therefore",
          "last seen at \(clock(event.lastSeen)), and then not for \(self.number("exit_after")) s"))
      steps += messageListening()
    }
    return steps
  }

  func position() -> [Step] {
    let words = event.position.map { [Step.words(label: "position", PositionText.words($0))] } ?? []
    return words + [.evidence(label: "decided by")]
  }
}
