import Analysis
import Beacons
import CaptureReader
import Regions

/// Advice in words.
enum AdviseFigures {
  /// `30 s`, `1.1 s`, `8.214 s`.
  static func seconds(_ nanoseconds: Int64) -> String {
    let thousandths = Int((Double(nanoseconds) / 1e6).rounded(.up))
    let whole = TextColumns.grouped(thousandths / 1000)
    var rest = String(String(thousandths % 1000 + 1000).dropFirst())
    while rest.last == "0" { rest.removeLast() }
    return rest.isEmpty ? "\(whole) s" : "\(whole).\(rest) s"
  }

  /// `1 300`, `4.2`, `0.12`, `under 0.01`.
  static func rate(_ value: Double) -> String {
    if value == 0 { return "0" }
    if value < 0.01 { return "under 0.01" }
    if value < 0.995 { return Figures.significant(value) }
    if value < 9.95 { return TextColumns.decimal(value) }
    return value < 1e12 ? TextColumns.grouped(Int(value.rounded())) : "over 10¹²"
  }

  static func perDay(_ row: ExitAdvice.Row, _ place: ExitAdvice.Place) -> String {
    perDay(row, of: place).map(rate) ?? "–"
  }

  /// Exits that look false in a day of being inside; nil where the region was too short inside to say.
  static func perDay(_ row: ExitAdvice.Row, of place: ExitAdvice.Place) -> Double? {
    place.inside > 0 ? Double(row.looksFalse) * 86_400e9 / Double(place.inside) : nil
  }

  static func name(_ beacon: ExitAdvice.Beacon, _ statistics: BeaconStatistics) -> String {
    let transmitter = statistics.transmitters[UInt32(beacon.transmitter)]
    let identity = statistics.identities[transmitter.identity]
    return BeaconTable.name(identity.kind, statistics.identities.bytes(of: identity))
  }

  static func address(_ beacon: ExitAdvice.Beacon, _ statistics: BeaconStatistics) -> String {
    BeaconTable.address(statistics.transmitters[UInt32(beacon.transmitter)].address)
  }

  /// `39 min 12 s of listening`; `59 min 59 s of scanning, of which the radio listened for 5 min 59 s (10 %)`.
  static func listening(_ place: ExitAdvice.Place) -> String {
    let inside = TextColumns.duration(place.inside)
    if let windows = place.windows {
      return
        "\(inside), of which the profile scans for \(seconds(windows.length)) of each \(seconds(windows.interval))"
    }
    guard let share = place.share else { return "\(inside) of listening" }
    return "\(inside) of scanning, of which the radio listened for "
      + "\(TextColumns.duration(place.listened)) (\(Figures.percent(share)))"
  }

  // MARK: what follows for a region

  static func sentences(_ place: ExitAdvice.Place) -> [String] {
    guard let shortest = place.shortest else { return [noneTells(place)] }
    var sentences: [String] = []
    let isFirst = shortest == place.rows.first?.period
    let exact =
      place.exact.map { " (\(seconds($0)) would have done)" }
      ?? (isFirst ? "; shorter ones may do (--exit-after)" : untestedBelow(shortest, place))
    sentences.append(
      "\(seconds(shortest)) is the shortest of these without an exit that looks false\(exact).")
    if place.steady != shortest {
      let again = place.rows.filter { $0.period > shortest && $0.looksFalse > 0 }
        .map { "\(seconds($0.period)): \($0.looksFalse)" }
      let steady = place.steady.map { "take \(seconds($0))" } ?? "none of these is long enough"
      sentences.append(
        "Longer ones have some again (\(again.joined(separator: ", "))), after silences that a shorter one "
          + "takes for leaving and coming back. If nobody was away then, \(steady).")
    }
    if let most = place.mostPerDay {
      sentences.append(
        "What one recording proves: none in \(TextColumns.duration(place.inside)) means, nineteen times of "
          + "twenty, fewer than \(rate(most)) a day.")
    }
    return sentences
  }

  /// Of periods below the shortest that is clean, where all their exits are of a radio that was deaf.
  private static func untestedBelow(_ shortest: Int64, _ place: ExitAdvice.Place) -> String {
    guard let below = place.rows.last(where: { $0.period < shortest }), !below.isTested,
      below.deaf > 0
    else { return "" }
    return
      "; of \(seconds(below.period)) nothing can be said, as the radio was deaf at all its exits"
  }

  /// Where each period has exits that look false, or was not tested.
  private static func noneTells(_ place: ExitAdvice.Place) -> String {
    guard let first = place.rows.first(where: { !$0.isTested }) else {
      return "Each of these has exits that look false: try longer ones (--exit-after)."
    }
    let why =
      "the region was never inside, with a radio that could hear, for five times as long without a break"
    guard place.rows.contains(where: \.isTested) else {
      let exits =
        place.rows.contains { $0.deaf > 0 } ? " All exits are of a radio that was deaf." : ""
      return "No period was tested here, so none is advised: \(why).\(exits)"
    }
    return
      "The shorter ones have exits that look false; \(seconds(first.period)) and more were not tested: \(why)."
  }

  // MARK: beacons

