import FrameEncoder

/// A radio's scan is switched.
struct TestScan: Sendable {
  var isOn: Bool
  var filtersDuplicates = false
  var parameters = Parameters()

  /// What the controller is told once, and goes on with.
  struct Parameters: Equatable, Sendable {
    var hearsListedOnly = false
    /// Which part of the time it listens, 0…1.
    var share = 1.0

    /// In 0.625 ms: a part of ten seconds, four at least.
    var interval: UInt16 { share < 1 ? 16_000 : 16 }
    var window: UInt16 { share < 1 ? UInt16(max(4, (share * 16_000).rounded())) : 16 }
  }

  /// What may stand beside `scan = "on"`.
  static let limits = ["filters_duplicates", "hears_listed_only", "radio_share"]

  init(_ reader: DeclarationReader, isOn: Bool) throws(LuaMessage) {
    self.isOn = isOn
    for name in Self.limits where !reader.table[name].isNone {
      guard isOn else {
        throw LuaMessage("\(reader.what): \(name) is of a scan that begins: write scan = \"on\"")
      }
    }
    filtersDuplicates = try Self.flag(reader, "filters_duplicates")
    parameters.hearsListedOnly = try Self.flag(reader, "hears_listed_only")
    let share = try reader.number("radio_share", isPositive: true) ?? 1
    guard share <= 1 else {
      throw reader.wrong("radio_share", reader.table["radio_share"], "a number above 0, up to 1")
    }
    parameters.share = share
  }

  private static func flag(_ reader: DeclarationReader, _ key: String) throws(LuaMessage) -> Bool {
    switch reader.table[key] {
    case .none: return false
    case .flag(let flag): return flag
    case let value: throw reader.wrong(key, value, "true or false")
    }
  }
}

/// What a test puts on the air, or has the radio do, at one moment or again and again.
struct TestSighting: Sendable {
  enum Event: Sendable {
    case report(HCI.LegacyReport)
    /// The radio begins to listen, or ceases.
    case scan(TestScan)
    /// A recording begins, or is at its end.
    case recording(Bool)
    /// The program is stopped, and started so many seconds later with what `--state` keeps.
    case restart(Double)
  }

  /// Seconds from the test's beginning.
  let at: Double
  /// Seconds between two.
  let every: Double
  let count: Int
  private let event: Event
  /// What changes with a beacon's clock, and that; nil of what stays the same.
  private var changing: (data: @Sendable (UInt32) -> [UInt8], clock: TestKeys.Clock)?
  /// The radio that hears it, or that it happens to; nil: the usual one, and of a restart all.
  let observer: String?
  /// Name of the key that made it; nil where none did.
  var key: String?
  /// Name of the key that made its address; nil where none did.
  var device: String?

  /// Of one test: more would take minutes.
  static let most = 1_000_000
  static let mostRestarts = 100

  /// - Parameter time: microseconds from the test's beginning.
  func event(at time: Int64) -> Event {
    guard let changing, case .report(var report) = event else { return event }
    report.data = changing.data(changing.clock.seconds(at: time))
    return .report(report)
  }

  var isRestart: Bool { if case .restart = event { true } else { false } }

  /// Microseconds from the test's beginning, of each.
  var times: [Int64] {
    (0..<count).map { Int64(((at + Double($0) * every) * 1e6).rounded()) }
  }
}

extension TestSighting {
  private static let common = ["at", "until", "every", "observer"]
  private static let ofSender = ["address", "address_type", "device", "rssi"]
  /// What is done in place of sending.
  private static let deeds = ["scan", "recording", "restart"]

