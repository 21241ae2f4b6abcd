import Beacons
package import CaptureWriter
import FrameEncoder

/// One run: a scenario becomes a capture, and, where it is wanted, the truth about it.
package struct Synthesis {
  package struct Settings: Sendable {
    package var seed: UInt64 = 1
    /// Ends the run after so many records instead of at the scenario's end.
    package var frames: Int?
    package init() {}
  }

  let scenario: Scenario
  let form: RecordingForm
  let settings: Settings
  /// Those of the scenario's beacons come first, by place; then the phones.
  var advertisers: [Advertiser] = []
  var schedule = Schedule()
  var outbox = Outbox()
  var crowd: CrowdSource?
  var observer: Path
  var identities = IdentityTable()
  /// What happened, by beacon; kept even without a truth file: it is little.
  var histories: [BeaconHistory] = []
  var othersSent = 0
  var pauses: ArraySlice<Range<Int64>>
  /// The latest beginning of its scan, nanoseconds.
  private var scansSince = Self.firstScan
  private var lastWritten: (count: Int, time: Int64) = (0, 0)
  /// How far the run has come, nanoseconds since the start.
  package private(set) var now: Int64 = 0
  /// What of the scenario's damage came down on no record: none was left, from its moment on, that could take it.
  package private(set) var missed: [Strike] = []
  /// What the radio receives, where that has a chance of its own.
  private var reception: SplitMix64?
  /// Where people are.
  private let area: (Point, Point)

  package init(_ scenario: Scenario, _ form: RecordingForm, _ settings: Settings)
    throws(SettingsProblem)
  {
    for strike in scenario.damage {
      guard let refusal = form.refusal(strike.kind) else { continue }
      throw SettingsProblem("damage '\(strike.kind.rawValue)' cannot be done here: \(refusal)")
    }
    if scenario.damage.count(where: { $0.kind == .tail }) > 1 {
      throw SettingsProblem("damage 'tail' can be done once: a capture has one end")
    }
    if form.isHeld && form.container != "btsnooz-wide",
      scenario.clockSteps.contains(where: { $0.step < 0 })
    {
      throw SettingsProblem(
        "\(form.container) cannot keep a clock that steps back; btsnooz-wide can")
    }
    if form.isHeld, settings.frames ?? 0 > 500_000 {
      throw SettingsProblem(
        "\(form.container) has to be held until it ends: 500000 frames at most")
    }
    self.scenario = scenario
    self.form = form
    self.settings = settings
    observer = scenario.observer
    pauses = scenario.scan.pauses[...]
    reception = scenario.radio.seed.map { .stream(seed: $0, 0x4AD1) }
    area = (
      Point(
        x: scenario.rooms.map(\.corner.x).min() ?? -10,
        y: scenario.rooms.map(\.corner.y).min() ?? -10),
      Point(
        x: scenario.rooms.map { $0.corner.x + $0.width }.max() ?? 10,
        y: scenario.rooms.map { $0.corner.y + $0.height }.max() ?? 10)
    )
    prepare()
  }

  private mutating func prepare() {
    for (place, plan) in scenario.beacons.enumerated() {
      advertisers.append(
        Advertiser(plan, place: place, random: .stream(seed: settings.seed, UInt64(place + 1))))
      histories.append(BeaconHistory())
      schedule.add(
        Schedule.Turn(
          time: advertisers[place].firstTurn(from: plan.appears), number: Int32(place)))
    }
    for number in 0..<scenario.phones.count {
      var random = SplitMix64.stream(seed: settings.seed, UInt64(1_000_000 + number))
      // They come one after the other, during the first stay.
      let spread = Double(scenario.phones.stay.lowerBound)
      let comes = Int64(random.fraction() * spread)
      let phone = Phone(at: comes, stay: scenario.phones.stay, area: area, &random)
      advertisers.append(Advertiser(phone, random: random))
      schedule.add(Schedule.Turn(time: comes, number: Int32(advertisers.count - 1)))
    }
  }

  /// Writes the capture.
  /// - Parameter truth: told every sighting, and the rest at the end; nil where nobody asks.
  package mutating func run(into file: consuming OutputFile, truth: Truth?) throws {
    let recorder = try Recorder(file, form, scenario, seed: settings.seed)
    var receiver = Receiver(
      recorder, form, scenario.scan, seed: settings.seed, isTold: truth != nil)
    if let settings = scenario.crowd {
      let planned =
        self.settings.frames
        ?? Int(scenario.duration / 1_000_000 * Int64(settings.framesPerSecond) / 1000)
      crowd = CrowdSource(
        settings, planned: planned, seed: self.settings.seed, isTold: truth != nil)
    }
    try truth?.begin(self)
    planCommands()
    while let time = nextTime() {
      if let deadline = receiver.deadline, deadline < time { try receiver.hurry(at: deadline) }
      if let end = settings.frames {
        if receiver.recorder.written >= end && outbox.arrivals.isEmpty { break }
        try giveUpInSilence(at: time, receiver.recorder.written)
      } else if time >= scenario.duration && outbox.next != time {
        break
      }
      now = time
      try step(time, &receiver)
      if let truth, receiver.sightings.count >= Truth.batch {
        try truth.tell(receiver.sightings, identities)
        receiver.sightings.removeAll(keepingCapacity: true)
      }
    }
    if settings.frames == nil {
      now = scenario.duration
      if let deadline = receiver.deadline { try receiver.hurry(at: deadline) }
      try end(&receiver)
    }
    try truth?.tell(receiver.sightings, identities)
    missed = Array(receiver.recorder.strikes)
    try receiver.recorder.finish()
    try truth?.end(self, receiver)
  }

  /// A run that waits for records must not wait for ever: once round the walk without any, and an
  /// hour at least, is enough.
  private mutating func giveUpInSilence(at time: Int64, _ written: Int) throws(SettingsProblem) {
    if written != lastWritten.count { lastWritten = (written, time) }
    guard time - lastWritten.time > scenario.duration + 3_600_000_000_000 else { return }
    throw SettingsProblem(
      "nothing more is heard at this site after \(written) records: --frames cannot be reached")
  }

  private func nextTime() -> Int64? {
    var time = schedule.next?.time
    if let other = outbox.next, other <= time ?? .max { time = other }
    if let crowd, crowd.time < time ?? .max { time = crowd.time }
    return time
  }

  /// One thing happens: a packet's time has come, a device advertises, or one of the crowd.
  private mutating func step(_ time: Int64, _ receiver: inout Receiver) throws {
    if outbox.next == time { return try put(outbox.take(), &receiver) }
    while let pause = pauses.first, pause.upperBound <= time {
      scansSince = pause.upperBound
      pauses = pauses.dropFirst()
    }
    let isDeaf = pauses.first?.contains(time) == true || !isInWindow(time)
    if let turn = schedule.next, turn.time == time {
      return try advertise(Int(turn.number), at: time, isDeaf, &receiver)
    }
    guard let heard = crowd?.next(scenario.radio.model, isDeaf: isDeaf, &identities) else {
      return
    }
    guard !receiver.filters(heard.0.address, at: time) else { return }
    try receiver.hear(
      Arrival(time: time, advertisement: heard.0, rssi: heard.1, sender: 0))
  }

  /// Whether the controller listens: in the window at the beginning of each scan interval. A sniffer always does.
  private func isInWindow(_ time: Int64) -> Bool {
    let scan = scenario.scan
    guard case .hci = form.reception, scan.window < scan.interval else { return true }
    let slot: Int64 = 625_000
    return (time - scansSince) % (Int64(scan.interval) * slot) < Int64(scan.window) * slot
  }

  private mutating func advertise(
    _ number: Int, at time: Int64, _ isDeaf: Bool, _ receiver: inout Receiver
  ) throws {
    let next = advertisers[number].turn(after: time)
    let advertisement = advertisers[number].advertise(at: time, &identities)
    let mean = signal(of: number, at: time)
    let rssi = receive(mean.signal, from: number)
    let isHeard =
      rssi != nil && !isDeaf && receiver.hears(advertisement.form)
      && !receiver.filters(advertisement.address, at: time)
    note(number, advertisement, time, mean, isHeard)
    if isHeard, let rssi {
      let arrival = Arrival(
        time: time, advertisement: advertisement, rssi: rssi, sender: number)
      if advertisement.form == .legacy {
        try receiver.hear(arrival)
      } else {
        outbox.put(receiver.parts(of: arrival), of: arrival)
      }
    }
    leaveOrStay(number, next)
  }

  /// The site goes on as it does whoever listens: what chance takes from it is the same each time.
  private mutating func receive(_ mean: Double, from number: Int) -> Int8? {
    let rssi = scenario.radio.model.receive(mean, &advertisers[number].random)
    guard var random = reception else { return rssi }
    defer { reception = random }
    return scenario.radio.model.receive(mean, &random)
  }

  /// Mean signal at the observer and the distance, of a device at this moment.
  private mutating func signal(of number: Int, at time: Int64) -> (signal: Double, metres: Double) {
    // Past its end the scenario's walk begins again.
    let onWay = time % scenario.duration
    let here = observer.position(at: onWay)
    let there = advertisers[number].position(at: onWay)
    let metres = here.distance(to: there)
    var walls = 0.0
    for room in scenario.rooms where room.wallLoss > 0 {
      walls += room.wallLoss * Double(room.crossings(here, there))
    }
    let mean = scenario.radio.model.mean(
      atOneMetre: advertisers[number].signal, distance: metres, walls: walls)
    return (mean, metres)
  }

  private mutating func leaveOrStay(_ number: Int, _ next: Int64) {
    switch advertisers[number].kind {
    case .beacon(let plan, _):
      let isDead = plan.dies.map { next >= $0 } == true
      schedule.reschedule(isDead ? nil : next)
    case .phone(let phone):
      if next >= phone.leaves {
        var random = advertisers[number].random
        let another = Phone(at: next, stay: scenario.phones.stay, area: area, &random)
        advertisers[number] = Advertiser(another, random: random)
      }
      schedule.reschedule(next)
    }
  }

  private mutating func note(
    _ number: Int, _ advertisement: Advertisement, _ time: Int64,
    _ mean: (signal: Double, metres: Double), _ isHeard: Bool
  ) {
    guard case .beacon(let plan, _) = advertisers[number].kind else {
      othersSent += 1
      return
    }
    if case .device = plan.content { othersSent += 1 }
    let isNear = mean.signal >= Double(scenario.radio.model.sensitivity)
    histories[number].note(
      advertisement, at: time, metres: mean.metres, isInRange: isNear, isHeard: isHeard)
  }
}
