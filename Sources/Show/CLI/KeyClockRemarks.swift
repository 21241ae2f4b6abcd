import Analysis
import BeaconKeys
import Beacons
import CaptureReader
import Exports
import TrackReader

/// Whose clock is off where that of a key is not where its line has it: the beacon's, or a receiver's.
enum KeyClockRemarks {
  // MARK: Of a receiver

  /// Several keys are off by the same, by the clock of one receiver.
  static func receiver(_ off: KeyStandings.ReceiverOff) -> String {
    let names = off.names
    let beyond =
      off.isBeyond ? ", beyond their windows: what they sent so counts as that of nobody" : ""
    // What is to come nobody has recorded.
    let recorded = off.ahead < 0 ? ", or recordings of them are sent again" : ""
    let whose =
      off.right.map {
        "By that of \(TextColumns.printable($0)) they are where the lines have them: the receivers' clocks differ"
          + "\(recorded), and the lines are to be left"
      }
      ?? "It is that clock that is off, or the one by which all these lines were written\(recorded), "
      + (off.mayBeNew
        ? "or the beacons got new batteries, all about the same time: their clocks began not long ago"
        : "and hardly the beacons'")
    let all = KeyRemarks.listed(names.map { "'\($0)'" })
    let (whoever, how) = (TextColumns.printable(off.observer), KeyRemarks.off(off.ahead))
    return
      "--keys: by the clock of \(whoever)\(part(off)) \(names.count) keys (\(all)) are all \(how) where their lines "
      + "have them\(beyond). \(whose). \(option(off))."
  }

  private static func part(_ off: KeyStandings.ReceiverOff) -> String {
    guard let part = off.parts.first, off.parts.count == 1 else { return "" }
    let ends = [
      part.from.map { "from \(TextColumns.moment($0)) on" },
      part.until.map { "until \(TextColumns.moment($0))" },
    ].compactMap(\.self)
    return ends.isEmpty ? "" : ", \(ends.joined(separator: " and ")),"
  }

  /// `--clock b.btsnoop=-259080s would set the receiver's right, to about 4 min 16 s`
  private static func option(_ off: KeyStandings.ReceiverOff) -> String {
    let words = off.parts.filter { $0.isMovable && $0.receivers == 1 }.map { part in
      let from = part.from.map { ",from=\(time($0))" } ?? ""
      let until = part.until.map { ",until=\(time($0))" } ?? ""
      let sign = off.ahead < 0 ? "-" : "+"
      return "--clock "
        + ShellWord.quoted("\(part.capture)=\(sign)\(off.ahead.magnitude)s\(from)\(until)")
    }
    guard !words.isEmpty else {
      let set = "Set the receiver's clock right before the keys' lines"
      return off.parts.first { $0.isMovable }.map {
        "\(set); no --clock does that by itself, as \(TextColumns.printable($0.capture)) has "
          + "\(TextColumns.grouped($0.receivers)) receivers, which it moves together"
      } ?? set
    }
    let slack = TextColumns.duration(off.slack * 1_000_000_000)
    // All of them: what is left out nobody can move.
    let all = KeyRemarks.listed(words, most: words.count)
    return "\(all) would set the receiver's right, to about \(slack)"
  }

  private static func time(_ time: Timestamp) -> String {
    UTCTime.rfc3339(time).replacing(".000000000Z", with: "Z")
  }

  // MARK: Of one key

  /// What was heard of a key beyond its window; nil where it has been told of a receiver.
  /// - Parameter isUnheard: whether nothing was heard within it.
  static func beyond(
    _ clock: KeyRing.StrayClock, isUnheard: Bool, _ standings: KeyStandings
  ) -> String? {
    let own = standings.all.filter { $0.isBeyond && $0.heard.key == clock.number }
    let left = own.filter { !standings.isOfReceiver($0) }
    guard own.isEmpty || !left.isEmpty else { return nil }
    let last = left.max {
      $0.heard.voice.last.time.nanoseconds < $1.heard.voice.last.time.nanoseconds
    }
    let isAll = left.count == own.count
    let ahead = isAll ? clock.ahead : last?.ahead ?? clock.ahead
    let said = isAll ? clock.clock : last?.clock ?? clock.clock
    let name = "'\(clock.key.name)'"
    if isUnheard {
      return
        "--keys: \(name) was heard, but its clock is \(KeyRemarks.away(ahead)), beyond its window: what it sent counts "
        + "as that of nobody. "
        + why(last, standings, nil, ahead, KeyRemarks.advice(said, ahead: ahead))
    }
    let when = When(left, standings)
    return
      "--keys: \(name) was heard within its window and\(when.words), with a clock that is "
      + "\(KeyRemarks.away(ahead)), beyond it: what it sent so counts as that of nobody. "
      + why(
        last, standings, when, ahead,
        KeyRemarks.advice(said, ahead: ahead, " for what comes from then on"))
  }

