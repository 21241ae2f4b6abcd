import BeaconKeys
import CaptureReader
import Regions

/// Keys that nobody has to write down: a beacon or a device of a test is known by a name alone, and sends what
/// the key that follows from its name makes.
enum TestKeys {
  /// Nil where no sighting is of one.
  static func ring(_ test: PluginTest) throws(SettingProblem) -> KeyRing? {
    if !test.keys.isEmpty { return try KeyLine.ring(test.keys) }
    let (names, devices) = (names(test), devices(test))
    guard !names.isEmpty || !devices.isEmpty else { return nil }
    return KeyRing(names.map(key), devices: devices.map(deviceKey))
  }

  /// Each once, in their order.
  static func names(_ test: PluginTest) -> [String] {
    names(test) { $0.key }
      + test.keys.map { line in
        switch line {
        case .beacon(let key): key.name
        case .device(let key): key.name
        }
      }
  }

  /// The same of devices.
  static func devices(_ test: PluginTest) -> [String] { names(test) { $0.device } }

  private static func names(_ test: PluginTest, _ name: (TestSighting) -> String?) -> [String] {
    guard case .sightings(let sightings) = test.input else { return [] }
    var seen: Set<String> = []
    return sightings.compactMap(name).filter { seen.insert($0).inserted }
  }

  static func deviceKey(_ name: String) -> DeviceKey {
    // Another one than a beacon's of that name.
    let digest = Array(Digest.sha256(Array("irk:\(name)".utf8)).utf8)
    return DeviceKey(name: name, irk: Array(digest.prefix(16)))
  }

  /// - Parameter quarter: of an hour, from the test's beginning.
  static func address(_ name: String, quarter: UInt32) -> UInt64 {
    let prand = 0x40_0000 | quarter & 0x3F_FFFF
    return UInt64(prand) << 24 | UInt64(deviceKey(name).hash(prand))
  }

  /// Seconds that its clock says when a test begins: what is behind that has been sent, too.
  static let clock = 1 << 20
  /// What an entry may say of its clock.
  static let clocks = 0...2 * clock

  static func key(_ name: String) -> BeaconKey {
    let digest = Array(Digest.sha256(Array(name.utf8)).utf8)
    return BeaconKey(
      name: name,
      cipher: EphemeralIdentifier(key: Array(digest.prefix(16)), exponent: 10),
      clock: BeaconClock(seconds: UInt32(clock), moment: TestCapture.start),
      window: UInt64(2 * clock))
  }

  /// What its clock says in the course of a test: it runs, but where an entry has it stand still.
  struct Clock: Sendable {
    /// Seconds when the test began.
    var start = TestKeys.clock
    /// What it says all the time; nil: it runs.
    var still: Int?

    /// - Parameter time: microseconds from the test's beginning.
    func seconds(at time: Int64) -> UInt32 {
      UInt32(clamping: still ?? start + Int(time / 1_000_000))
    }

    init() {}

    /// - Parameter at: seconds from the test's beginning: then it says what stands there.
    init(_ reader: DeclarationReader, at: Double) throws(LuaMessage) {
      let said = try reader.integer("clock_s", in: TestKeys.clocks)
      switch reader.table["clock_stands"] {
      case .none, .flag(false): break
      case .flag(true): still = said ?? start + Int(at)
      case let value: throw reader.wrong("clock_stands", value, "true or false")
      }
      if let said { start = said - Int(at) }
    }
  }

  static let salt: [UInt8] = [0, 0]

  /// - Parameter plain: twelve bytes of telemetry.
  static func sealed(_ plain: [UInt8], _ key: BeaconKey, at clock: UInt32) -> (
    cipher: [UInt8], check: [UInt8]
  ) {
    key.cipher.telemetry(plain, at: clock, salt: salt)
  }

  /// What `key` says, or another one; nil where it says nothing.
  static func name(_ reader: DeclarationReader, _ key: String = "key") throws(LuaMessage) -> String?
  {
    guard let name = try reader.text(key) else { return nil }
    do throws(SettingProblem) {
      try BeaconKey.check(name: name)
    } catch {
      throw LuaMessage("\(reader.what): \(error.description)")
    }
    return name
  }
}