  /// - Parameter place: which of the test's sightings it is: its address, where none is written.
  init(_ value: LuaValue, _ what: String, place: Int) throws(LuaMessage) {
    let kinds = TestPayload.kinds
    var all = Self.common + Self.ofSender + Self.deeds + TestScan.limits
    // Several kinds have one in common.
    for key in kinds.flatMap({ [$0.key] + $0.others }) where !all.contains(key) { all.append(key) }
    let reader = try DeclarationReader(value, what, keys: all)
    let given = (Self.deeds + kinds.map(\.key)).filter { !reader.table[$0].isNone }
    guard let key = given.first, given.count == 1 else {
      throw LuaMessage(
        given.isEmpty
          ? "\(what): nothing says what is heard; write one of "
            + "\(kinds.map(\.key).joined(separator: ", ")), or scan = \"off\", recording = \"off\", or restart = SECONDS"
          : "\(what): \(given[0]) and \(given[1]) exclude each other; write two sightings")
    }
    let kind = kinds.first { $0.key == key }
    _ = try DeclarationReader(
      value, "\(what), \(key)",
      keys: (key == "restart" ? ["at"] : Self.common) + [key]
        + (key == "scan" ? TestScan.limits : [])
        + (kind.map { Self.ofSender + $0.others } ?? []))
    (at, every, count) = try Self.moments(reader)
    observer = try reader.text("observer")
    if observer?.isEmpty == true { throw LuaMessage("\(what): observer is empty") }
    guard let kind else {
      event =
        switch key {
        case "restart": .restart(try Self.restart(reader))
        case "recording": .recording(try Self.isOn(reader, key))
        default: .scan(try TestScan(reader, isOn: try Self.isOn(reader, key)))
        }
      return
    }
    let data: [UInt8]
    switch try kind.data(reader) {
    case .same(let bytes): data = bytes
    case .ofClock(let make):
      changing = (make, try TestKeys.Clock(reader, at: at))
      data = make(UInt32(TestKeys.clock))
    }
    self.key =
      if case .table(let table) = reader.table[key] { table["key"].text } else if key == "key" {
        try reader.text(key)
      } else { nil }
    guard data.count <= 31 else {
      throw LuaMessage(
        "\(what): \(data.count) bytes of advertising data; there is room for 31")
    }
    device = try TestKeys.name(reader, "device")
    event = .report(
      HCI.LegacyReport(
        try Self.address(reader, place, at: at, of: device), data,
        rssi: try Self.rssi(reader)))
  }

  private static func rssi(_ reader: DeclarationReader) throws(LuaMessage) -> Int8 {
    // Heard without a strength, as controllers say it.
    if reader.table["rssi"].integer == 127 { return 127 }
    return Int8(try reader.integer("rssi", in: -127...20) ?? -60)
  }

  private static let year = 366.0 * 86_400

  private static func moments(_ reader: DeclarationReader) throws(LuaMessage)
    -> (at: Double, every: Double, count: Int)
  {
    guard let at = try reader.number("at"), (0...year).contains(at) else {
      throw LuaMessage(
        "\(reader.what): at has to be a number of seconds from the beginning, 0 to a year, not "
          + reader.table["at"].shown)
    }
    let every = try reader.number("every", isPositive: true)
    let until = try reader.number("until")
    guard every != nil || until != nil else { return (at, 0, 1) }
    guard let every, let until else {
      throw LuaMessage(
        "\(reader.what): what is repeated needs both: [\"until\"] = SECONDS, every = SECONDS")
    }
    guard until >= at, until <= year else {
      throw LuaMessage("\(reader.what): until is \(until): before at (\(at)), or beyond a year")
    }
    // A step that falls on the end belongs to it, whatever binary fractions make of it.
    let steps = ((until - at) / every + 1e-6).rounded(.down)
    guard steps < Double(most) else {
      throw LuaMessage("\(reader.what): more than \(most) sightings; keep it shorter")
    }
    return (at, every, Int(steps) + 1)
  }

  private static func isOn(_ reader: DeclarationReader, _ key: String) throws(LuaMessage) -> Bool {
    switch try reader.text(key) {
    case "on": return true
    case "off": return false
    default: throw reader.wrong(key, reader.table[key], "\"on\" or \"off\"")
    }
  }

  private static func restart(_ reader: DeclarationReader) throws(LuaMessage) -> Double {
    guard let seconds = try reader.number("restart"), (0...year).contains(seconds) else {
      throw LuaMessage(
        "\(reader.what): restart has to be a number of seconds until it is started again, 0 to a "
          + "year, not \(reader.table["restart"].shown)")
    }
    return seconds
  }

  private static func address(
    _ reader: DeclarationReader, _ place: Int, at: Double, of device: String?
  ) throws(LuaMessage) -> Address {
    guard let device else { return try address(reader, place) }
    for other in ["address", "address_type"] where !reader.table[other].isNone {
      throw LuaMessage(
        "\(reader.what): device and \(other) exclude each other: its key makes the address")
    }
    return Address(TestKeys.address(device, quarter: UInt32(at / 900)), isRandom: true)
  }

  private static func address(_ reader: DeclarationReader, _ place: Int) throws(LuaMessage)
    -> Address
  {
    let type = try reader.text("address_type") ?? "random"
    guard ["random", "public"].contains(type) else {
      throw reader.wrong("address_type", reader.table["address_type"], "\"random\" or \"public\"")
    }
    // Random static addresses begin with two ones.
    guard let text = try reader.text("address") else {
      return Address(0xC000_0000_0001 + UInt64(place), isRandom: type == "random")
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }),
      let bytes = HexDigits.bytes(parts.joined())
    else {
      throw reader.wrong("address", reader.table["address"], "like \"c2:35:33:30:25:50\"")
    }
    return Address(
      bytes.reduce(0) { $0 << 8 | UInt64($1) }, isRandom: type == "random")
  }
}

enum HexDigits {
  /// Nil for anything but pairs of hexadecimal digits.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue ?? 255 }
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 < 16 }) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
