import Analysis
import Beacons
import CaptureReader
import CaseStore
import Exports
import FrameDecoder

/// Who listened, and who was heard.
extension CaseFilling {
  func addObservers(_ tables: CaseTables) throws {
    let windows = try tables.writer("scan_windows")
    let deaf = try tables.writer("deaf")
    let unplaced = try tables.writer("unplaced")
    let facts = Dictionary(grouping: result.captures.flatMap(\.observers)) { $0.name }
    let scanned = result.scanned
    for (number, name) in result.observers.enumerated() {
      let parts = facts[name] ?? []
      let known = result.timeline.flatMap { timeline in
        number < timeline.observers.count ? timeline.observers[number] : nil
      }
      let first = parts.map(\.firstReport).filter(\.isKnown).map(\.nanoseconds).min()
      let last = parts.map(\.lastReport).filter(\.isKnown).map(\.nanoseconds).max()
      let id = Int64(number + 1)
      try tables.add([
        ObserverRow(
          id: id, name: name, fromNs: known?.start.known ?? first, toNs: known?.end.known ?? last,
          reports: parts.reduce(0) { $0 + $1.reports },
          controller: controllers(parts),
          system: parts.compactMap(\.systemNote).last,
          listeningNs: scanned[name],
          isHost: parts.contains(where: \.isHost))
      ])
      for part in parts where part.carriesHCI { try add(part.scan, of: id, windows) }
      try add(known?.deaf ?? [], of: id, deaf)
      try tables.add(
        (known?.recordings ?? []).map {
          RecordingRow(
            observerId: id, fromNs: $0.from.nanoseconds, toNs: $0.to.nanoseconds,
            continues: $0.continues)
        })
      try add(known?.unplaced ?? [], of: id, unplaced)
    }
  }

  /// What is behind its name, as it came; nil where no capture tells it.
  private func controllers(_ parts: [ObserverFacts]) -> String? {
    var addresses: [String] = []
    let inOrder = parts.sorted { $0.firstReport.nanoseconds < $1.firstReport.nanoseconds }
    for address in inOrder.compactMap(\.knownController).map({ BeaconTable.address($0) })
    where address != addresses.last {
      addresses.append(address)
    }
    return addresses.isEmpty ? nil : addresses.joined(separator: ", then ")
  }

  private func add(_ spans: [Timeline.Span], of observer: Int64, _ writer: TableWriter) throws {
    for span in spans {
      writer.int(Int64?.none)
      writer.int(observer)
      writer.int(span.from.nanoseconds)
      writer.int(span.to.nanoseconds)
      try writer.end()
    }
  }

  /// A duty cycle makes thousands.
  private func add(_ scan: ScanState, of observer: Int64, _ writer: TableWriter) throws {
    for window in scan.windows.prefix(ObserverText.mostWindows) {
      writer.int(Int64?.none)
      writer.int(observer)
      writer.int(window.start.known)
      writer.int(window.end.known)
      writer.text(window.endReason.rawValue)
      writer.int(window.parameters.map { $0.isActive ? Int64(1) : 0 })
      writer.real(window.parameters.map { Double($0.interval) * 0.625 })
      writer.real(window.parameters.map { Double($0.window) * 0.625 })
      writer.int(window.filtersDuplicates.map { $0 ? Int64(1) : 0 })
      try writer.end()
    }
  }

  /// There may be a million.
  mutating func addBeacons(_ tables: CaseTables) throws {
    let writer = try tables.writer("beacons")
    let senders = try tables.writer("transmitters")
    let receptions = try tables.writer("receptions")
    var scratch = SummaryScratch()
    var sender: Int64 = 0
    for place in beacons.indices {
      let beacon = beacons.summary(at: place, &scratch)
      writer.int(place + 1)
      identity(beacon, writer)
      figures(beacon, writer)
      telemetry(beacon, writer)
      try writer.end()
      for source in beacon.sources {
        sender += 1
        transmitters.note(sender, identity: beacons.number(at: place), address: source.address)
        try transmitter(source, sender, beacon: place + 1, senders)
      }
      for heard in beacons.receptions(at: place, &scratch) {
        try reception(heard, beacon: place + 1, receptions)
      }
    }
  }

