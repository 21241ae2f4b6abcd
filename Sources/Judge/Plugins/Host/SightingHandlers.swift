import Analysis
import Beacons
import FrameDecoder
import Regions

/// Who wants which sightings: decided once for each transmitter, kept as a small number.
struct SightingHandlers {
  /// A handler, and what is still to be looked at for each sighting. Of numbers alone: it is read for
  /// every sighting.
  struct Entry: BitwiseCopyable {
    /// Place among the plugins.
    let plugin: Int
    let function: Int32
    let isBrief: Bool
    let isReader: Bool
    /// Place in `companies`: what the manufacturer's number has to be, where only the sighting tells
    /// (AltBeacon). Below zero: any.
    let company: Int
    /// Telemetry of a decoder: only the sighting tells whether it has any.
    let needsFields: Bool
  }

  /// What entries count in.
  private(set) var companies: [HandlerFilter.Wish] = []

  private struct Candidate {
    let plugin: Int
    let handler: Handler
  }

  private let candidates: [Candidate]
  /// By set number: who is called. 0: nobody.
  private(set) var sets: [[Entry]] = [[]]
  /// By which handlers, and how: the set.
  private var known: [[Int]: UInt32] = [[]: 0]
  /// By transmitter number: set + 1; 0: not asked yet.
  private var rows: [UInt32] = []
  /// Regions that filters name, by name.
  private let regions: [String: Region]

  /// - Parameters:
  ///   - handlers: of each plugin.
  ///   - regions: all that are declared.
  init(_ handlers: [[Handler]], regions: [Region]) {
    candidates = handlers.enumerated().flatMap { plugin, handlers in
      handlers.filter(\.event.isSighting).map { Candidate(plugin: plugin, handler: $0) }
    }
    self.regions = Dictionary(regions.map { ($0.identifier, $0) }) { $1 }
  }

  /// Which sightings have to come whole.
  var wish: JudgeWishes.Sightings {
    if candidates.isEmpty { return .none }
    if candidates.contains(where: { $0.handler.event == .sighting && $0.handler.filter.isEmpty }) {
      return .all
    }
    let candidates = candidates.map(\.handler)
    let regions = regions
    return .some(
      TransmitterFilter { address, identity, table in
        candidates.contains {
          Self.takes($0, address, identity, table, observer: nil, regions) != nil
        }
      })
  }

  /// The set of a transmitter's sightings; 0 for nobody.
  @inline(__always)
  mutating func set(of transmitter: UInt32, _ view: RunView) -> Int {
    if Int(transmitter) < rows.count, rows[Int(transmitter)] != 0 {
      return Int(rows[Int(transmitter)]) - 1
    }
    return decide(transmitter, view)
  }

  private mutating func decide(_ number: UInt32, _ view: RunView) -> Int {
    while rows.count <= Int(number) { rows.append(0) }
    let transmitter = view.transmitters[number]
    let identity = view.identities[transmitter.identity]
    let observer = view.observers[Int(transmitter.observer)]
    var key: [Int] = []
    var entries: [Entry] = []
    for (place, candidate) in candidates.enumerated() {
      guard
        let match = Self.takes(
          candidate.handler, transmitter.address, identity, view.identities, observer: observer,
          regions)
      else { continue }
      let needsFields = candidate.handler.event == .telemetry && identity.kind == .custom
      key.append(4 * place + (match.company == nil ? 0 : 1) + (needsFields ? 2 : 0))
      entries.append(
        Entry(
          plugin: candidate.plugin, function: candidate.handler.function.number,
          isBrief: candidate.handler.isBrief, isReader: candidate.handler.isReader,
          company: match.company.map { self.number(of: $0) } ?? -1, needsFields: needsFields))
    }
    let set: UInt32
    if let found = known[key] {
      set = found
    } else {
      set = UInt32(sets.count)
      sets.append(entries)
      known[key] = set
    }
    rows[Int(number)] = set + 1
    return Int(set)
  }

  private mutating func number(of company: HandlerFilter.Wish) -> Int {
    if let known = companies.firstIndex(of: company) { return known }
    companies.append(company)
    return companies.count - 1
  }

  /// What is left to be looked at for each sighting.
  struct Match {
    var company: HandlerFilter.Wish?
  }

  /// Nil where a handler does not want a transmitter's sightings.
  /// - Parameter observer: nil where it is not known yet: any may be right.
  private static func takes(
    _ handler: Handler, _ address: DeviceAddress, _ identity: BeaconIdentity,
    _ table: IdentityTable, observer: String?, _ regions: [String: Region]
  ) -> Match? {
    if handler.event == .telemetry && !isTelemetry(identity.kind) { return nil }
    var match = Match()
    for wish in handler.filter.wishes {
      switch wish.key {
      case "address": guard wish.takes(address) else { return nil }
      case "kind": guard wish.takes(identity.kind) else { return nil }
      case "observer":
        if let observer, !wish.takes(.text(observer)) { return nil }
      case "company":
        switch BeaconFormats.format(identity.kind).company {
        case .none: return nil
        case .any: match.company = wish
        case .always(let company): guard wish.takes(.integer(Int64(company))) else { return nil }
        }
      case "region":
        // A region that nobody declared comes to be while reading, named after what was seen.
        let isIn = wish.values.contains { value in
          guard let name = value.text else { return false }
          return regions[name].map { $0.mayHold(address, identity, table) }
            ?? identity.isIn(defaultRegion: name)
        }
        guard isIn else { return nil }
      default:
        guard wish.takes(TransmitterValues.value(wish.key, address, identity, table)) else {
          return nil
        }
      }
    }
    return match
  }

  private static func isTelemetry(_ kind: BeaconKind) -> Bool {
    kind == .custom || BeaconFormats.format(kind).isTelemetry
  }
}

extension BeaconIdentity {
  /// Whether it is one of a region that has the name of its UUID or namespace.
  fileprivate func isIn(defaultRegion name: String) -> Bool {
    guard let prefix = FoundRegions.uuid.prefix(of: self) else { return false }
    // Names that somebody gave to keys are told as they are.
    return [name, name.lowercased()].contains(FoundRegions.uuid.region(prefix).identifier)
  }
}
