import Analysis
import BeaconKeys
import Beacons
import CaptureReader
import FrameDecoder

/// What changed, a row for each beacon.
struct CompareWords {
  private let comparison: Comparison
  private let names: SiteNames
  private var before: BeaconSummaries { comparison.before.beacons }
  private var now: BeaconSummaries { comparison.now.beacons }

  init(_ comparison: Comparison, _ names: SiteNames) {
    (self.comparison, self.names) = (comparison, names)
  }

  /// `depot 4-1 (2f23…ffa6:4:1)`
  private func name(_ place: Int, _ beacons: BeaconSummaries) -> String {
    let id = beacons.text(beacons.identity(at: place))
    let short = TextColumns.printable(TextColumns.shortened(id))
    guard let name = names.name(of: place, in: beacons), name != id else { return short }
    return "\(TextColumns.printable(name)) (\(short))"
  }

  private static func moment(_ time: Timestamp) -> String {
    guard time.isKnown else { return "at a time that is not known" }
    return TextColumns.moment(time)
  }

  private static func dBm(_ power: (min: Int, max: Int)) -> String {
    let largest = Remarks.signed(power.max)
    return power.min == power.max ? largest : "\(Remarks.signed(power.min))…\(largest)"
  }

  func missing(_ missing: Comparison.Missing) -> String {
    let beacon = before[missing.place]
    var text =
      "\(name(missing.place, before))  \(missing.grade.rawValue): last heard "
      + "\(Self.moment(beacon.last)), \(TextColumns.counted(beacon.sightings, "sighting"))"
    switch (missing.grade, missing.doubt) {
    case (_, .radioMissing) where missing.heardMostBy != nil:
      let name = missing.heardMostBy.map { TextColumns.printable($0) } ?? ""
      text += "; last, or most often, heard by \(name), which takes no part now"
    case (_, .radioMissing):
      text += alone(missing.heardBy, ("takes", "take"), "now")
    case (_, .walkShorter):
      let (sightings, length) = missing.inTime ?? (0, 0)
      text +=
        "; \(sightings == 0 ? "none" : TextColumns.grouped(sightings)) of them in the first "
        + "\(TextColumns.duration(length)) of its radio, which went on for no longer now"
    case (_, .duplicatesFiltered): text += "; its radio filters duplicates now"
    case (_, .listedOnly): text += "; its radio passes on only whom it was told to now"
    case (.thin, _): text += "; too few to expect it now"
    case _ where missing.others == 0: text += "; its radio heard nobody else often"
    case _:
      if missing.doubt == .radioMoved { text += "; its radio hears otherwise now" }
      text += "; of \(TextColumns.counted(missing.others, "other")) that its radio heard "
      let count = missing.othersNow == 0 ? "none" : TextColumns.grouped(missing.othersNow)
      text += "\(count) \(missing.othersNow < 2 ? "is" : "are") heard now"
    }
    for (place, address) in missing.successors {
      text +=
        now.identity(at: place).kind == .eddystoneEID
        ? unknownEID(missing.place, address)
        : "; \(BeaconTable.address(address)) is now \(name(place, now))"
    }
    if let refused = missing.refusedNow.first {
      let times = refused.count == 1 ? "once" : "\(TextColumns.grouped(refused.count)) times"
      text +=
        "; \(BeaconTable.address(refused.address)) claims now to send an \(refused.reason.claim) \(times) and does "
        + "not (\(refused.reason.name))"
    }
    return text
  }

  /// `; c4:be:01:04:00:02 sends an Eddystone-EID now that its key does not make within 1 d of where its clock should
  /// be: …`
  private func unknownEID(_ place: Int, _ address: DeviceAddress) -> String {
    let text =
      "; \(BeaconTable.address(address)) sends an Eddystone-EID now that its key does not make"
    guard let key = comparison.key(of: place), key.clock != nil else {
      return text + ": it may have another key"
    }
    let window = Int64(min(key.window, UInt64(UInt32.max))) * 1_000_000_000
    return text
      + " within \(TextColumns.exactDuration(window)) of where its clock should be: that may be farther off"
  }

  /// `; heard by cellar alone, which takes no part now`
  private func alone(_ radios: [String], _ takes: (one: String, more: String), _ when: String)
    -> String
  {
    let names = radios.prefix(3).map { TextColumns.printable($0) }.joined(separator: ", ")
    let isOne = radios.count == 1
    return "; heard by \(names)\(radios.count > 3 ? " and others" : "") alone, which "
      + (comparison.doubts.isEmpty
        ? "\(isOne ? takes.one : takes.more) no part \(when)"
        : "\(isOne ? "has" : "have") no known counterpart \(when)")
  }

