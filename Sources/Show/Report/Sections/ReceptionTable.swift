import CaseStore

/// Which receiver hears which beacon, and how well: a row for each beacon, a column for each receiver.
struct ReceptionTable {
  let contents: Contents

  /// More make a table that nobody can look over.
  private static let mostReceivers = 12

  /// Who heard any of the beacons, in their order.
  private var receivers: [ObserverRow] {
    let heard = Set(contents.receptions.values.joined().map(\.observerId))
    return contents.observers.filter { heard.contains($0.id ?? 0) }
  }

  /// Nothing where one receiver heard all of it.
  var html: HTMLText {
    let receivers = receivers
    guard receivers.count > 1 else { return "" }
    let shown = Array(receivers.prefix(Self.mostReceivers))
    let table = Table(
      id: "reception-table", caption: "How each receiver heard each beacon",
      columns: [.init(title: "Beacon")]
        + shown.map { .init(title: HTMLText(text: $0.name), isNumber: true) },
      filter: contents.beacons.count > 5 ? "beacons" : nil)
    return """
      <h3 id="receptions">Who heard them</h3>
      <p class="lead">The middle of the signals in dBm (bold: who hears the beacon best, of those that heard it more than a tenth as often as another), below it how often it was heard.</p>
      \(CaseQuery.rest(receivers.count - shown.count, "receiver", table: "heard_by"))\
      \(table.html(contents.beacons.rows.map { row($0, shown) }))
      """
  }

  private func row(_ beacon: BeaconRow, _ receivers: [ObserverRow]) -> HTMLText {
    let id = beacon.id ?? 0
    let heard = contents.receptions[id] ?? []
    // Who lost most of what is weak has heard the strong packets only. Of one that tells of nobody twice the
    // number says nothing.
    let most = heard.map(\.sightings).max() ?? 0
    let often = heard.filter {
      $0.sightings * 10 > most || contents.filtering[$0.observerId] != nil
    }
    let best = often.compactMap(\.rssiMedian).max()
    let cells = receivers.map { receiver -> HTMLText in
      guard let found = heard.first(where: { $0.observerId == receiver.id }) else {
        return Table.number("–", nil)
      }
      let count: HTMLText = "<small>\(Words.number(found.sightings))\u{A0}×</small>"
      guard let median = found.rssiMedian else {
        return Table.number(html: "not told<br>\(count)", nil)
      }
      let signal = HTMLText(text: Words.minus(median))
      let isBest =
        median == best && heard.count > 1 && often.contains { $0.observerId == receiver.id }
      return Table.number(
        html: (isBest ? "<b>\(signal)</b>" : signal) + "<br>\(count)", Double(median))
    }
    return """
      <tr><th scope="row"><a href="#beacon-\(id)" aria-label="\(beacon.kindName) \(beacon.identity)">\(beacon.kindName)</a> <span class="id">\(beacon.identity)</span></th>\
      \(cells.joined())</tr>

      """
  }
}
