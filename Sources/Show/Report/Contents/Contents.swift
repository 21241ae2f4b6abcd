import Analysis
import CaptureReader
import CaseStore
import Exports
import GRDB

/// What a page says of a case, but for what is streamed: events, evidence and the points of charts.
struct Contents: Sendable {
  let version: String
  /// From the first time of the run to the last; nil where no record has a time.
  let scale: TimeScale?
  let recorded: Recorded
  /// Whether regions are simply those that were heard.
  let hasDefaultRegions: Bool
  /// Of these: `uuid` or `beacon`; cases of older versions do not say it, which is `uuid`.
  let regionsPer: String?
  let options: [String]
  let files: [FileRow]
  let captures: [CaptureRow]
  /// Of captures in several folders.
  private let sharedNames: Set<String>
  let accounting: Listed<AccountingRow>
  let damage: Listed<DamageRow>
  /// All of them, also those that are not listed.
  let damagedPlaces: Int
  /// Of all that is listed, not of the first rows alone.
  let skippedBytes: Int
  /// Captures with such places.
  let withSkippedPlaces: Set<Int64>
  let cuts: [Cut]
  let otherReports: Int
  let pauses: Listed<PauseRow>
  let problems: Listed<ProblemRow>
  let remarks: Listed<RemarkRow>
  /// What folders held and is no capture.
  let passedOver: Listed<RemarkRow>
  let plugins: [PluginRow]
  let observers: [ObserverRow]
  /// Those that could hear: without hosts' own messages, unless somebody looks at their positions.
  let receivers: [ObserverRow]
  let ends: ReceiverEnds
  /// By observer, while it recorded, ascending.
  let deaf: [Int64: [Recorded.Span]]
  /// Nanoseconds of it while the controller kept duplicates.
  let deafness: [Int64: Int64]
  /// The rest of it: nobody was told of, who was there may have been heard.
  let untold: [Int64: Int64]
  /// By observer: which part of the time of its scans its radio listened, by their windows, 0…1.
  let listening: [Int64: Double]
  /// By observer: for how long its controller left duplicates out while it scanned; nanoseconds.
  let filtering: [Int64: Int64]
  let scans: Listed<ScanWindowRow>
  let beacons: Listed<BeaconRow>
  let beaconTotals: BeaconTotals
  let transmitters: [Int64: TransmitterRow]
  /// By beacon, in their order.
  let transmittersOf: [Int64: [Int64]]
  /// By beacon, by whom it was heard; nothing in cases of older forms.
  let receptions: [Int64: [ReceptionRow]]
  let heardBy: HeardByReceivers
  let profiles: [ProfileRow]
  let regions: Listed<RegionRow>
  let presences: [Presence]
  let positions: Positions
  /// Whether the run had more fixes than the case has.
  let hasThinnedFixes: Bool
  let visits: Listed<StayRow>
  let nearest: NearestBeacons
  let crossings: CircleCrossings
  let visitEvents: VisitEvents
  let alerts: Listed<AlertRow>
  let worst: WorstAlerts
  let alertRegions: AlertRegions
  let eventCount: Int