  /// When a key was heard beyond its window, beside when it was within.
  private enum When {
    case all
    case from(Timestamp)
    case until(Timestamp)
    case between(Timestamp, Timestamp, isOver: Bool)

    init(_ beyond: [KeyStandings.Standing], _ standings: KeyStandings) {
      let within = standings.all.filter { !$0.isBeyond && $0.heard.key == beyond.first?.heard.key }
      func ends(_ all: [KeyStandings.Standing]) -> (Timestamp, Timestamp)? {
        let times = all.flatMap { [$0.heard.voice.first.time, $0.heard.voice.last.time] }
        let order: (Timestamp, Timestamp) -> Bool = { $0.nanoseconds < $1.nanoseconds }
        guard let first = times.min(by: order), let last = times.max(by: order) else { return nil }
        return (first, last)
      }
      guard let (first, last) = ends(beyond), let others = ends(within) else {
        self = .all
        return
      }
      if others.1.nanoseconds <= first.nanoseconds {
        self = .from(first)
      } else if others.0.nanoseconds >= last.nanoseconds {
        self = .until(last)
      } else {
        self = .between(first, last, isOver: others.1.nanoseconds > last.nanoseconds)
      }
    }

    var words: String {
      switch self {
      case .all: " also"
      case .from(let first): ", from \(TextColumns.moment(first)) on"
      case .until(let last): ", until \(TextColumns.moment(last))"
      case .between(let first, let last, _):
        ", from \(TextColumns.moment(first)) to \(TextColumns.moment(last))"
      }
    }

    /// Whether the line has it right for what came last.
    var isOver: Bool {
      switch self {
      case .all, .from: false
      case .until: true
      case .between(_, _, let isOver): isOver
      }
    }
  }

  /// Whose clock it is as far as the captures tell, and what to do.
  /// - Parameter when: nil where nothing was heard within the window.
  private static func why(
    _ one: KeyStandings.Standing?, _ standings: KeyStandings, _ when: When?, _ ahead: Int64,
    _ advice: String
  ) -> String {
    let isOver = when?.isOver == true
    let line = isOver ? "The line is right for what came later." : advice
    switch one.map({ standings.reason(of: $0) }) ?? .unknown {
    case .beacon(let others):
      let keys =
        others == 1
        ? "another key is where its line has it"
        : "\(TextColumns.grouped(others)) other keys are where their lines have them"
      let set = ahead < 0 && !isOver ? "set anew (a new battery?)" : "set otherwise"
      let wrong = when == nil ? ", or its line is wrong" : ""
      return "By the same clock \(keys): it is this beacon's that was \(set)\(wrong). \(line)"
    case .twice:
      let who =
        ahead < 0
        ? "somebody recorded that and sends it again, or another device has its key"
        : "who sends that has its key, or recorded it while its clock was set forward"
      return
        "By the same clock it was within its window at the time: \(who). That is no reason to write another clock."
    case .receivers(let other, let how):
      let name = TextColumns.printable(other.heard.observer)
      let time = how == .apart ? ", at another time," : ""
      return "By the clock of \(name)\(time) it is where the line has it: \(differ(how))"
    case .unknown:
      return when == nil
        ? line : "It was set anew (a new battery?), or the receiver's clock was set. \(line)"
    }
  }

  /// Where one receiver alone has a key elsewhere than its line, within its window; nil where none has it there.
  static func elsewhere(_ one: KeyStandings.Standing, _ standings: KeyStandings) -> String? {
    guard case .receivers(let other, let how) = standings.reason(of: one) else { return nil }
    let names = [one, other].map { TextColumns.printable($0.heard.observer) }
    let time = how == .apart ? ", at another time," : ""
    return
      "--keys: by the clock of \(names[0]) '\(one.key.name)' is \(KeyRemarks.away(one.ahead)), and by that of "
      + "\(names[1])\(time) where the line has it: \(differ(how))"
  }

  private static func differ(_ how: KeyStandings.Receivers) -> String {
    let clocks = "the receivers' clocks differ ('beacontrace clocks')"
    return switch how {
    case .compared: "\(clocks). Set those right (--clock), and leave the key's line."
    case .together:
      "\(clocks), or one of them hears a recording. Set those right (--clock) before the key's line."
    case .apart:
      "\(clocks), or the beacon's was set in between. Set those right (--clock) before the key's line."
    }
  }
}
