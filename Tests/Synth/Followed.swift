import Analysis
import CaptureReader
import Foundation
import Regions
import Synth

/// What regions made of a site's capture, beside what the site's truth says.
struct Followed {
  /// A time in a region, nanoseconds since 1970.
  struct Presence: Equatable {
    var from: Int64
    var to: Int64
  }

  let timeline: Timeline
  private let site: Site
  private static let second: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - regions: as on the command line.
  ///   - exitAfter: seconds.
  init(_ site: Site, regions: [String], exitAfter: Int64 = 30) throws {
    var follow = FollowSettings()
    follow.regions = RegionList(try regions.map { try Region.parse($0) })
    follow.profiles = [
      try Profiles.site.with([ProfileOverride(name: "exit_after", "\(exitAfter)")])
    ]
    follow.ranges = false
    var options = Analysis.Options()
    options.follow = follow
    var analysis = Analysis([.bytes(site.bytes, name: site.name)], options: options)
    var none = NoSink()
    guard let timeline = try analysis.run(into: &none).timeline else { throw Missing.timeline }
    self.timeline = timeline
    self.site = site
  }

  enum Missing: Error { case timeline, time }

  /// The stays in a region, in the order of their beginnings.
  func stays(in region: String) -> [Visit] {
    timeline.outcomes[0].stays.map(\.visit).filter {
      timeline.regions[Int($0.region)].identifier == region
    }
  }

  /// The rooms of the truth that beacons stand for, as regions of the same names.
  static func rooms(of site: Site) -> [(name: String, region: String)] {
    var rooms: [(name: String, region: String)] = []
    for line in site.lines("region_in_range") {
      guard let name = line["room"] as? String, let region = line["region"] as? String,
        !rooms.contains(where: { $0.name == name })
      else { continue }
      rooms.append((name, "\(name)=\(written(region))"))
    }
    return rooms
  }

  /// `KIND:IDENTITY` of a scenario as a region is written.
  private static func written(_ region: String) -> String {
    let identity = region.drop { $0 != ":" }.dropFirst()
    if region.hasPrefix("eddystone-uid:") { return "eddystone:\(identity)" }
    guard region.hasPrefix("altbeacon:") else { return region }
    let numbers = [identity.dropFirst(32).prefix(4), identity.dropFirst(36)]
      .map { String(Int($0, radix: 16) ?? 0) }
    return "altbeacon:\(identity.prefix(32)):\(numbers.joined(separator: ":"))"
  }

  /// When a room's beacons were in range while the observer listened; what lies no more than the exit
  /// period apart is one visit, because no exit can lie between.
  func presences(in room: String, exitAfter: Int64) throws -> [Presence] {
    let pauses = try site.lines("pause").map { try Self.presence($0) }
    var parts: [Presence] = []
    for line in site.lines("region_in_range") where line["room"] as? String == room {
      parts += Self.listening(try Self.presence(line), pauses)
    }
    var visits: [Presence] = []
    for part in parts.sorted(by: { $0.from < $1.from }) {
      if let last = visits.last, part.from - last.to <= exitAfter * Self.second {
        visits[visits.count - 1].to = max(last.to, part.to)
      } else {
        visits.append(part)
      }
    }
    return visits
  }

  private static func listening(_ whole: Presence, _ pauses: [Presence]) -> [Presence] {
    var parts = [whole]
    for pause in pauses {
      parts = parts.flatMap { part in
        [
          Presence(from: part.from, to: min(part.to, pause.from)),
          Presence(from: max(part.from, pause.to), to: part.to),
        ].filter { $0.from <= $0.to }
      }
    }
    return parts
  }

  func pauses() throws -> [Presence] { try site.lines("pause").map { try Self.presence($0) } }

  private static func presence(_ line: [String: Any]) throws -> Presence {
    Presence(from: try time(line["from"]), to: try time(line["to"]))
  }

  /// `2026-05-19T10:00:00.123456789Z`; the fraction may have any digits or none.
  private static func time(_ value: Any?) throws -> Int64 {
    guard let text = value as? String,
      let date = try? Date(text.prefix(19) + "Z", strategy: .iso8601)
    else { throw Missing.time }
    let digits = text.dropFirst(20).prefix { $0.isNumber }
    let fraction = Int64(digits + String(repeating: "0", count: 9 - digits.count)) ?? 0
    return Int64(date.timeIntervalSince1970) * second + fraction
  }
}