  init(_ database: Database) throws {
    func fact(_ name: String) throws -> String? {
      try String.fetchOne(
        database, sql: "SELECT value FROM facts WHERE name = ?", arguments: [name])
    }
    version = try fact("tool_version") ?? "not known"
    recorded = try Recorded(database)
    let span = (
      from: try fact("from_ns").flatMap { Int64($0) }, to: try fact("to_ns").flatMap { Int64($0) }
    )
    scale = TimeScale(
      from: span.from, to: span.to, stretches: recorded.stretches(within: [span.from, span.to]),
      steps: recorded.steps)
    hasDefaultRegions = try fact("default_regions") == "1"
    regionsPer = try fact("regions_per")
    options = try String.fetchAll(database, sql: "SELECT word FROM options ORDER BY id")
    files = try Listed(database, most: .max).rows
    captures = try Listed(database, most: .max).rows
    sharedNames = Self.sharedNames(captures)
    accounting = try Listed(database)
    damage = try Listed(database)
    damagedPlaces = max(
      damage.count,
      try Int.fetchOne(
        database, sql: "SELECT sum(count) FROM accounting WHERE code = ?",
        arguments: [ProblemCode.damageSkipped.rawValue]) ?? 0)
    skippedBytes = try Int.fetchOne(database, sql: "SELECT sum(bytes) FROM damage") ?? 0
    withSkippedPlaces = Set(
      try Int64.fetchAll(database, sql: "SELECT DISTINCT capture_id FROM damage"))
    cuts = try Cut.all(database)
    otherReports =
      try Int.fetchOne(database, sql: "SELECT sum(count) FROM accounting WHERE kind = 'others'")
      ?? 0
    pauses = try Listed(database)
    problems = try Listed(database)
    remarks = try Listed(database, where: "kind <> '\(RemarkRow.passedOver)'")
    passedOver = try Listed(database, where: "kind = '\(RemarkRow.passedOver)'")
    plugins = try Listed(database, most: .max).rows
    observers = try Listed(database, most: .max).rows
    scans = try Listed(database)
    deaf = try Self.deaf(database, recorded)
    let filtered = try Self.filtered(database)
    filtering = filtered.mapValues { Recorded.sum($0) }
    let certain = Dictionary(
      uniqueKeysWithValues: deaf.map { id, spans in
        (id, Recorded.sum(Recorded.outside(spans, of: filtered[id] ?? [])))
      })
    deafness = certain
    untold = Dictionary(
      uniqueKeysWithValues: deaf.map { id, spans in
        (id, Recorded.sum(spans) - (certain[id] ?? 0))
      })
    listening = try Self.listening(database)
    beacons = try Listed(database, order: "sightings DESC, id")
    beaconTotals = try BeaconTotals(database)
    let transmitters = try Self.transmitters(database, of: beacons.rows)
    self.transmitters = transmitters
    transmittersOf = Dictionary(
      grouping: transmitters.keys.sorted(), by: { transmitters[$0]?.beaconId ?? 0 })
    receptions = try Self.receptions(database, of: beacons.rows)
    heardBy = try HeardByReceivers(database)
    profiles = try Listed(database, most: .max).rows
    regions = try Listed(database)
    positions = try Positions(
      database, observers, form: try fact("form").flatMap { Int($0) } ?? 0)
    hasThinnedFixes =
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM remarks WHERE code = 'fixes_thinned')")
      ?? false
    let presences = try Presence.all(database, positions)
    self.presences = presences
    let visited = Set(presences.filter { $0.visits > 0 }.map(\.observer))
    receivers = observers.filter { !$0.isNoRadio || visited.contains($0.id ?? 0) }
    ends = ReceiverEnds(receivers)
    visits = try Listed(database, order: "profile_id, since_ns, id")
    nearest = try NearestBeacons(database, visits.rows)
    crossings = try CircleCrossings(database)
    visitEvents = try VisitEvents(database, of: visits.rows)
    alerts = try Listed(database, most: Most.alerts)
    worst = try WorstAlerts(database)
    alertRegions = try AlertRegions(database)
    eventCount = try Int.fetchOne(database, sql: "SELECT count(*) FROM events") ?? 0
  }

  /// File names of which there are several, in different folders.
  private static func sharedNames(_ captures: [CaptureRow]) -> Set<String> {
    let all = Dictionary(grouping: captures.map(\.name), by: Words.fileName)
    return Set(all.filter { $0.value.count > 1 }.keys)
  }

  private static func listening(_ database: Database) throws -> [Int64: Double] {
    let shares = try Row.fetchAll(
      database,
      sql: """
        SELECT observer_id, sum((to_ns - from_ns) * window_ms / interval_ms) / sum(to_ns - from_ns)
        FROM scan_windows WHERE interval_ms > 0 AND window_ms <= interval_ms AND to_ns > from_ns
        GROUP BY 1
        """)
    return Dictionary(uniqueKeysWithValues: shares.map { ($0[0], $0[1]) })
  }

  /// By observer: scans that left duplicates out, ascending, without times in which nothing was captured, whoever's
  /// capture says so.
  private static func filtered(_ database: Database) throws -> [Int64: [Recorded.Span]] {
    let scans = try Row.fetchAll(
      database,
      sql: """
        SELECT observer_id, from_ns, to_ns FROM scan_windows
        WHERE filters_duplicates AND to_ns > from_ns ORDER BY 1, 2, 3
        """)
    let uncaptured = try Row.fetchAll(
      database, sql: "SELECT from_ns, to_ns FROM pauses WHERE to_ns > from_ns ORDER BY 1, 2"
    ).map { Recorded.Span(from: $0[0], to: $0[1]) }
    return Dictionary(grouping: scans) { $0[0] as Int64 }.mapValues { scans in
      let spans = Recorded.joined(scans.map { Recorded.Span(from: $0[1], to: $0[2]) })
      return Recorded.outside(spans, of: uncaptured)
    }
  }

  private static func deaf(_ database: Database, _ recorded: Recorded) throws
    -> [Int64: [Recorded.Span]]
  {
    let rows = try DeafRow.order(sql: "observer_id, from_ns, id").fetchAll(database)
    return Dictionary(grouping: rows, by: \.observerId).reduce(into: [:]) { found, spans in
      let deaf = spans.value.map { Recorded.Span(from: $0.fromNs, to: $0.toNs) }
      found[spans.key] = Recorded.outside(deaf, of: recorded.unrecorded(of: spans.key))
    }
  }

  private static func transmitters(_ database: Database, of beacons: [BeaconRow]) throws
    -> [Int64: TransmitterRow]
  {
    guard !beacons.isEmpty else { return [:] }
    let ids = beacons.compactMap { $0.id.map { String($0) } }.joined(separator: ",")
    let rows = try TransmitterRow.filter(sql: "beacon_id IN (\(ids))").order(Column("id"))
      .limit(10 * Most.rows).fetchAll(database)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.id ?? 0, $0) })
  }

  private static func receptions(_ database: Database, of beacons: [BeaconRow]) throws
    -> [Int64: [ReceptionRow]]
  {
    guard !beacons.isEmpty else { return [:] }
    let ids = beacons.compactMap { $0.id.map { String($0) } }.joined(separator: ",")
    let rows = try ReceptionRow.filter(sql: "beacon_id IN (\(ids))").order(Column("id"))
      .limit(10 * Most.rows).fetchAll(database)
    return Dictionary(grouping: rows, by: \.beaconId)
  }

  /// `10:05:43.118`; with the date where the recording is not all of one day.
  func time(_ time: Int64?) -> String {
    scale?.clock(time) ?? "not known"
  }

  /// Of what is so at the end of a receiver's records: `at the end`, or when that is where others go on.
  func atEnd(of observer: Int64) -> String {
    ends.early(observer).map { "when the records of this receiver end, at \(time($0).dropLast(4))" }
      ?? "at the end"
  }

  func region(_ id: Int64?) -> String {
    guard let id else { return "" }
    return row(ofRegion: id)?.name ?? "region \(id)"
  }

  /// Nil where the region is not among the first ones.
  func basis(ofRegion id: Int64) -> RegionBasis? {
    row(ofRegion: id).map {
      RegionBasis(
        name: $0.name, condition: $0.condition, definition: $0.definition,
        isCircle: $0.latitude != nil)
    }
  }

  func condition(ofRegion id: Int64) -> String? { row(ofRegion: id)?.condition }

  private func row(ofRegion id: Int64) -> RegionRow? {
    let place = Int(id - (regions.rows.first?.id ?? 1))
    if regions.rows.indices.contains(place), regions.rows[place].id == id {
      return regions.rows[place]
    }
    return regions.rows.first { $0.id == id }
  }

  /// Whether regions were followed at all: without that nothing is known of who was where, nor of when
  /// a receiver could not hear.
  var isFollowed: Bool { !profiles.isEmpty }

  /// Whose visits and exits are counted, where that is a question: ` (each receiver's own)`.
  var whose: String {
    let parts = [
      receivers.count > 1 ? "each receiver's own" : nil,
      profiles.count > 1 ? profiles.first.map { "by profile \($0.name)" } : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// Whether it is a question whose radio an event is about.
  var hasSeveralObservers: Bool { observers.count > 1 }

  /// ` at hall`, where there are several; nothing of what is about none.
  func at(_ observer: Int64?) -> String {
    let name = self.observer(observer)
    return hasSeveralObservers && !name.isEmpty ? " at \(name)" : ""
  }

  func observer(_ id: Int64?) -> String {
    observers.first { $0.id == id }?.name ?? ""
  }

  func capture(_ id: Int64?) -> String {
    captures.first { $0.id == id }.map { shown($0.name) } ?? ""
  }

  /// A capture's name where it is only to be told from the others: whole paths of whoever made the page stand
  /// under Inputs alone.
  func shown(_ name: String) -> String {
    let own = Words.fileName(name)
    return name.hasPrefix("/") && !sharedNames.contains(own) ? own : name
  }
}

/// Damage that is no place that was skipped.
struct Cut: Sendable {
  let capture: Int64
  /// A clause.
  let detail: String
  let frame: Int?

  /// The first ones.
  static func all(_ database: Database) throws -> [Cut] {
    let rows = try AccountingRow.filter(sql: "kind = 'warning'").order(sql: "id").fetchAll(database)
    return Dictionary(grouping: rows, by: \.captureId).sorted { $0.key < $1.key }
      .flatMap { capture, rows in
        let codes = ProblemText.unlistedDamage(Set(rows.map { ProblemCode(rawValue: $0.code) }))
        return rows.filter { codes.contains(ProblemCode(rawValue: $0.code)) }.map {
          Cut(capture: capture, detail: $0.detail ?? $0.code, frame: $0.firstFrame)
        }
      }.prefix(Most.rows).map { $0 }
  }
}

/// The first rows of a table, and how many there are.
struct Listed<Row: CaseRow>: Sendable {
  let rows: [Row]
  let count: Int

  init(
    _ database: Database, where condition: String = "1", order: String = "id", most: Int = Most.rows
  ) throws {
    let all = Row.filter(sql: condition)
    rows = try all.order(sql: order).limit(most).fetchAll(database)
    count = try all.fetchCount(database)
  }

  /// How many there are beside those.
  var others: Int { count - rows.count }
}

/// Beacons of all kinds together.
struct BeaconTotals: Sendable {
  let sightings: Int
  /// Different ones; nil where there are too many to tell them apart in no time.
  let addresses: Int?
  let kinds: [(name: String, beacons: Int)]

  init(_ database: Database) throws {
    sightings = try Int.fetchOne(database, sql: "SELECT sum(sightings) FROM beacons") ?? 0
    let transmitters =
      try Int.fetchOne(database, sql: "SELECT count(*) FROM transmitters") ?? 0
    addresses =
      transmitters > 100_000
      ? nil
      : try Int.fetchOne(database, sql: "SELECT count(DISTINCT address) FROM transmitters")
    kinds = try Row.fetchAll(
      database,
      sql: "SELECT kind, kind_name, count(*) FROM beacons GROUP BY kind ORDER BY min(id)"
    ).map { row in
      let (kind, name): (String, String) = (row[0], row[1])
      // The case has that name as a heading.
      return (kind == "custom" ? "of decoders in plugins" : name, row[2])
    }
  }
}
