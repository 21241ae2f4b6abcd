import CaseStore

/// What the word of each receiver is worth: how long it listened, what it heard, and how weak that was.
struct ReceiverTable {
  let contents: Contents

  /// Nothing where there is one receiver, or of cases of older forms.
  var html: HTMLText {
    // Also who heard nobody: the word of that one is worth least.
    let receivers = contents.receivers.filter {
      $0.reports > 0 || ($0.listeningNs ?? 0) > 0
        || contents.heardBy.byObserver[$0.id ?? 0] != nil
    }
    guard receivers.count > 1, !contents.heardBy.byObserver.isEmpty else { return "" }
    let table = Table(
      id: "receiver-table", caption: "What each receiver heard",
      columns: [
        .init(title: "Receiver"), .init(title: "From (UTC)"), .init(title: "To"),
        .init(title: "Listened", isNumber: true), .init(title: "Beacons", isNumber: true),
        .init(title: "Of them alone", isNumber: true), .init(title: "Seen", isNumber: true),
        .init(title: "Weakest dBm", isNumber: true), .init(title: "Worth knowing"),
      ])
    return """
      <h3 id="receivers">Receivers</h3>
      <p class="lead">What the word of each is worth: one that was off or listened seldom misses who was there, and one \
      whose weakest sighting is strong hears those near it only.</p>
      \(table.html(receivers.map(row)))
      """
  }

  private func row(_ receiver: ObserverRow) -> HTMLText {
    let id = receiver.id ?? 0
    let heard = contents.heardBy.byObserver[id]
    let number = { (value: Int) in Table.number(Words.number(value), Double(value)) }
    let share = listened(receiver)
    let weakest = heard?.weakest
    let filter: HTMLText = contents.filtering[id] == nil ? "" : "duplicates filtered"
    return """
      <tr><th scope="row">\(receiver.name)</th><td class="t">\(contents.time(receiver.fromNs))</td>\
      <td class="t">\(contents.time(receiver.toNs))</td>\(Table.number(html: "\(share.map(Self.words) ?? "not told")\(until(id))", share))\
      \(number(heard?.beacons ?? 0))\(number(heard?.alone ?? 0))\(number(heard?.sightings ?? 0))\
      \(Table.number(weakest.map { Words.minus($0) } ?? "not told", weakest.map { Double($0) }))\
      <td class="warnings">\(filter)</td></tr>

      """
  }

  /// Until when, where others recorded for longer.
  private func until(_ receiver: Int64) -> HTMLText {
    guard let end = contents.ends.early(receiver) else { return "" }
    return
      "<br><small>until \(String(contents.time(end).dropLast(4))), when its records end</small>"
  }

  /// How much of the time that it recorded; nil of an air sniffer, whose capture does not tell that.
  private func listened(_ receiver: ObserverRow) -> Double? {
    guard let listening = receiver.listeningNs, let from = receiver.fromNs, let to = receiver.toNs,
      to > from
    else { return nil }
    let part = receiver.id.flatMap { contents.listening[$0] } ?? 1
    let unrecorded = receiver.id.map { Recorded.sum(contents.recorded.unrecorded(of: $0)) } ?? 0
    let recorded = Double(to) - Double(from) - Double(unrecorded)
    return recorded > 0 ? min(1, Double(listening) * part / recorded) : nil
  }

  /// What begins a moment behind the recording's first record is all of it.
  private static func words(_ share: Double) -> String {
    share > 0.999 ? Words.percent(1) : Words.percent(share)
  }
}