  private func reception(_ heard: Reception, beacon: Int, _ writer: TableWriter) throws {
    writer.int(Int64?.none)
    writer.int(beacon)
    writer.int(heard.observer + 1)
    writer.int(heard.sightings)
    writer.int(heard.first.known)
    writer.int(heard.last.known)
    writer.real(heard.medianInterval.map { ($0 / 100_000).rounded() / 10 })
    writer.int(heard.rssi?.min)
    writer.int(heard.rssi?.median)
    writer.int(heard.rssi?.max)
    try writer.end()
  }

  private func identity(_ beacon: BeaconSummary, _ writer: TableWriter) {
    let format = BeaconFormats.format(beacon.kind)
    let bytes = beacons.bytes(beacon.identity)
    writer.text("\(format.name)")
    writer.text(BeaconTable.kind(beacon.kind))
    writer.text(format.identityText(bytes))
    writer.text(BeaconTable.group(beacon.kind, bytes))
    writer.text(BeaconTable.name(beacon.kind, bytes))
  }

  private func figures(_ beacon: BeaconSummary, _ writer: TableWriter) {
    writer.int(beacon.sightings)
    writer.int(beacon.first.known)
    writer.int(beacon.last.known)
    writer.real(beacon.medianInterval.map { ($0 / 100_000).rounded() / 10 })
    writer.int(beacon.rssi?.min)
    writer.int(beacon.rssi?.median)
    writer.int(beacon.rssi?.max)
    writer.int(beacon.power?.min)
    writer.int(beacon.power?.max)
    let format = BeaconFormats.format(beacon.kind)
    writer.int(beacon.power == nil || !format.hasPower ? nil : format.powerDistance)
  }

  private func telemetry(_ beacon: BeaconSummary, _ writer: TableWriter) {
    let telemetry = beacon.telemetry
    writer.int(telemetry?.battery)
    writer.real(telemetry?.temperature.map { Double($0) / 256 })
    writer.int(telemetry?.advertisements)
    writer.real(telemetry.map { Double($0.uptime) / 10 })
    writer.int(telemetry?.time.known)
    writer.int(telemetry?.sightings)
    writer.int(beacon.encryptedTelemetry?.sightings ?? 0)
    writer.int(beacon.companions)
    let warnings = BeaconWarnings.names.enumerated().filter {
      beacon.warnings.rawValue & (1 << UInt32($0.offset)) != 0
    }
    writer.text(warnings.isEmpty ? nil : warnings.map { "\($0.element)" }.joined(separator: " "))
  }

  private func transmitter(
    _ source: BeaconSummary.Source, _ id: Int64, beacon: Int, _ writer: TableWriter
  ) throws {
    writer.int(id)
    writer.int(beacon)
    writer.text(source.address.isPresent ? BeaconTable.address(source.address) : nil)
    writer.text("\(source.address.kindName)")
    writer.int(source.sightings)
    writer.int(source.first.known)
    writer.int(source.last.known)
    writer.int(captureIDs[source.firstCapture])
    writer.int(source.firstFrame == 0 ? nil : source.firstFrame)
    writer.text(source.heard.map { result.observers[$0.observer] }.joined(separator: ","))
    try writer.end()
  }

  /// By the run's transmitter numbers, which sightings are kept by.
  func addHearings(_ tables: CaseTables) throws {
    let writer = try tables.writer("hearings")
    let statistics = result.statistics
    for number in 0..<statistics.transmitters.count {
      let transmitter = statistics.transmitters[UInt32(number)]
      let kind = statistics.identities[transmitter.identity].kind
      writer.int(number + 1)
      writer.int(transmitters.row(of: transmitter))
      writer.int(Int64(transmitter.observer) + 1)
      writer.text("\(BeaconFormats.format(kind).name)")
      try writer.end()
    }
  }
}