  /// How many silences a day loss alone makes, while they are worth telling, where the interval is from, and what
  /// else has to be known of it.
  /// - Parameter observers: their names.
  static func expected(
    _ beacon: ExitAdvice.Beacon, _ place: ExitAdvice.Place, _ advice: ExitAdvice,
    _ observers: (Int) -> String
  ) -> String {
    let count = count(beacon)
    // Loss alone would make other silences for who listens in windows.
    if place.windows != nil {
      return count + "silences a day are not reckoned for a profile that scans in windows"
    }
    guard let pace = beacon.pace else { return count + untold(beacon.untold, place) }
    let told = advice.periods.prefix { pace.expectedPerDay($0) >= 0.01 }
    var parts: [String] = []
    if !told.isEmpty {
      parts.append(
        told.map { "\(seconds($0)) \(rate(pace.expectedPerDay($0)))" }.joined(separator: ", "))
    }
    if told.count < advice.periods.count {
      parts.append("from \(seconds(advice.periods[told.count])) on under 0.01")
    }
    let whose =
      switch pace.intervalSource {
      case .gaps: ""
      case .receiver(let observer): "interval as heard by \(observers(observer)); "
      case .telemetry: "interval by its telemetry; "
      }
    return count + changed(pace) + part(beacon) + whose + "expected a day: "
      + parts.joined(separator: "; ")
  }

  /// Why what its telemetry counts is not told.
  private static func count(_ beacon: ExitAdvice.Beacon) -> String {
    switch beacon.countFault {
    case .faster: "its telemetry counts more than it is heard to send, and is not used; "
    case .clock:
      "the clock in its telemetry does not go as the capture's: what it counts is not used; "
    case .several, nil: ""
    }
  }

  private static func changed(_ pace: BeaconPace) -> String {
    guard let change = pace.change else { return "" }
    return "sends every \(TextColumns.interval(pace.interval)) since about "
      + "\(TextColumns.moment(change.since)), before every \(TextColumns.interval(change.before)); "
  }

  /// Of whom a part was heard by less than all of the radio's time, and all else is not of.
  private static func part(_ beacon: ExitAdvice.Beacon) -> String {
    beacon.isOfPart && beacon.pace?.change == nil
      ? "learnt while the radio listened all the time, without a filter; " : ""
  }

  private static func untold(_ why: BeaconPace.Untold?, _ place: ExitAdvice.Place) -> String {
    switch why {
    case .seldom, nil: "heard too seldom to know interval and loss"
    case .lossy:
      "its gaps tell neither interval nor loss: most is lost, or several devices send it"
    case .filtered: "duplicates were filtered: interval and loss cannot be told"
    case .partly:
      "the radio listened \(place.share.map { Figures.percent($0) } ?? "a part") of the time: its gaps tell neither "
        + "interval nor loss"
    case .several:
      "its telemetry counts forth and back, as several devices of one address do: interval and loss cannot be told"
    case .changed(let first, let last):
      "its interval changed, from \(TextColumns.interval(first)) to \(TextColumns.interval(last)): loss is not known"
    }
  }

  /// Since when it is not heard any more; nil where it has been silent for as long before, or left a moment ago.
  static func unheard(
    _ beacon: ExitAdvice.Beacon, _ place: ExitAdvice.Place, _ advice: ExitAdvice
  ) -> String? {
    let usual = max(beacon.longest, place.present, advice.returned)
    guard beacon.silentAtEnd > usual, !advice.filtering.contains(place.observer) else { return nil }
    return
      "not heard since \(TextColumns.moment(beacon.last)), for "
      + "\(TextColumns.duration(beacon.silentAtEnd)) of listening: it sends no more, or it or the receiver went away"
  }

  /// Of receivers that tell of a beacon once in a while only.
  static func filtered(_ names: [String]) -> String {
    let all = names.joined(separator: ", ")
    let (it, was) = names.count == 1 ? ("it tells", "its") : ("they tell", "their")
    return
      "\(all) filtered duplicates: \(it) of a beacon once in a while, however often that sends, and exits "
      + "there are \(was) filter's. No exit period mends that: record without the filter (live: --scan passive "
      + "--take-over)."
  }

  /// Silences that all its beacons together had, and as the model has them: of the longest period that had too
  /// many, else of the shortest; nil where there is nothing to compare.
  static func verdict(_ place: ExitAdvice.Place, _ advice: ExitAdvice) -> String? {
    guard place.windows == nil else { return nil }
    let paces = place.beacons.filter { !$0.isOfPart }.compactMap(\.pace)
    guard !advice.periods.isEmpty, paces.contains(where: { $0.gaps > 0 }) else { return nil }
    let silences = advice.periods.indices.map { Self.silences(place, advice, $0) }
    if let many = silences.last(where: { $0.found > $0.expected + $0.slack }) {
      return
        "\(many.figures): losses come together, or beacons were out of reach for a while. Trust what was "
        + "recorded, not the days expected."
    }
    let shortest = silences[0]
    if shortest.found < shortest.expected - shortest.slack {
      return "\(shortest.figures): the model is too strict here."
    }
    return "\(shortest.figures): the model, each loss by itself, agrees."
  }

  private struct Silences {
    let period: Int64
    var expected = 0.0
    var found = 0.0

    /// More may be chance: of several periods one is off by twice the deviation soon.
    var slack: Double { 3 * (expected + 1).squareRoot() }

    var figures: String {
      "Silences of single beacons over \(seconds(period)): \(rate(expected)) expected here, "
        + "\(TextColumns.grouped(Int(found))) heard"
    }
  }

  private static func silences(
    _ place: ExitAdvice.Place, _ advice: ExitAdvice, _ number: Int
  ) -> Silences {
    var silences = Silences(period: advice.periods[number])
    for beacon in place.beacons {
      guard let pace = beacon.pace, !beacon.isOfPart else { continue }
      silences.expected += Double(pace.gaps) * pace.probability(ofSilence: silences.period)
      silences.found += Double(beacon.silences[number])
    }
    return silences
  }
}
