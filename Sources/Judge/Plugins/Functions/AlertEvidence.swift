import Analysis
import Beacons
import FrameDecoder
import Regions

/// What an alert cites.
struct AlertEvidence {
  let plugin: Plugin
  let view: RunView

  /// What kept events and copies are about: the first of them counts for what the handled one, where it is cited,
  /// does not say. So an alert is about what is handled, in whatever order it cites; behind a sighting the region
  /// may be that of a kept event.
  private struct Kept {
    var region: Int?
    var observer: Int?

    func complete(_ alert: inout Alert) {
      alert.region = alert.region ?? region
      alert.observer = alert.observer ?? observer
    }
  }

  /// - Parameter value: a sighting, an event, a list of them; nothing: what is being handled.
  func add(_ value: LuaValue, to alert: inout Alert) throws(LuaMessage) {
    switch value {
    case .none, .sighting: addHandled(to: &alert)
    case .table(let table):
      // An empty list says nothing, as if it were left out.
      if table.pairs.isEmpty { return addHandled(to: &alert) }
      let list = table.items
      var kept = Kept()
      defer { kept.complete(&alert) }
      if list.isEmpty { return try add(table, to: &alert, &kept) }
      for item in list {
        switch item {
        case .sighting: addHandled(to: &alert)
        case .table(let table): try add(table, to: &alert, &kept)
        default: throw wrong(item)
        }
      }
      // Several entries of a list are about none of them.
      if list.count > 1, case .event(let event) = plugin.moment.handling, event.type == .ranging {
        alert.transmitter = nil
      }
    default: throw wrong(value)
    }
  }

  private func wrong(_ value: LuaValue) -> LuaMessage {
    LuaMessage(
      "alert: evidence is \(value.shown); give a sighting, its s:copy(), an event, or a list of them"
    )
  }

  func addHandled(to alert: inout Alert) {
    switch plugin.moment.handling {
    case .run, .considered:
      guard let judged = plugin.sighting else { return }
      let number = judged.brief.transmitter
      alert.evidence.append(
        TimelineEvent.Evidence(
          source: .capture, file: Int(judged.capture), number: judged.brief.frame))
      alert.transmitter = alert.transmitter ?? Int(number)
      alert.observer = alert.observer ?? Int(view.transmitters[number].observer)
    case .event(let event): add(event, to: &alert)
    case .frame(let evidence, let observer):
      alert.evidence.append(evidence)
      alert.observer = alert.observer ?? observer
    case .timer, .nothing: break
    }
  }

  /// Where nothing is being handled, or that cites no frame: what the plugin was told last, or the first
  /// frame of the run. It is not what the alert is about.
  func addTold(to alert: inout Alert) {
    alert.evidence = plugin.told.evidence
    if let event = plugin.told.event, !alert.events.contains(event) { alert.events.append(event) }
  }

  private func add(_ event: TimelineEvent, to alert: inout Alert) {
    alert.evidence += event.evidence
    alert.events.append(event.id)
    alert.transmitter = alert.transmitter ?? event.transmitter
    alert.observer = alert.observer ?? event.observer
    alert.region = alert.region ?? event.region
  }

  /// A table: an event as it was handed over, or the copy of a sighting.
  private func add(_ table: LuaTable, to alert: inout Alert, _ kept: inout Kept) throws(LuaMessage)
  {
    if case .event(let event) = plugin.moment.handling,
      table["id"].text == EventValues.reference(event.id)
    {
      return add(event, to: &alert)
    }
    if case .table(let evidence) = table["evidence"] {
      var places: [TimelineEvent.Evidence] = []
      for item in evidence.items {
        guard case .table(let place) = item else { throw wrong(item) }
        if let place = self.place(place) { places.append(place) }
      }
      alert.evidence += places
      // An event whose frames are none of this run's is none of its events.
      let isOfThisRun = evidence.pairs.isEmpty || !places.isEmpty
      if isOfThisRun, let id = table["id"].text.flatMap({ UInt64($0, radix: 16) }) {
        alert.events.append(id)
      }
      // An event that was kept is about the same as on the day it was told.
      kept.region = kept.region ?? number(of: table["region"], in: view.regions.map(\.identifier))
      kept.observer = kept.observer ?? number(of: table["observer"], in: view.observers)
    } else if !table["frame"].isNone || !table["line"].isNone {
      if let place = place(table) { alert.evidence.append(place) }
      addList(with: table, to: &alert)
      kept.observer = kept.observer ?? number(of: table["observer"], in: view.observers)
    } else if !Self.citesNothing(table) {
      throw wrong(.table(table))
    }
  }

  /// The events `start` and `finish`, which no frame stands for.
  private static func citesNothing(_ table: LuaTable) -> Bool {
    let type = table["type"].text
    return type == HandledEvent.start.rawValue || type == HandledEvent.finish.rawValue
  }

  /// Of an entry of the list that is handled: whose it is, and the list.
  private func addList(with table: LuaTable, to alert: inout Alert) {
    guard !table["samples"].isNone, case .event(let event) = plugin.moment.handling,
      let entry = event.entries.first(where: {
        table["frame"].integer == $0.frame.frame
          && table["capture"].text == view.captures[Int($0.frame.capture)]
          && table["address"] == TransmitterValues.address($0.address)
          && table["id"] == EventValues(view: view).id(of: $0)
      })
    else { return }
    alert.events.append(event.id)
    alert.transmitter = alert.transmitter ?? Int(entry.transmitter)
    alert.observer = alert.observer ?? event.observer
    alert.region = alert.region ?? event.region
  }

