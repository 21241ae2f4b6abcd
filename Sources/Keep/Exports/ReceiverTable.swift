import Analysis
import CaptureReader
import FrameDecoder

/// RECEIVERS: of several radios how long each listened and what it heard, as the word of one that was off,
/// hears the nearest only or leaves out what is repeated is worth less.
struct ReceiverTable {
  let style: Style
  let showsAll: Bool

  private static let widestName = 28
  private static let narrowestName = 12
  /// Behind the times, and how wide they are where numbers are no wider.
  private static let columns = [
    ("listened", 10), ("beacons", 9), ("alone", 7), ("sightings", 11), ("weakest", 9),
  ]

  /// - Parameter empty: of which nothing was recorded.
  func lines(_ receivers: [ReceiverSummary], empty: [EmptyReceivers.Receiver] = []) -> [String] {
    // Where captures of one radio are taken for many, the table of captures says more.
    guard !receivers.isEmpty else { return [] }
    guard showsAll || receivers.count <= BeaconTable.mostNamed else {
      let count = TextColumns.grouped(receivers.count)
      return [style.bold("RECEIVERS") + "  \(count): how each listened with --all", ""]
    }
    let known = TextColumns.known(receivers.map(\.from))
    let spans = receivers.map { TextColumns.span($0.from, $0.to, within: known) }
    let times = spans.map(\.columns).max() ?? 0
    let cells = receivers.map(cells)
    let widths = Self.columns.enumerated().map { column, usual in
      max(usual.1, 2 + (cells.map { $0[column].columns }.max() ?? 0))
    }
    let room = AnalysisText.width - widths.reduce(0, +) - 2
    // Long times of several days stand below.
    let isBelow = times + Self.narrowestName + 2 > room
    let widest = min(Self.widestName, isBelow ? room : room - times - 2)
    let names = receivers.map { TextFit.cutMiddle(TextColumns.printable($0.name), widest) }
    let name = names.map(\.columns).max() ?? 0
    let lead = 2 + (isBelow ? room - 2 : name + 2 + times)
    var lines = [
      style.bold("RECEIVERS") + String(repeating: " ", count: max(0, lead - 9))
        + row(Self.columns.map(\.0), widths)
    ]
    for (place, receiver) in receivers.enumerated() {
      let start =
        "  " + TextColumns.left(names[place], name) + (isBelow ? "" : "  " + spans[place])
      lines.append(TextColumns.left(start, lead) + row(cells[place], widths))
      var details = isBelow ? [spans[place]] : []
      if receiver.pauses, let recorded = receiver.recorded {
        details.append("recorded \(TextColumns.duration(recorded)) of it")
      }
      if receiver.filtersDuplicates { details.append("duplicates filtered") }
      if receiver.listedOnly >= 1_000_000_000 {
        let time = TextColumns.duration(receiver.listedOnly)
        details.append("for \(time) only whom it was told to pass on")
      }
      if !details.isEmpty {
        lines += TextLayout.wrap(details.joined(separator: ", "), indent: 4)
          .map { style.dim($0) }
      }
    }
    for receiver in empty {
      let count = TextColumns.counted(receiver.captures.count, "capture")
      lines += TextLayout.wrap(
        "\(TextColumns.printable(receiver.name))  recorded nothing (\(count) without a record)",
        indent: 2, hanging: 2)
    }
    return lines + legend + [""]
  }

  private func row(_ cells: [String], _ widths: [Int]) -> String {
    zip(cells, widths).map { TextColumns.right($0, $1) }.joined()
  }

  private func cells(_ receiver: ReceiverSummary) -> [String] {
    [
      receiver.share.map(Self.percent) ?? "–",
      TextColumns.grouped(receiver.beacons), TextColumns.grouped(receiver.alone),
      TextColumns.grouped(receiver.sightings), receiver.weakest.map(String.init) ?? "–",
    ]
  }

  /// What begins a moment behind the recording's first record is all of it.
  private static func percent(_ share: Double) -> String {
    if share > 0.999 { return "100 %" }
    if share > 0.995 { return "over 99 %" }
    return share > 0 && share < 0.005 ? "under 1 %" : "\(Int((share * 100).rounded())) %"
  }

  private var legend: [String] {
    TextLayout.wrap(
      "listened: how much of the time that it recorded its radio is known to have, where the capture tells of "
        + "its scans (without pauses of \(RecordGaps.least / 1_000_000_000) s and more in the records); alone: beacons that no other "
        + "receiver heard; weakest: its weakest sighting, dBm",
      indent: 2, hanging: 2
    ).map { style.dim($0) }
  }
}
