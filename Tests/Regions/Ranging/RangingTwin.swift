import CaptureReader
import Regions

/// What happens to one observer, in the order of the capture. Nanoseconds.
enum RangingStep {
  case sample(beacon: Int, time: Int64?, rssi: Int8)
  case enter(region: Int, time: Int64)
  case leave(region: Int, time: Int64)
  case record(time: Int64)
}

/// A line of a list, or a change, to be compared.
struct TwinEntry: Equatable {
  var beacon: Int
  var proximity: Proximity
  var metres: Double?
  var interval: ClosedRange<Double>?
  var rssi: Double?
  var samples: Int
}

struct TwinList: Equatable {
  var time: Int64
  var region: Int
  var entries: [TwinEntry]
}

struct TwinChange: Equatable {
  var time: Int64
  var region: Int
  var beacon: Int
  var from: Proximity
  var to: Proximity
  var frames: [Int]
}

/// Ranging as the sentences say it, by looking at everything each time: slow and plain. It shares no
/// arithmetic with the real one.
struct RangingTwin {
  struct Sample {
    let time: Int64
    let rssi: Double
    let frame: Int
  }

  let settings: RangingSettings
  let period: Int64
  /// By beacon: dBm at 1 m, and the regions (0, 1, 2).
  let powers: [Int]
  let memberships: [[Int]]
  private var samples: [[Sample]]
  /// Per region: (time, inside), in order.
  private var crossings: [[(time: Int64, inside: Bool)]]
  private var clock = Int64.min
  private var origin = Int64.min
  private(set) var lists: [TwinList] = []
  private(set) var changes: [TwinChange] = []

  init(_ settings: RangingSettings, period: Int64, powers: [Int], memberships: [[Int]]) {
    self.settings = settings
    self.period = period
    self.powers = powers
    self.memberships = memberships
    samples = powers.map { _ in [] }
    crossings = (0..<3).map { _ in [] }
  }

  /// Frames are numbered by step, from 1 on.
  mutating func run(_ steps: [RangingStep]) {
    for (index, step) in steps.enumerated() {
      switch step {
      case .record(let time): move(time)
      case .sample(let beacon, let time, let rssi):
        move(time ?? clock)
        if rssi != 127, clock != .min {
          samples[beacon].append(Sample(time: clock, rssi: Double(rssi), frame: index + 1))
        }
      case .enter(let region, let time):
        move(time)
        crossings[region].append((clock, true))
      case .leave(let region, let time):
        move(time)
        crossings[region].append((clock, false))
      }
    }
    guard origin != .min else { return }
    var told: [[Int: (stay: Int, proximity: Proximity)]] = crossings.map { _ in [:] }
    for tick in stride(from: origin, through: clock, by: Int64.Stride(period)) {
      for region in crossings.indices { judge(region, tick, &told[region]) }
    }
  }

  private mutating func move(_ time: Int64) {
    clock = max(clock, time)
    if origin == .min { origin = clock }
  }

  private mutating func judge(
    _ region: Int, _ tick: Int64, _ told: inout [Int: (stay: Int, proximity: Proximity)]
  ) {
    let past = crossings[region].filter { $0.time <= tick }
    guard past.last?.inside == true else { return }
    var stay = 0
    for (index, crossing) in past.enumerated() where crossing.inside {
      if index == 0 || !past[index - 1].inside { stay = index + 1 }
    }
    var entries: [TwinEntry] = []
    for beacon in powers.indices where memberships[beacon].contains(region) {
      guard let entry = entry(beacon, tick) else { continue }
      if tick - (samples[beacon].last { $0.time <= tick }?.time ?? 0) < settings.dropAfter {
        entries.append(entry)
      }
      let before = told[beacon].flatMap { $0.stay == stay ? $0.proximity : nil } ?? .unknown
      guard before != entry.proximity else { continue }
      told[beacon] = (stay, entry.proximity)
      changes.append(
        TwinChange(
          time: tick, region: region, beacon: beacon, from: before, to: entry.proximity,
          frames: frames(beacon, tick)))
    }
    entries.sort {
      ($0.metres ?? .infinity, $0.beacon) < ($1.metres ?? .infinity, $1.beacon)
    }
    lists.append(TwinList(time: tick, region: region, entries: entries))
  }

  /// When the latest stay in a region began.
  func latestStay(_ region: Int) -> Int64 {
    let crossings = crossings[region]
    var begun = Int64.max
    for (index, crossing) in crossings.enumerated() where crossing.inside {
      if index == 0 || !crossings[index - 1].inside { begun = crossing.time }
    }
    return begun
  }

  private func frames(_ beacon: Int, _ tick: Int64) -> [Int] {
    let fresh = samples[beacon].filter { $0.time > tick - period && $0.time <= tick }
    let latest = samples[beacon].last { $0.time <= tick }
    return [fresh.first?.frame ?? latest?.frame ?? 0, latest?.frame ?? 0]
  }

  private func entry(_ beacon: Int, _ tick: Int64) -> TwinEntry? {
    let heard = samples[beacon].filter { $0.time <= tick }
    guard let latest = heard.last else { return nil }
    let fresh = heard.filter { $0.time > tick - period }.map(\.rssi)
    var entry = TwinEntry(
      beacon: beacon, proximity: .unknown, rssi: fresh.isEmpty ? nil : Self.mean(fresh),
      samples: fresh.count)
    guard tick - latest.time < settings.unknownAfter,
      let rssi = smoothed(SmoothingTwin.sinceSilence(heard, settings), tick)
    else { return entry }
    func metres(_ rssi: Double) -> Double? {
      settings.distance.metres(rssi: rssi, power: powers[beacon])
    }
    entry.metres = metres(rssi)
    let recent = heard.filter { tick - $0.time < settings.smoothing.window }.map(\.rssi)
    // Signals that are all alike say nothing of their scatter.
    if Set(recent).count > 1, let near = metres(rssi + Self.deviation(recent)),
      let far = metres(rssi - Self.deviation(recent))
    {
      entry.interval = near...far
    }
    entry.proximity = settings.zones.zone(metres: entry.metres)
    return entry
  }

  private func smoothed(_ heard: [Sample], _ tick: Int64) -> Double? {
    let filter = settings.smoothing.filter
    if filter == .mean {
      // Of the latest period between two ticks that has any.
      guard let latest = heard.last else { return nil }
      let periods = (latest.time - origin + period - 1) / period
      let end = latest.time <= origin ? origin : origin + periods * period
      return Self.mean(heard.filter { $0.time > end - period }.map(\.rssi))
    }
    let samples = heard.map { (age: tick - $0.time, rssi: $0.rssi) }
    return SmoothingTwin.value(filter, samples, window: settings.smoothing.window)
  }

  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func deviation(_ values: [Double]) -> Double {
    let mean = mean(values)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
}
