package import Analysis
package import Beacons
import CaptureReader
import FrameDecoder

/// A line a sighting, for people: time, RSSI, address, what it is. A line of its own says the day
/// whenever it changes, and the observer; from the second observer on it stands in a column.
package struct SightingsText: FindingSink {
  package static let export = SightingExport(name: "text") { output, width in
    SightingsText(output, width: width)
  }

  private var output: any TextOutput
  private var text = ByteText()
  private var fragments: SightingFragments
  /// With an observer's column before it there is less room.
  private var narrower: SightingFragments
  private let zone = ClockZone.shown
  private var day = -1
  private var shift: Int64 = 0
  private var observer = ""
  /// In the order in which they were heard first.
  private var observers: [String] = []
  /// What stands in the column, by observer; empty while there is one observer.
  private var cells: [String: [UInt8]] = [:]
  private var cell: [UInt8] = []
  private static let widestObserver = 18

  package init(_ output: any TextOutput, width: Int?) {
    self.output = output
    fragments = SightingFragments { Self.what($0, $1, $2, width: width) }
    let left = width.map { $0 - Self.widestObserver - 2 }
    narrower = SightingFragments { Self.what($0, $1, $2, width: left) }
  }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    fragments.begin(capture)
    narrower.begin(capture)
    for place in sightings.indices {
      line(sightings[place], capture)
      try text.flush(to: &output, keeping: Exports.chunk)
    }
  }

  private mutating func line(_ sighting: Sighting, _ capture: CaptureContext) {
    let (moment, shift) = zone.moment(sighting.time)
    let name = capture.observers[Int(sighting.observer)]
    let today = moment.year * 10_000 + moment.month * 100 + moment.day
    if name != observer { meet(name) }
    if sighting.time.isKnown && (today != day || shift != self.shift) || observers.isEmpty {
      heading(moment, sighting.time, observers.count > 1 ? nil : name)
      if sighting.time.isKnown { (day, self.shift) = (today, shift) }
      if observers.isEmpty { observers.append(name) }
    }
    if sighting.time.isKnown {
      text.clock(moment)
      text.byte(UInt8(ascii: "."))
      text.padded(moment.nanosecond / 1_000_000, 3)
    } else {
      text.text("no time     ")
    }
    signal(sighting.rssi)
    text.text("  ")
    if sighting.address.isPresent {
      text.address(sighting.address)
    } else {
      text.text(of: TextColumns.left("\(sighting.address.kindName)", 17))
    }
    text.text("  ")
    if cell.isEmpty {
      fragments.append(sighting, capture, to: &text)
    } else {
      text.append(cell)
      narrower.append(sighting, capture, to: &text)
    }
    if sighting.kind != .device, let device = capture.identities.device(at: sighting.address) {
      text.text(of: " of \(device)")
    }
    if !sighting.warnings.isEmpty || !sighting.frameWarnings.isEmpty {
      let names = warningNames(sighting)
      if !names.isEmpty { text.text(of: " ! " + names.joined(separator: " ")) }
    }
    text.byte(UInt8(ascii: "\n"))
  }

  /// Another observer than that of the line before.
  private mutating func meet(_ name: String) {
    observer = name
    guard !observers.isEmpty else { return }
    if !observers.contains(name) {
      observers.append(name)
      let labels = ObserverLabels(observers, Self.widestObserver)
      cells = [:]
      for name in observers {
        cells[name] = Array((TextColumns.left(labels[name], Self.widestObserver) + "  ").utf8)
      }
    }
    cell = observers.count > 1 ? cells[name] ?? [] : []
  }

  /// In six columns.
  private mutating func signal(_ rssi: Int8) {
    if rssi == 127 { return text.text("     ?") }
    let magnitude = Int(rssi.magnitude)
    let digits = magnitude < 10 ? 1 : magnitude < 100 ? 2 : 3
    for _ in (digits + (rssi < 0 ? 1 : 0))..<6 { text.byte(UInt8(ascii: " ")) }
    text.int(Int(rssi))
  }

  /// - Parameter name: of the only observer so far.
  private mutating func heading(_ moment: CivilTime, _ time: Timestamp, _ name: String?) {
    if time.isKnown {
      text.padded(moment.year, 4)
      text.byte(UInt8(ascii: "-"))
      text.padded(moment.month, 2)
      text.byte(UInt8(ascii: "-"))
      text.padded(moment.day, 2)
      text.byte(UInt8(ascii: " "))
      text.text(of: zone.label(time))
      if name != nil { text.text(", ") }
    }
    if let name {
      text.text("observer ")
      text.text(of: TextColumns.printable(name))
    }
    text.byte(UInt8(ascii: "\n"))
  }

  @Sendable
  private static func what(
    _ sighting: Sighting, _ identity: BeaconIdentity, _ table: IdentityTable, width: Int?
  ) -> [UInt8] {
    let format = BeaconFormats.format(sighting.kind)
    var parts: [String] = ["\(format.name)"]
    switch format.telemetry {
    case .plain:
      let told = TelemetryReading(sighting.extra)
      parts += [
        told.battery.map { "\($0) mV" }, told.temperature.map { TextColumns.celsius($0) },
      ].compactMap { $0 }
    case .encrypted: parts.append("(encrypted telemetry)")
    case .none:
      let id = format.identityText(table.bytes(of: identity))
      // 42 columns stand before the id; a narrow terminal gets the UUID's first group only.
      parts.append((width ?? .max) < 42 + 14 + id.columns ? TextColumns.shortened(id) : id)
    }
    return Array(parts.joined(separator: " ").utf8)
  }

  package mutating func pause() throws { try text.flush(to: &output) }
}