  func new(_ new: Comparison.New) -> String {
    let beacon = now[new.place]
    let first = beacon.addresses.first.map { " from \(BeaconTable.address($0))" } ?? ""
    let several = beacon.addresses.count > 1 ? " and others" : ""
    var text =
      "\(name(new.place, now))  \(TextColumns.counted(beacon.sightings, "sighting"))\(first)"
      + "\(several), first \(Self.moment(beacon.first))"
    if !new.heardBy.isEmpty { text += alone(new.heardBy, ("took", "took"), "before") }
    for (place, _) in new.predecessors {
      text += "; before, that was \(name(place, before))"
    }
    return text
  }

  func rows(_ sort: BeaconChange.Sort) -> [String] {
    var rows: [String] = []
    for changed in comparison.changed {
      let name = self.name(changed.before, before)
      for change in changed.changes where change.sort == sort {
        // Of a swap one row tells of both.
        if case .swapped(let other, _, _) = change, other < changed.before { continue }
        rows.append(
          "\(name)  \(text(change, changed))\(since(change, changed) ?? "")\(swap(change, changed))"
        )
      }
      for change in changed.lately where change.sort == sort {
        let inAsMuch = if case .heardBy = change { " in as much listening" } else { "" }
        let when = since(change, changed) ?? lately
        rows.append(
          "\(name)  \(text(change))\(radioLately(change, changed))\(inAsMuch)\(when)"
            + swap(change, changed))
      }
    }
    return rows
  }

  private func since(_ change: BeaconChange, _ changed: Comparison.Changed) -> String? {
    guard case .interval = change else { return nil }
    return changed.intervalSince.map { ", since about \(Self.moment($0))" }
  }

  /// Of a beacon that is heard where another one was, which is heard where this one was.
  private func swap(_ change: BeaconChange, _ changed: Comparison.Changed) -> String {
    guard case .heardBy = change, let other = changed.swappedPlacesWith else { return "" }
    return "; \(name(other, before)) is heard where it was: they may have changed places"
  }

  private func radioLately(_ change: BeaconChange, _ changed: Comparison.Changed) -> String {
    guard case .signal = change,
      let name = comparison.signalsLately?.radioName(of: changed.before, comparison)
    else { return "" }
    return " at \(TextColumns.printable(name))"
  }

  /// Of a change that the whole recording does not show.
  private var lately: String {
    comparison.latelyFrom.map { ", from \(Self.moment($0)) on at the latest" } ?? ""
  }

  private func text(_ change: BeaconChange, _ changed: Comparison.Changed) -> String {
    switch change {
    case .swapped(let other, let from, let to):
      return "and \(name(other, before))  swapped their addresses, "
        + "\(BeaconTable.address(from)) and \(BeaconTable.address(to))"
    case .moreAddresses, .changesAddress, .keepsAddress, .otherAddress, .fewerAddresses:
      return addresses(change, changed)
    case .signal:
      if let radio = comparison.signals.radio(of: changed.places, comparison) {
        return text(change) + " at \(TextColumns.printable(radio.name)) "
          + "(\(TextColumns.grouped(radio.before)) → \(TextColumns.grouped(radio.now)) sightings)"
      }
      return text(change) + " (\(sightings(self.before, changed.before)) → "
        + "\(sightings(self.now, changed.now)) sightings)"
    default: return text(change)
    }
  }

  /// Of a change that says all itself.
  private func text(_ change: BeaconChange) -> String {
    switch change {
    case .fellSilent(let last, let end, let radio):
      let isOneDay = TextColumns.date(last) == TextColumns.date(end)
      let recording = radio.map { "the recording of \(TextColumns.printable($0))" } ?? "a recording"
      return "not any more from \(Self.moment(last)) on, of \(recording) until "
        + (isOneDay ? "" : TextColumns.date(end) + " ") + TextColumns.clockAndZone(end)
    case .away(let before, let now):
      return "away for up to \(TextColumns.duration(Int64(now))) and back; before, for "
        + "\(TextColumns.interval(before)) at most"
    case .heardBy(let radios):
      let counts = radios.map { radio in
        "\(TextColumns.printable(radio.radio)) \(TextColumns.grouped(radio.before)) → "
          + TextColumns.grouped(radio.now)
      }
      return counts.joined(separator: ", ") + " sightings"
    case .power(let before, let now): return "\(Self.dBm(before)) → \(Self.dBm(now)) dBm"
    case .interval(let before, let now):
      return "\(TextColumns.interval(before)) → \(TextColumns.interval(now))"
    case .twoSenders(let interval, let apart):
      return
        "\(TextColumns.interval(interval)) as before, and once more \(TextColumns.interval(apart)) "
        + "later: there may be two senders with one address"
    case .battery(let before, let now):
      if let before, let now {
        return "\(TextColumns.grouped(before)) → \(TextColumns.grouped(now)) mV"
      }
      return Self.measured(before, now) { "\(TextColumns.grouped($0)) mV" }
    case .temperature(let before, let now):
      return Self.measured(before, now, TextColumns.celsius)
    case .restarted(let time): return Self.moment(time)
    case .uptimeRate(let before, let now):
      return Self.uptimeRate(before, now) + ": when it started cannot be said"
    case .signal(let before, let now): return "\(before) → \(now) dBm"
    case .swapped, .moreAddresses, .changesAddress, .keepsAddress, .otherAddress, .fewerAddresses:
      return ""
    }
  }

