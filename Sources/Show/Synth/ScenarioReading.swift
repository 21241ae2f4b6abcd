extension Scenario {
  /// A scenario from JSON. Nothing unknown, nothing out of range is let through.
  package init(json: [UInt8]) throws(ScenarioProblem) {
    let value = try JSONReader.read(json)
    self.init()
    var fields = try Fields(value, "")
    name = try fields.requiredString("name")
    summary = try fields.string("summary") ?? ""
    if let text = try fields.string("start") {
      guard let moment = CivilMoment.nanoseconds(text) else {
        throw fields.problem(
          "start", "must be a time such as 2026-05-19T10:00:00Z, from 2000 to 2099, not \"\(text)\""
        )
      }
      start = moment
    }
    duration = try fields.seconds("duration_s", 1...1e7) ?? duration
    try readRadio(&fields)
    try readRooms(&fields)
    if let path = try Self.path(&fields, "observer") { observer = path }
    try readScan(&fields)
    for (value, path) in try fields.list("beacons") {
      var entry = try Fields(value, path)
      beacons.append(try BeaconPlan(&entry, known: beacons))
      try entry.finish()
    }
    try readPeople(&fields)
    try readTroubles(&fields)
    try fields.finish()
  }

  private mutating func readRadio(_ fields: inout Fields) throws(ScenarioProblem) {
    guard var entry = try fields.object("radio") else { return }
    radio.model.exponent = try entry.number("exponent", 1...6) ?? radio.model.exponent
    radio.model.noise = try entry.number("noise_db", 0...20) ?? radio.model.noise
    radio.model.sensitivity =
      try entry.int("sensitivity_dbm", -120 ... -20) ?? radio.model.sensitivity
    radio.loss = try entry.number("loss", 0...1) ?? 0
    radio.seed = try entry.int("seed", 0...1_000_000).map { UInt64($0) }
    try entry.finish()
  }

  private mutating func readRooms(_ fields: inout Fields) throws(ScenarioProblem) {
    for (value, path) in try fields.list("rooms") {
      var entry = try Fields(value, path)
      let name = try entry.requiredString("name")
      // The truth tells visits by the rooms' names.
      if rooms.contains(where: { $0.name == name }) {
        throw entry.problem("name", "must be its own: another room is called \"\(name)\", too")
      }
      guard let corner = entry.value("corner") else {
        throw entry.problem("corner", "is missing")
      }
      let place = try Fields.numbers(corner, "\(path).corner", "x, y", count: 2)
      guard let extent = entry.value("size") else { throw entry.problem("size", "is missing") }
      let size = try Fields.numbers(extent, "\(path).size", "width, height", count: 2)
      guard size.allSatisfy({ $0 > 0 }) else {
        throw entry.problem(
          "size",
          "must be [width, height], both more than 0: corner is the one with the smallest x and y")
      }
      let region = try Self.region(&entry)
      rooms.append(
        Room(
          name: name, corner: Point(x: place[0], y: place[1]), width: size[0], height: size[1],
          wallLoss: try entry.number("wall_db", 0...200) ?? 0, region: region))
      try entry.finish()
    }
  }

  static let kinds = [
    "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-eid", "device",
  ]

  /// `"at": [x, y]`, or a list of `[second, x, y]`.
  static func path(_ fields: inout Fields, _ key: String) throws(ScenarioProblem) -> Path? {
    var points: [Path.Waypoint] = []
    for (value, path) in try fields.list(key) {
      let numbers = try Fields.numbers(value, path, "second, x, y", count: 3)
      let time = Int64((numbers[0] * 1000).rounded()) * 1_000_000
      if let last = points.last, time <= last.time {
        throw ScenarioProblem(path: path, text: "must come later than the point before")
      }
      points.append(Path.Waypoint(time: time, place: Point(x: numbers[1], y: numbers[2])))
    }
    return points.isEmpty ? nil : Path(points)
  }

  private mutating func readScan(_ fields: inout Fields) throws(ScenarioProblem) {
    guard var entry = try fields.object("scan") else { return }
    let commands = try entry.string("commands") ?? "legacy"
    guard ["legacy", "extended"].contains(commands) else {
      throw entry.problem("commands", "must be legacy or extended, not \"\(commands)\"")
    }
    scan.isExtended = commands == "extended"
    scan.isActive = try entry.bool("active") ?? false
    scan.interval = Self.slots(try entry.number("interval_ms", 2.5...10240) ?? 100)
    scan.window = Self.slots(try entry.number("window_ms", 2.5...10240) ?? 100)
    guard scan.window <= scan.interval else {
      throw entry.problem("window_ms", "must not be longer than interval_ms")
    }
    scan.reportsPerEvent = try entry.int("reports_per_event", 1...5) ?? 1
    scan.filteredFor = try entry.number("filter_duplicates_s", 1...86_400).map {
      Int64(($0 * 1000).rounded()) * 1_000_000
    }
    for (value, path) in try entry.list("pauses") {
      let numbers = try Fields.numbers(value, path, "from second, to second", count: 2)
      let range = numbers.map { Int64(($0 * 1000).rounded()) * 1_000_000 }
      guard range[0] >= (scan.pauses.last?.upperBound ?? 0), range[1] >= range[0] + 100_000_000
      else {
        throw ScenarioProblem(
          path: path, text: "must last 0.1 s at least and begin behind the pause before")
      }
      scan.pauses.append(range[0]..<range[1])
    }
    try entry.finish()
  }

  /// In 0.625 ms.
  private static func slots(_ milliseconds: Double) -> UInt16 {
    UInt16((milliseconds / 0.625).rounded())
  }

  private mutating func readPeople(_ fields: inout Fields) throws(ScenarioProblem) {
    if var entry = try fields.object("phones") {
      phones.count = try entry.int("count", 0...10_000) ?? 0
      if let value = entry.value("stay_s") {
        let numbers = try Fields.numbers(value, "phones.stay_s", "shortest, longest", count: 2)
        guard numbers[0] >= 1, numbers[1] >= numbers[0] else {
          throw entry.problem("stay_s", "must be [shortest, longest], one second at least")
        }
        phones.stay = Int64(numbers[0] * 1e9)...Int64(numbers[1] * 1e9)
      }
      try entry.finish()
    }
    if var entry = try fields.object("crowd") {
      crowd = Crowd(
        identities: try entry.requiredInt("identities", 1...100_000_000),
        inRange: try entry.int("in_range", 1...100_000_000) ?? 1000,
        framesPerSecond: try entry.int("frames_per_s", 1...100_000) ?? 1000)
      try entry.finish()
    }
  }

  private mutating func readTroubles(_ fields: inout Fields) throws(ScenarioProblem) {
    for (value, path) in try fields.list("clock_steps") {
      var entry = try Fields(value, path)
      guard let time = try entry.seconds("at_s") else { throw entry.problem("at_s", "is missing") }
      guard let step = try entry.seconds("step_s", -2e9...2e9) else {
        throw entry.problem("step_s", "is missing")
      }
      if let last = clockSteps.last, last.time >= time {
        throw entry.problem("at_s", "must be later than the step before")
      }
      clockSteps.append(ClockStep(time: time, step: step))
      try entry.finish()
    }
    for (value, path) in try fields.list("damage") {
      var entry = try Fields(value, path)
      let text = try entry.requiredString("kind")
      guard let kind = Strike.Kind(rawValue: text) else {
        throw entry.problem("kind", "must be one of \(Strike.names), not \"\(text)\"")
      }
      damage.append(Strike(kind: kind, moment: try entry.seconds("at_s") ?? 0))
      try entry.finish()
    }
    damage.sort { $0.moment < $1.moment }
  }
}

extension Strike {
  package static var names: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }
}

/// RFC 3339 in UTC and whole seconds.
enum CivilMoment {
  /// Nanoseconds since 1970; nil for other text, and for years before 2000 and from 2100 on.
  static func nanoseconds(_ text: String) -> Int64? {
    let pattern = /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z/
    guard let match = text.wholeMatch(of: pattern), let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
      let minute = Int(match.5), let second = Int(match.6), (2000..<2100).contains(year),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    // Days from civil: years begin in March.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000_000
  }
}