  private func number(of name: LuaValue, in names: [String]) -> Int? {
    name.text.flatMap { names.firstIndex(of: $0) }
  }

  /// Nil for what cannot be cited: that is told, and the alert goes on without it.
  private func place(_ table: LuaTable) -> TimelineEvent.Evidence? {
    if let name = table["capture"].text {
      return place(.capture, name, view.captures, "frame", table["frame"])
    }
    return place(.track, table["track"].text ?? "", view.tracks, "line", table["line"])
  }

  private func place(
    _ source: TimelineEvent.Evidence.Source, _ name: String, _ names: [String], _ unit: String,
    _ number: LuaValue
  ) -> TimelineEvent.Evidence? {
    if EarlierRun.isMarked(name) {
      plugin.remark(.earlierRun, "a \(unit) of an earlier run cannot be cited")
      return nil
    }
    guard let file = names.firstIndex(of: name), let number = number.integer, number > 0 else {
      let shown = "\(unit) \(number.shown) of '\(name)'"
      plugin.remark(.noPlace, "\(shown) is no \(unit) of this run, and cannot be cited")
      return nil
    }
    let place = TimelineEvent.Evidence(source: source, file: file, number: number)
    guard plugin.hasBeenTold(place) else {
      plugin.remark(
        .notYet,
        "\(unit) \(number) of '\(name)' is beyond what this rule has been told, and cannot be cited"
      )
      return nil
    }
    return place
  }

  /// What `once_per` takes for the same alert: the rule's own key, or the title with the region and the
  /// observer that it is about.
  func gateKey(_ alert: Alert) -> String {
    guard alert.dedupeKey.isEmpty else { return alert.dedupeKey }
    let region = alert.region.map { view.regions[$0].identifier }
    let observer = alert.observer.map { view.observers[$0] }
    // The title alone stands by itself, as in states that earlier versions saved.
    guard region != nil || observer != nil else { return alert.title }
    return [alert.title, region ?? "", observer ?? ""].joined(separator: "\u{1F}")
  }

  /// Whom an alert is about that has neither a key of its own nor a region: `once_per` does not tell beacons
  /// apart there.
  func unnamedBeacon(_ alert: Alert) -> String? {
    guard alert.dedupeKey.isEmpty, alert.region == nil, let transmitter = alert.transmitter else {
      return nil
    }
    let identity = view.identities[view.transmitters[UInt32(transmitter)].identity]
    return BeaconFormats.format(identity.kind).identityText(view.identities.bytes(of: identity))
  }

  /// A list may name a frame, or an event, several times.
  func citeOnce(_ alert: inout Alert) {
    var places: Set<TimelineEvent.Evidence> = []
    alert.evidence.removeAll { !places.insert($0).inserted }
    var events: Set<UInt64> = []
    alert.events.removeAll { !events.insert($0).inserted }
  }

  /// What the alert says it is about.
  func name(_ reader: DeclarationReader, _ alert: inout Alert) throws(LuaMessage) {
    if let name = try reader.text("region") {
      guard let number = view.regions.firstIndex(where: { $0.identifier == name }) else {
        throw LuaMessage("alert: there is no region '\(name)'")
      }
      alert.region = number
    }
    if let name = try reader.text("observer") {
      guard let number = view.observers.firstIndex(of: name) else {
        throw LuaMessage("alert: there is no observer '\(name)'")
      }
      alert.observer = number
    }
    switch reader.table["about"] {
    case .none: break
    case .sighting:
      guard let sighting = plugin.sighting else { break }
      alert.transmitter = Int(sighting.brief.transmitter)
    // Of an earlier run's, who was not heard in this one, there is nobody to name.
    case .table(let copy) where copy["id"].text != nil: alert.transmitter = transmitter(of: copy)
    case let value:
      throw LuaMessage(
        "alert: about is \(value.shown); give a sighting, its s:copy(), or a table with its observer, "
          + "address, kind and id")
    }
  }

  /// Who sent what was copied: by the copy's observer, address, kind and identity. What belongs to the event
  /// that is handled has its observer.
  private func transmitter(of copy: LuaTable) -> Int? {
    var observer = number(of: copy["observer"], in: view.observers)
    if copy["observer"].isNone, case .event(let event) = plugin.moment.handling {
      observer = event.observer
    }
    guard let id = copy["id"].text, let observer else { return nil }
    let address = copy["address"].text.flatMap { try? SettingText.address($0, "address") }
    let kind = copy["kind"].text
    return view.transmitters.transmitters.firstIndex { sender in
      guard Int(sender.observer) == observer,
        sender.address.isPresent ? sender.address.address == address : address == nil
      else { return false }
      let identity = view.identities[sender.identity]
      let format = BeaconFormats.format(identity.kind)
      return (kind.map { $0 == "\(format.name)" } ?? true)
        && format.identityText(view.identities.bytes(of: identity)) == id
    }
  }
}
