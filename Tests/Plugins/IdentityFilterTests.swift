import Testing

@testable import Plugins

/// What a rule reads in a sighting can be written into a filter as it stands.
@Suite("Filters by identity", .timeLimit(.minutes(60)))
struct IdentityFilterTests {
  private static let uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"

  /// One of each kind.
  private static let sightings = """
    sightings = {
      { at = 0, ibeacon = "\(uuid):1:2" },
      { at = 1, altbeacon = "\(uuid):5:1" },
      { at = 2, eddystone = "8b0ca750e54c6e4d1a2f:0123456789ab" },
      { at = 3, url = "https://a.example/" },
      { at = 4, eid = "0123456789abcdef" },
      { at = 5, eddystone_tlm = { battery_mv = 2800 } },
      { at = 6, eddystone_etlm = "00112233445566778899aabbccddeeff" },
      { at = 7, manufacturer = 0x1234, data = "01ab" },
      { at = 8, key = "cart" },
      { at = 9, adv_data = "020106", device = "phone" },
    },
    """

  private static let decoder = """
    decoder "tag" { company = 0x1234, decode = function(ad) return { id = "A b" } end }

    """

  /// Keys that have a field of the same name; a region's name is none.
  private static let keys = HandlerFilter.sightingKeys.filter { $0 != "region" }

  @Test("every key takes the value that a sighting's field of that name has", arguments: keys)
  func valuesOfSightings(_ key: String) throws {
    let values = try Self.values(key)
    #expect(!values.isEmpty, "no sighting has \(key)")
    for value in values {
      #expect(try Self.times(key, value) > 0, "\(key) = \(value)")
    }
  }

  @Test(
    "hyphens and capital letters make no difference in identities",
    arguments: [
      ("uuid", "B9407F30F5F8466EAFF925556B57FE6D"), ("id1", "B9407F30F5F8466EAFF925556B57FE6D"),
      ("id1", "b9407f30f5f8466eaff925556b57fe6d"), ("eid", "0123456789ABCDEF"),
      ("namespace", "8B0CA750E54C6E4D1A2F"), ("instance", "0123456789AB"),
    ])
  func forms(_ key: String, _ value: String) throws {
    #expect(try Self.times(key, "\"\(value)\"") == 1)
  }

  @Test("an event's transmitter is found by its id1 in both forms")
  func ofEvents() throws {
    let plugin = """
      region "all" { altbeacon = "\(Self.uuid)" }
      on("enter", { id1 = "\(Self.uuid)" }, function(e) print("with") end)
      on("enter", { id1 = "\(Self.uuid.filter { $0 != "-" })" }, function(e) print("without") end)
      """
    let test = """
      sightings = { { at = 0, url = "https://a.example/" }, { at = 40, altbeacon = "\(Self.uuid):5:1" } },
      alerts = {}, print = { "with", "without" },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  /// A region for each kind, and a sighting in it behind the time in which nobody is known anywhere.
  private static let regions =
    decoder + """
      region "c" { decoder = "tag" }
      region "i" { ibeacon = "\(uuid)" }
      region "a" { altbeacon = "\(uuid)" }
      region "n" { eddystone = "8b0ca750e54c6e4d1a2f" }
      region "u" { url = "https://a.example/" }
      region "k" { eid = "cart" }
      region "d" { address = "phone" }

      """
  private static let entered = """
    sightings = {
      { at = 0, eid = "0123456789abcdef" },
      { at = 40, ibeacon = "\(uuid):1:2" }, { at = 41, altbeacon = "\(uuid):5:1" },
      { at = 42, eddystone = "8b0ca750e54c6e4d1a2f:0123456789ab" },
      { at = 43, url = "https://a.example/" }, { at = 44, key = "cart" },
      { at = 45, adv_data = "020106", device = "phone" },
      { at = 46, manufacturer = 0x1234, data = "01ab" },
    },
    """

  @Test(
    "every key takes the value that an event's transmitter has",
    arguments: SightingFields.transmitter.map(\.name).filter { $0 != "eid" })
  func valuesOfEvents(_ key: String) throws {
    let read =
      Self.regions + """
        on("enter", function(e)
          local value = e.transmitter.\(key)
          if value ~= nil then print(string.format("%q", value)) end
        end)
        """
    let values = try Self.printed(read, Self.entered)
    #expect(!values.isEmpty)
    for value in values {
      let filter = "on('enter', { \(key) = \(value) }, function(e) print(e.region) end)"
      #expect(try !Self.printed(Self.regions + filter, Self.entered).isEmpty, "\(key) = \(value)")
    }
  }

  /// What sightings have under a key, as Lua writes it, each once.
  private static func values(_ key: String) throws -> [String] {
    let plugin =
      decoder + """
        local seen = {}
        on("sighting", function(s)
          if s.\(key) == nil then return end
          local text = string.format("%q", s.\(key))
          if seen[text] then return end
          seen[text] = true
          print(text)
        end)
        """
    return try printed(plugin)
  }

  /// How many sightings a filter takes.
  private static func times(_ key: String, _ value: String) throws -> Int {
    try printed(decoder + "on('sighting', { \(key) = \(value) }, function(s) print(s.frame) end)")
      .count
  }

  private static func printed(
    _ plugin: String, _ sightings: String = sightings
  ) throws -> [String] {
    // A test compares what is printed: where none was expected, all of it is told as too much.
    let lines = try TestingFolder.outcome(plugin, sightings + "alerts = {}, print = {},").lines
    return lines.compactMap { line in
      let text = line.drop { $0 == " " || $0 == ">" }
      return text.hasPrefix("+ ") ? String(text.dropFirst(2)) : nil
    }
  }
}
