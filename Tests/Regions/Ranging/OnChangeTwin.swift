import Regions

/// Ranging with lists on change and the filter `last`, of one beacon in one region: slow and plain.
struct OnChangeTwin {
  struct Change: Equatable {
    let time: Int64
    let to: Proximity
    /// Of the latest sample.
    let frame: Int
  }

  private let stream: RangingStream
  private let region: Int
  private let beacon: Int
  private var clock = Int64.min
  private var latest: (time: Int64, rssi: Double, frame: Int)?
  private var isInside = false
  private var told = Proximity.unknown
  /// Something is to be told once the clock has passed this instant.
  private var isWaiting = false
  private(set) var changes: [Change] = []

  init(_ stream: RangingStream, region: Int, beacon: Int) {
    (self.stream, self.region, self.beacon) = (stream, region, beacon)
  }

  mutating func run() {
    guard stream.memberships[beacon].contains(region) else { return }
    for (index, step) in stream.steps.enumerated() { take(step, frame: index + 1) }
    if isWaiting { tell() }
    if let latest, latest.time + stream.settings.unknownAfter <= clock { endSilence() }
  }

  private mutating func take(_ step: RangingStep, frame: Int) {
    switch step {
    case .record(let time): move(time)
    case .sample(let heard, let time, let rssi):
      move(time ?? clock)
      guard heard == beacon, rssi != 127, clock != .min else { return }
      latest = (clock, Double(rssi), frame)
      isWaiting = true
    case .enter(let entered, let time):
      move(time)
      guard entered == region, !isInside else { return }
      isInside = true
      told = .unknown
      if let latest, clock - latest.time < stream.settings.unknownAfter { isWaiting = true }
    case .leave(let left, let time):
      move(time)
      if left == region { isInside = false }
    }
  }

  private mutating func move(_ time: Int64) {
    if time > clock, isWaiting { tell() }
    clock = max(clock, time)
    if let latest, latest.time + stream.settings.unknownAfter < clock { endSilence() }
  }

  private mutating func endSilence() {
    guard let latest, isInside, told != .unknown else { return }
    changes.append(
      Change(time: latest.time + stream.settings.unknownAfter, to: .unknown, frame: latest.frame))
    told = .unknown
  }

  private mutating func tell() {
    isWaiting = false
    guard let latest, isInside else { return }
    let settings = stream.settings
    let metres = settings.distance.metres(rssi: latest.rssi, power: stream.powers[beacon])
    let zone = settings.zones.zone(metres: metres)
    guard zone != told else { return }
    changes.append(Change(time: clock, to: zone, frame: latest.frame))
    told = zone
  }
}
