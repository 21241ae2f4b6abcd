import CaseStore
import Exports

/// The story in words, for a reader who reads nothing else.
struct Summary {
  let contents: Contents

  var html: HTMLText {
    let sure = [deaf + damage, exits, alerts].filter { !$0.isEmpty }
    return Section.html(
      "summary", "Summary",
      """
      <ul class="figures">\(figures)</ul>
      <div class="prose">\(Self.prose([recorded, heard]))
      <h3>Who was where</h3>\(regions)
      <h3>How sure that is</h3>\(Self.prose(sure[...]))</div>
      """)
  }

  private static func prose(_ paragraphs: ArraySlice<[String]>) -> HTMLText {
    paragraphs.map { sentences -> HTMLText in "<p>\(sentences.joined(separator: " "))</p>" }
      .joined()
  }

  private var figures: HTMLText {
    var figures: [(String, String)] = []
    if let scale = contents.scale {
      figures.append((Words.duration(scale.length), "from first to last record"))
    }
    figures.append(
      (Words.number(contents.beacons.count), contents.beacons.count == 1 ? "beacon" : "beacons"))
    figures.append((Words.number(contents.beaconTotals.sightings), "sightings"))
    let visits = contents.presences.reduce(0) { $0 + $1.visits }
    figures.append((Words.number(visits), visits == 1 ? "visit" : "visits"))
    figures.append(
      (Words.number(contents.alerts.count), contents.alerts.count == 1 ? "alert" : "alerts"))
    return figures.map { "<li><b>\($0.0)</b> \($0.1)</li>" }.joined()
  }

  // MARK: What was recorded

  private var recorded: [String] {
    let captures = contents.captures
    guard !captures.isEmpty else { return ["No capture could be read."] }
    let records = captures.reduce(0) { $0 + $1.records }
    let names = captures.prefix(3).map { quotedName($0.name) }
    let rest = captures.count - names.count
    let listed = Words.list(names + (rest > 0 ? ["\(Words.number(rest)) more"] : []))
    var sentences = [
      captures.count == 1
        ? "One capture was read: \(listed), \(container(captures[0])), \(Words.counted(records, "record"))."
        : "\(Words.number(captures.count)) captures were read: \(listed), together \(Words.counted(records, "record"))."
    ]
    if let scale = contents.scale {
      sentences.append(
        "It reaches over \(Words.duration(scale.length)), \(Words.span(scale.from, scale.to)) UTC.")
    } else {
      sentences.append("No record has a time.")
    }
    let observers = contents.observers
    if !observers.isEmpty {
      let names = observers.prefix(4).map { observer in
        observer.name + (observer.controller.map { " (controller \($0))" } ?? "")
          + (observer.system.map { ", \($0)" } ?? "")
      }
      let rest = observers.count - names.count
      sentences.append(
        (observers.count == 1
          ? "One receiver listened: " : "\(Words.number(observers.count)) receivers listened: ")
          + Words.list(names + (rest > 0 ? ["\(Words.number(rest)) more"] : [])) + ".")
    }
    return sentences
  }

  private func container(_ capture: CaptureRow) -> String {
    capture.container + (capture.compression.map { " packed with \($0)" } ?? "")
  }

  private func quotedName(_ name: String) -> String { name == "-" ? "standard input" : name }

  private var heard: [String] {
    let totals = contents.beaconTotals
    let reports = contents.captures.reduce(0) { $0 + $1.reports }
    guard contents.beacons.count > 0 else {
      return [
        "No beacon was heard: none of \(Words.counted(reports, "advertising report")) is an iBeacon, "
          + "Eddystone or AltBeacon."
      ]
    }
    let kinds = totals.kinds.map { "\(Words.number($0.beacons)) \($0.name)" }
    let senders =
      totals.addresses.map { ", sent from \(Words.counted($0, "address", "addresses"))" } ?? ""
    var sentences = [
      "\(Words.counted(contents.beacons.count, "beacon")) (\(Words.list(kinds))) "
        + (contents.beacons.count == 1 ? "was" : "were")
        + " heard \(Words.counted(totals.sightings, "time"))\(senders)."
    ]
    let others = contents.otherReports
    if others > 0 {
      sentences.append("\(Words.counted(others, "report")) came from other advertisers.")
    }
    return sentences
  }

  // MARK: Who was where

  private var regions: HTMLText {
    guard !contents.presences.isEmpty else { return "<p>No region was followed.</p>" }
    let visited = contents.presences.filter { $0.visits > 0 }
    let never = Set(contents.presences.map(\.region)).subtracting(visited.map(\.region))
    let isOne = contents.observers.count < 2
    var items = visited.prefix(Most.summarised).map { presence -> HTMLText in
      let at: HTMLText = isOne ? "" : " at \(contents.observer(presence.observer))"
      return """
        <li><b>\(contents.region(presence.region))</b>\(at): \(Words.counted(presence.visits, "visit")), \
        \(Words.duration(presence.inside)) in all\(visits(presence)); \(end(presence)).</li>
        """
    }
    if visited.count > items.count {
      items.append(
        "<li>\(Words.counted(visited.count - items.count, "more region")) with visits, below.</li>")
    }
    if !never.isEmpty {
      let names = never.sorted().prefix(Most.summarised).map { contents.region($0) }
      let rest = never.count - names.count
      items.append(
        "<li>Never inside: \(Words.list(names + (rest > 0 ? ["\(Words.number(rest)) more"] : []))).</li>"
      )
    }
    let note: HTMLText =
      contents.hasDefaultRegions
      ? "<p>No regions were given: each iBeacon UUID and each Eddystone namespace that was heard is one.</p>"
      : ""
    return "\(note)<ul>\(items.joined())</ul>"
  }

