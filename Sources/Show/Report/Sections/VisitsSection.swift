import CaptureReader
import CaseStore
import Exports

/// Who came when, for how long, and how sure it is that they left.
struct VisitsSection {
  let contents: Contents
  let evidence: Evidence

  var html: HTMLText {
    guard contents.visits.count > 0 else {
      let done: HTMLText = contents.isFollowed ? "entered" : "followed"
      return Section.html("visits", "Visits", "<p>None: no region was \(done).</p>")
    }
    let table = Table(
      id: "visit-table", caption: "Visits by profile and begin", columns: columns,
      filter: contents.visits.count > 8 ? "visits" : nil)
    return Section.html(
      "visits", "Visits",
      lead + CaseQuery.rest(contents.visits.others, "visit", table: "visits")
        + table.html(contents.visits.rows.map { row($0) }))
  }

  private var lead: HTMLText {
    guard contents.presences.contains(where: { $0.basis != .positions }) else { return "" }
    return """
      <p class="lead">A visit of beacons ends, by rule, its exit period behind the moment when it was last heard; \
      that is part of its duration. <span class="needs-js">Times with a line below them open what decided them.</span></p>

      """
  }

  private var hasProfiles: Bool { contents.profiles.count > 1 }
  private var hasObservers: Bool { contents.receivers.count > 1 }

  private var columns: [Table.Column] {
    var columns: [Table.Column] = [.init(title: "Region", choice: "Region")]
    if hasObservers { columns.append(.init(title: "Receiver", choice: "Receiver")) }
    if hasProfiles { columns.append(.init(title: "Profile", choice: "Profile")) }
    return columns + [
      .init(title: "Since (UTC)"), .init(title: "Last heard"), .init(title: "Until"),
      .init(title: "Duration", isNumber: true),
      .init(title: "Sightings", isNumber: true), .init(title: "Nearest", isNumber: true),
      .init(title: "The exit is worth", choice: "Exit"),
    ]
  }

  private func row(_ stay: StayRow) -> HTMLText {
    let observer: HTMLText =
      hasObservers ? "<td class=\"name\">\(contents.observer(stay.observerId))</td>" : ""
    let profile: HTMLText =
      hasProfiles
      ? "<td>\(contents.profiles.first { $0.id == stay.profileId }?.name ?? "")</td>" : ""
    let already: HTMLText = stay.wasInsideAlready ? "<br><small>already inside</small>" : ""
    let doubt: HTMLText = stay.entryWhy.map { "<small class=\"why\">\($0)</small>" } ?? ""
    return """
      <tr><th scope="row">\(contents.region(stay.regionId))</th>\(observer)\(profile)\
      <td class="t">\(moment(stay.sinceNs, contents.visitEvents.begin(of: stay)))\(already)\(crossed(stay, stay.sinceNs))\(doubt)\(stamps(stay))</td>\
      <td class="t">\(stay.lastSeenNs.map { contents.time($0) } ?? "")</td><td class="t">\(until(stay))\(crossed(stay, stay.untilNs))</td>\
      \(Table.number(stay.durationNs.map { Words.duration($0) } ?? "not known", stay.durationNs.map { Double($0) }))\
      \(Table.number(stay.sightings.map { Words.number($0) } ?? "", stay.sightings.map { Double($0) }))\
      \(nearest(stay))<td class="text" data-value="\(stay.grade ?? (stay.untilNs == nil ? "none" : "without a grade"))">\(grade(stay))</td></tr>

      """
  }

  /// Times that are not those of its frames.
  private func stamps(_ stay: StayRow) -> HTMLText {
    guard stay.firstStampedNs != nil || stay.lastStampedNs != nil else { return "" }
    let times = [stay.firstStampedNs, stay.lastStampedNs].map {
      $0.map { Timestamp(nanoseconds: $0) } ?? .none
    }
    return "<small class=\"why\">\(StampText.words(times[0], times[1]))</small>"
  }

  /// A circle: a visit begins and ends later, where it was decided.
  private func crossed(_ stay: StayRow, _ decided: Int64?) -> HTMLText {
    guard let time = contents.crossings.time(stay, decided: decided) else { return "" }
    return "<br><small>border crossed \(contents.time(time))</small>"
  }

  /// A time that opens what was decided then.
  private func moment(_ time: Int64?, _ event: VisitEvents.Event?) -> HTMLText {
    event.map {
      EventCell(evidence: evidence).html($0.row, $0.id, words: contents.time(time))
    } ?? "\(contents.time(time))"
  }

  private func until(_ stay: StayRow) -> HTMLText {
    if let until = stay.untilNs { return moment(until, contents.visitEvents.end(of: stay)) }
    guard case .positions? = contents.basis(ofRegion: stay.regionId),
      let end = contents.positions.end(of: stay.observerId)
    else { return "still inside \(contents.atEnd(of: stay.observerId))" }
    return "not known: inside when the positions end, \(contents.time(end))"
  }

  private func nearest(_ stay: StayRow) -> HTMLText {
    guard let metres = stay.nearestM else { return Table.number("", nil) }
    let distance = Words.distance(metres, stay.nearestMinM, stay.nearestMaxM)
    let name = contents.nearest.name(stay, of: contents.condition(ofRegion: stay.regionId))
    let beacon: HTMLText = name.map { "<br><small>\($0)</small>" } ?? ""
    return Table.number(html: "\(distance)\(beacon)", metres)
  }

  private func grade(_ stay: StayRow) -> HTMLText {
    guard let grade = stay.grade else { return "" }
    var why: HTMLText = stay.why.map { "<br><small>\($0)</small>" } ?? ""
    if grade == "gone", case .someSightings? = contents.basis(ofRegion: stay.regionId) {
      why = "<br><small>the beacon was away, or nothing that passed came from it any more</small>"
    }
    return "<span class=\"grade\" data-grade=\"\(grade)\">\(grade)</span>\(why)"
  }
}
