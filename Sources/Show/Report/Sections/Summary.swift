import CaseStore
import Exports

/// The story in words, for a reader who reads nothing else.
struct Summary {
  let contents: Contents
  let evidence: Evidence

  var html: HTMLText {
    let sure = Certainty(contents: contents).paragraphs
    return Section.html(
      "summary", "Summary",
      """
      <ul class="figures">\(figures)</ul>
      <div class="prose">\(Self.prose([recorded, heard]))
      \(Warnings(contents: contents, evidence: evidence).html)<h3>Who was where</h3>\(regions)
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
    figures.append(
      (
        Words.number(contents.beaconTotals.sightings),
        contents.beaconTotals.sightings == 1 ? "sighting" : "sightings"
      ))
    if contents.isFollowed {
      let visits = contents.presences.reduce(0) { $0 + $1.visits }
      figures.append((Words.number(visits), (visits == 1 ? "visit" : "visits") + contents.whose))
    }
    figures.append(
      (Words.number(contents.alerts.count), contents.alerts.count == 1 ? "alert" : "alerts"))
    return figures.map { "<li><b>\($0.0)</b> \($0.1)</li>" }.joined()
  }

  // MARK: What was recorded

  private var recorded: [String] {
    let captures = contents.captures
    guard !captures.isEmpty else { return ["No capture could be read."] }
    let records = captures.reduce(0) { $0 + $1.records }
    let files = captures.map { Words.fileName($0.name) }
    let isClear = Set(files).count == files.count
    let names = captures.prefix(3).map {
      isClear ? Words.fileName($0.name) : contents.shown($0.name)
    }
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
      if let leftOut = scale.leftOut { sentences.append(leftOut) }
    } else {
      sentences.append("No record has a time.")
    }
    let observers = contents.receivers
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
    let receivers = contents.receivers.count
    let together = receivers > 1 ? " by \(Words.number(receivers)) receivers together" : ""
    var sentences = [
      "\(Words.counted(contents.beacons.count, "beacon")) (\(Words.list(kinds))) "
        + (contents.beacons.count == 1 ? "was" : "were")
        + " heard \(Words.counted(totals.sightings, "time"))\(together)\(senders)."
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
    // Of a receiver that others outlast nothing is known of the whole time.
    let isThroughout = { (presence: Presence) in
      presence.isThroughout && contents.ends.isWhole(presence.observer)
    }
    let throughout = contents.presences.filter(isThroughout)
    let isShort = throughout.count >= Self.fewThroughout
    let visited = contents.presences.filter { $0.visits > 0 && !(isShort && isThroughout($0)) }
    let isOne = contents.receivers.count < 2
    var items = Presence.choose(
      Most.summarised, of: visited, alerted: contents.alertRegions.all
    ).map { item($0) }
    let others = visited.count - items.count
    if others > 0 {
      // A region may have visits at several receivers.
      let what =
        Words.counted(others, isOne ? "more region" : "more pair")
        + (isOne ? "" : " of region and receiver")
      items.append("<li>\(what) with visits, below.</li>")
    }
    if isShort { items.append(present(throughout)) }
    return "\(note)<ul>\(items.joined())\(never)</ul>"
  }

  /// So many that never change are told in one line.
  private static let fewThroughout = 3

  private func name(_ presence: Presence) -> HTMLText {
    let at: HTMLText =
      contents.receivers.count < 2 ? "" : " at \(contents.observer(presence.observer))"
    return "<b>\(contents.region(presence.region))</b>\(at)"
  }

  private func item(_ presence: Presence) -> HTMLText {
    let heard =
      presence.heard.map { $0 < presence.inside ? ", heard over \(Words.duration($0))" : "" } ?? ""
    return """
      <li>\(name(presence)): \(Words.counted(presence.visits, "visit")), \
      \(Words.duration(presence.inside)) in all\(visits(presence))\(heard)\(unplaced(presence)); \(end(presence))\
      \(doubts(presence))\(stamps(presence)).</li>
      """
  }

  private func present(_ presences: [Presence]) -> HTMLText {
    let names = presences.prefix(Most.summarised).map { name($0) }
    let rest = presences.count - names.count
    let more: HTMLText = rest > 0 ? " and \(Words.number(rest)) more" : ""
    return
      "<li>Inside all along, already at the beginning and still at the end: \(names.joined(", "))\(more).</li>"
  }

  /// What entries leave open.
  private func doubts(_ presence: Presence) -> HTMLText {
    let main = contents.profiles.first?.id
    let stays = contents.visits.rows.filter {
      $0.profileId == main && $0.regionId == presence.region && $0.observerId == presence.observer
    }
    let words = stays.compactMap { stay in
      stay.entryWhy.map { "at the entry at \(contents.time(stay.sinceNs).dropLast(4)) it \($0)" }
    }
    guard let first = words.first else { return "" }
    let rest = presence.doubtfulEntries - 1
    return
      "; \(first)\(rest > 0 ? ", and \(Words.counted(rest, "more entry", "more entries")) like it" : "")"
  }

  /// When visits were by their frames that are told at another time.
  private func stamps(_ presence: Presence) -> HTMLText {
    guard let stamped = presence.stamped else { return "" }
    let which =
      presence.visits == 1
      ? "its frames are" : "the frames of \(Words.number(stamped.visits)) of them are"
    return
      "; told at another time than that of its frames: \(which) stamped \(Words.span(stamped.first, stamped.last)), earlier than what came before them (a clock set back, or a late batch), and stand at the time that had been reached: neither times nor lengths are theirs"
  }

  /// Which regions, and by whose rules.
  private var note: HTMLText {
    var sentences: [String] = []
    if contents.hasDefaultRegions {
      sentences.append(
        contents.regionsPer == "beacon"
          ? "No regions were given: each iBeacon, Eddystone-UID and AltBeacon that was heard is one."
          : "No regions were given: each iBeacon UUID and each Eddystone namespace that was heard is one."
      )
    }
    if contents.profiles.count > 1, let main = contents.profiles.first {
      sentences.append("By profile \(main.name); the table of visits has those of the others, too.")
    }
    if contents.presences.contains(where: { $0.basis != .positions && $0.exits.all > 0 }) {
      sentences.append(
        "A visit of beacons ends with its exit, its exit period behind the last sighting: times in all have "
          + "exit periods in them.")
    }
    return sentences.isEmpty ? "" : "<p>\(sentences.joined(separator: " "))</p>"
  }

  /// Regions without a visit at any receiver.
  private var never: HTMLText {
    let visited = Set(contents.presences.filter { $0.visits > 0 }.map(\.region))
    let others = contents.presences.filter { !visited.contains($0.region) }
    let doubtful = Set(others.filter(\.neverIsDoubtful).map(\.region))
    let sure = Set(others.map(\.region)).subtracting(doubtful)
    let lists: [(HTMLText, Set<Int64>)] = [
      ("Never inside", sure), ("Not known to have been inside", doubtful),
    ]
    return lists.filter { !$0.1.isEmpty }.map { words, regions -> HTMLText in
      let names = regions.sorted().prefix(Most.summarised).map { contents.region($0) }
      let rest = regions.count - names.count
      let listed = Words.list(names + (rest > 0 ? ["\(Words.number(rest)) more"] : []))
      return "<li>\(words): \(listed).</li>"
    }.joined()
  }

  /// How much of it is inside only because nothing was known of having left.
  private func unplaced(_ presence: Presence) -> String {
    presence.unplaced > 0 ? ", \(Words.duration(presence.unplaced)) of it without a position" : ""
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

  /// `10:05:43–10:07:11`; with the date where the recording is not all of one day, and with that of the
  /// end where that is another day.
  private func between(_ from: Int64?, _ to: Int64?) -> String {
    guard let from, let scale = contents.scale else { return "a time that is not known" }
    let begin = scale.clock(from).dropLast(4)
    guard let to else { return String(begin) }
    let end = Words.clock(to, on: Words.day(from)).dropLast(4)
    return "\(begin)–\(end)"
  }

  private func end(_ presence: Presence) -> String {
    let atEnd = contents.atEnd(of: presence.observer)
    if presence.isOpen {
      return presence.basis == .positions && contents.positions.end(of: presence.observer) != nil
        ? "inside when the positions end, at the end unknown" : "still inside \(atEnd)"
    }
    return presence.state == "outside" ? "outside \(atEnd)" : "\(atEnd) \(presence.state)"
  }
}