  /// When, where there are few enough to be told.
  private func visits(_ presence: Presence) -> HTMLText {
    let main = contents.profiles.first?.id
    let stays = contents.visits.rows.filter {
      $0.profileId == main && $0.regionId == presence.region && $0.observerId == presence.observer
    }
    guard !stays.isEmpty, stays.count <= 3, stays.count == presence.visits else { return "" }
    let spans = stays.map { stay in
      stay.untilNs.map { between(stay.sinceNs, $0) } ?? "from \(between(stay.sinceNs, nil)) on"
    }
    return " (\(Words.list(spans)))"
  }

  /// `10:05:43–10:07:11`; with dates where it is not all one day.
  private func between(_ from: Int64?, _ to: Int64?) -> String {
    guard let from, let scale = contents.scale else { return "a time that is not known" }
    let day = Words.moment(scale.from).prefix(10)
    let times = [from, to].compactMap { $0 }.map { time -> String in
      let moment = Words.moment(time).dropLast(4)
      return String(moment.hasPrefix(day) ? moment.dropFirst(11) : moment)
    }
    return times.joined(separator: "–")
  }

  private func end(_ presence: Presence) -> String {
    if presence.isOpen { return "still inside at the end" }
    return presence.state == "outside" ? "outside at the end" : "at the end \(presence.state)"
  }

  // MARK: How sure

  private var deaf: [String] {
    contents.observers.compactMap { observer in
      guard let id = observer.id, let deaf = contents.deafness[id], deaf > 0 else { return nil }
      let length = (observer.toNs ?? 0) - (observer.fromNs ?? 0)
      let share = length > 0 ? " (\(Words.percent(Double(deaf) / Double(length))) of its time)" : ""
      return
        "\(observer.name) was deaf for \(Words.duration(deaf))\(share): its silence then says nothing."
    }
  }

  private var damage: [String] {
    var sentences: [String] = []
    if deaf.isEmpty, !contents.observers.isEmpty {
      sentences.append("No time is known at which a receiver could not hear.")
    }
    let damaged = contents.captures.filter(\.isDamaged).map { quotedName($0.name) }
    if !damaged.isEmpty {
      let bytes = contents.skippedBytes
      // Of one capture a thousand places are listed, and all of them counted.
      let least = contents.damagedPlaces > contents.damage.count ? "at least " : ""
      sentences.append(
        "\(Words.list(damaged)) \(damaged.count == 1 ? "is" : "are") damaged: "
          + "\(Words.counted(contents.damagedPlaces, "place")), \(least)\(Words.counted(bytes, "byte")) skipped."
      )
    }
    let sum = { (path: KeyPath<CaptureRow, Int>) in
      contents.captures.reduce(0) { $0 + $1[keyPath: path] }
    }
    if sum(\.lostPackets) > 0 {
      sentences.append(
        "The recorder counted \(Words.counted(sum(\.lostPackets), "packet")) that it lost.")
    }
    let unread = sum(\.malformed) + sum(\.truncated) + sum(\.crcFailed) + sum(\.unsupported)
    if unread > 0 {
      sentences.append(
        "\(Words.counted(unread, "record")) could not be read as "
          + "\(unread == 1 ? "it is" : "they are") (malformed, cut, bad checksum or not supported)."
      )
    }
    if damaged.isEmpty, sum(\.lostPackets) == 0, unread == 0, !contents.captures.isEmpty {
      sentences.append("Every record was read; nothing is known to be lost.")
    }
    if contents.problems.count > 0 {
      sentences.append(
        "\(Words.counted(contents.problems.count, "input")) could not be read to the end; see Inputs."
      )
    }
    return sentences
  }

  private var exits: [String] {
    let sum = { (path: KeyPath<Presence, Int>) in
      contents.presences.reduce(0) { $0 + $1[keyPath: path] }
    }
    let (exits, deaf, thin) = (sum(\.exits), sum(\.deafExits), sum(\.thinExits))
    guard exits > 0 else { return [] }
    var parts: [String] = []
    if deaf > 0 {
      parts.append("\(Words.number(deaf)) fell into a time when the receiver was deaf")
    }
    if thin > 0 { parts.append("\(Words.number(thin)) may as well be lost packets (thin)") }
    guard !parts.isEmpty else {
      return ["At every exit the beacon would have been heard, had it still been there."]
    }
    return ["Of \(Words.counted(exits, "exit")), \(parts.joined(separator: " and "))."]
  }

  private var alerts: [String] {
    guard contents.alerts.count > 0 else {
      return [contents.plugins.isEmpty ? "No rule judged it." : "No rule raised an alert."]
    }
    let kinds = contents.severities.map { "\(Words.number($0.count)) \($0.name)" }
    let first = contents.alerts.rows.prefix(3).map(\.title)
    let rest = contents.alerts.count - first.count
    return [
      "\(Words.counted(contents.alerts.count, "alert")) (\(Words.list(kinds))): "
        + first.joined(separator: "; ") + (rest > 0 ? "; and \(Words.number(rest)) more." : ".")
    ]
  }
}