  /// Of what one side does not measure.
  private static func measured(_ before: Int?, _ now: Int?, _ text: (Int) -> String) -> String {
    "\(before.map(text) ?? "not measured") → \(now.map(text) ?? "no longer measured")"
  }

  /// `its uptime runs at 0.10 of the time's rate, before at 1.00`
  private static func uptimeRate(_ before: Double?, _ now: Double?) -> String {
    func runs(_ rate: Double) -> String {
      rate == 0 ? "stands still" : "runs at \(hundredths(rate)) of the time's rate"
    }
    func hundredths(_ rate: Double) -> String {
      let count = Int((rate * 100).rounded())
      return "\(count / 100).\(count / 10 % 10)\(count % 10)"
    }
    guard let now else { return before.map { "before, its uptime \(runs($0))" } ?? "" }
    let earlier = before.map { $0 == 0 ? "it stood still" : "at \(hundredths($0))" }
    return "its uptime \(runs(now))" + (earlier.map { ", before \($0)" } ?? "")
  }

  private func sightings(_ beacons: BeaconSummaries, _ place: Int) -> String {
    TextColumns.grouped(beacons.sightings(at: place))
  }

  private func addresses(_ change: BeaconChange, _ changed: Comparison.Changed) -> String {
    switch change {
    case .moreAddresses(let before, let now, let added):
      let clocks =
        Remarks.clocksDiffering(comparison.now.result).isEmpty ? "" : ", or clocks that disagree"
      let several =
        "\(now) that alternate, before \(before) at a time: several devices or a clone\(clocks)"
      return ([several] + added.prefix(2).map { self.added($0) + first($0, changed) }).joined(
        separator: "; ")
    case .changesAddress:
      let beacon = now[changed.now]
      let apart =
        comparison.areNamed ? AddressWords.apart(beacon, comparison.now.steps) : nil
      return (apart ?? AddressWords.several(beacon, comparison.now.steps)) + "; before 1"
    case .keepsAddress(let before):
      return "1 all the time, before \(before) one after the other: it does not change it any more"
    case .otherAddress(let from, let to):
      return "\(BeaconTable.address(from))\(kind(from, to)) → \(added(to))\(kind(to, from))"
    case .fewerAddresses(let before, let now):
      return "\(now == 1 ? "1 at a time" : "\(now) that alternate"), before \(before)"
    default: return ""
    }
  }

  /// ` (random resolvable)`, where the other one is of another kind.
  private func kind(_ address: DeviceAddress, _ other: DeviceAddress) -> String {
    guard address.lifetime != other.lifetime else { return "" }
    let words = address.kindName.description.split(separator: "_").joined(separator: " ")
    return " (\(words))"
  }

  /// An address, and what it sent before.
  private func added(_ address: DeviceAddress) -> String {
    let text = BeaconTable.address(address)
    guard let sent = comparison.sentBefore(by: address).first else { return text }
    return "\(text), which sent \(name(sent, before)) before"
  }

  /// When it was heard first with a beacon of the later side.
  private func first(_ address: DeviceAddress, _ changed: Comparison.Changed) -> String {
    let time = now[changed.now].firstHeard(from: address)
    return time.isKnown ? ", first heard \(Self.moment(time))" : ""
  }

  /// Kinds that are counted only, with how many there were and are.
  static func notMatched(_ comparison: Comparison) -> [(kind: BeaconKind, before: Int, now: Int)] {
    let (before, now) = (comparison.before.notMatched, comparison.now.notMatched)
    let kinds = Set((before + now).map(\.kind)).sorted { $0.rawValue < $1.rawValue }
    return kinds.map { kind in
      (
        kind, before.first { $0.kind == kind }?.count ?? 0,
        now.first { $0.kind == kind }?.count ?? 0
      )
    }
  }
}

/// Changes of one sort stand together, under a heading.
extension BeaconChange.Sort {
  var heading: String {
    switch self {
    case .silence: "SILENT   while others were heard"
    case .radios: "HEARD BY   other receivers than before, or hardly any more"
    case .addresses: "ADDRESSES"
    case .power: "POWER   what they say of their own strength"
    case .interval: "INTERVAL   how often they send"
    case .battery: "BATTERY"
    case .temperature: "TEMPERATURE   whether they measure it"
    case .restart: "RESTARTED   by the uptime that they tell"
    case .uptime: "UPTIME   that does not go as time does"
    case .signal: "SIGNAL   the median; it says something where receivers stayed where they were"
    }
  }
}
