import Beacons

/// Kinds of sightings, and the fields that only some of them have.
enum SightingKinds {
  static let all: [ReferenceKind] = described + others.map(plain)

  /// Those that are described here.
  static let described: [ReferenceKind] = [
    iBeacon, altBeacon, eddystoneUID, eddystoneURL, eddystoneTLM, eddystoneETLM, eddystoneEID,
    eddystoneResolved, eddystoneOpened, device, custom,
  ]

  /// Formats that are not: plugins know them by what they say of themselves.
  private static let others = BeaconFormats.all.filter { format in
    !described.contains { $0.name == "\(format.name)" }
  }

  /// Parts of identities that `SightingField` does not have by name, of any format, each once: handles, filters and
  /// events have them all the same.
  static let otherParts = parts(beside: SightingField.identity)

  /// Fields beside these.
  static let otherFields = new(
    beside: SightingField.identity + SightingField.own + ["device"] + otherParts.map(\.name),
    fields)

  static func parts(beside names: [String]) -> [ReferenceField] {
    new(beside: names + ["device"]) { format in
      let parts = format.parts.map { "\($0.name)" }
      return fields(of: format).filter { parts.contains($0.name) }
    }
  }

  private static func new(
    beside names: [String], _ fields: (any BeaconFormat.Type) -> [ReferenceField]
  ) -> [ReferenceField] {
    var known = Set(names)
    let told = described.flatMap(\.fields)
    return BeaconFormats.all.flatMap(fields).filter { known.insert($0.name).inserted }.map {
      field in
      guard let told = told.first(where: { $0.name == field.name }) else { return field }
      return ReferenceField(told.name, told.type, told.unit, optional: true, told.text)
    }
  }

  private static func fields(of format: any BeaconFormat.Type) -> [ReferenceField] {
    format.blankFields.filter { "\($0.name)" != "company" }.map { field in
      let type: ReferenceType =
        switch field.value {
        case .int: .integer
        case .text: .string
        case .decimal: .number
        case .none: .any
        }
      return ReferenceField("\(field.name)", type, optional: true, "Of \(format.title).")
    }
  }

  static func plain(_ format: any BeaconFormat.Type) -> ReferenceKind {
    ReferenceKind(
      "\(format.name)", "\(format.title): `id` is \(format.textForm).", fields(of: format),
      ReferenceExample(
        """
        on("sighting", { kind = "\(format.name)" }, function(s)
          print(s.id)
        end)
        """,
        test: """
          test "hears none" {
            sightings = { { at = 0, adv_data = "020106", address = "c2:35:33:30:25:50" } },
            alerts = {},
            print = {},
          }
          """))
  }

  private static let measuredPower = ReferenceField(
    "measured_power", .integer, "dBm", "What the beacon says it has at 1 m.")
  private static let txPower = ReferenceField(
    "tx_power", .integer, "dBm", "What the beacon says it has at 0 m.")

  /// A rule that prints fields of one kind, and a sighting of it.
  private static func example(_ kind: String, _ fields: String, _ line: String, _ printed: String)
    -> ReferenceExample
  {
    ReferenceExample(
      """
      on("sighting", { kind = "\(kind)" }, function(s)
        print(\(fields))
      end)
      """,
      test: """
        test "reads its fields" {
          sightings = {
            { at = 0, \(line), rssi = -60, address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "\(printed)" },
        }
        """)
  }

  static let iBeacon = ReferenceKind(
    "ibeacon", "Apple's format: `id` is `uuid:major:minor`.",
    [
      ReferenceField("uuid", .string, "Lower case, with hyphens."),
      ReferenceField("major", .integer, "0 to 65535."),
      ReferenceField("minor", .integer, "0 to 65535."),
      measuredPower,
    ],
    example(
      "ibeacon", "s.major, s.minor, s.id == s.uuid .. \":1:7\"",
      "ibeacon = \"f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7\"", "1\\t7\\ttrue"))

  static let altBeacon = ReferenceKind(
    "altbeacon", "`id` is its 20 bytes in hexadecimal digits.",
    [
      ReferenceField("beacon_code", .string, "`beac`."),
      ReferenceField("id1", .string, "32 hexadecimal digits with hyphens."),
      ReferenceField("id2", .integer, "0 to 65535."),
      ReferenceField("id3", .integer, "0 to 65535."),
      measuredPower,
      ReferenceField("reserved", .integer, "0 to 255, of the manufacturer's own meaning."),
    ],
    example(
      "altbeacon", "s.beacon_code, s.id2, s.id3",
      "altbeacon = \"2f234454cf6d4a0fadf2f4911ba9ffa600010002\"", "beac\\t1\\t2"))

  static let eddystoneUID = ReferenceKind(
    "eddystone-uid", "`id` is `namespace:instance`.",
    [
      ReferenceField("namespace", .string, "20 hexadecimal digits."),
      ReferenceField("instance", .string, "12 hexadecimal digits."),
      txPower,
    ],
    example(
      "eddystone-uid", "s.namespace, s.instance",
      "eddystone = \"edd1ebeac04e5defa017:0000fdd1549a\"", "edd1ebeac04e5defa017\\t0000fdd1549a"))

  static let eddystoneURL = ReferenceKind(
    "eddystone-url", "`id` is the URL.",
    [
      ReferenceField("url", .string, "Bytes without a meaning as `%XX`."),
      txPower,
    ],
    example("eddystone-url", "s.url", "url = \"https://example.com/\"", "https://example.com/"))

  static let eddystoneTLM = ReferenceKind(
    "eddystone-tlm", "Telemetry: `id` is the address. Nil is what the beacon does not measure.",
    [
      ReferenceField("version", .integer, "Of the format: 0; of encrypted telemetry 1."),
      ReferenceField("battery_mv", .integer, "mV", optional: true, "The battery's voltage."),
      ReferenceField("temperature_c", .number, "°C", optional: true, "The beacon's temperature."),
      ReferenceField("adv_count", .integer, "Advertisements since it was switched on."),
      ReferenceField("uptime_s", .number, "s", "Since it was switched on."),
    ],
    example(
      "eddystone-tlm", "s.battery_mv, s.temperature_c",
      "eddystone_tlm = { battery_mv = 2300, temperature_c = 20.5 }", "2300\\t20.5"))

  static let eddystoneETLM = ReferenceKind(
    "eddystone-etlm", "Encrypted telemetry: `id` is the address.",
    [
      ReferenceField("version", .integer, "Of the format: 0; of encrypted telemetry 1."),
      ReferenceField("ciphertext", .string, "24 hexadecimal digits."),
      ReferenceField("salt", .string, "4 hexadecimal digits."),
      ReferenceField("mic", .string, "4 hexadecimal digits."),
    ],
    ReferenceExample(
      """
      on("sighting", { kind = "eddystone-etlm" }, function(s)
        print(s.version, #s.ciphertext, s.salt, s.mic)
      end)
      """,
      test: """
        test "reads its fields" {
          sightings = {
            { at = 0, address = "c2:35:33:30:25:50",
              eddystone_etlm = "000102030405060708090a0b1a2b3c4d" },
          },
          alerts = {},
          print = { "1\\t24\\t1a2b\\t3c4d" },
        }
        """))

  static let eddystoneEID = ReferenceKind(
    "eddystone-eid", "An identity that changes: `id` is the EID.",
    [
      ReferenceField("eid", .string, "16 hexadecimal digits."),
      txPower,
    ],
    example("eddystone-eid", "s.eid", "eid = \"a1b2c3d4e5f60718\"", "a1b2c3d4e5f60718"))

  static let eddystoneResolved = ReferenceKind(
    "eddystone-eid-resolved", "An EID that a key of `--keys` made: `id` is the key's name.",
    [
      ReferenceField("key", .string, "The key's name, whatever the beacon sends."),
      ReferenceField("eid_sent", .string, "The EID that was sent, 16 hexadecimal digits."),
      ReferenceField("clock_s", .integer, "s", "Of the beacon's clock, when that EID begins."),
      ReferenceField("lasts_s", .integer, "s", "How long an EID of that key lasts."),
      ReferenceField(
        "clock_due_s", .integer, "s",
        "What the beacon's clock says at the time by the key's line; nil where that has no clock."),
      txPower,
    ],
    example("eddystone-eid-resolved", "s.key, #s.eid_sent", "key = \"cart\"", "cart\\t16"))

  static let eddystoneOpened = ReferenceKind(
    "eddystone-etlm-opened",
    "Encrypted telemetry, opened with the key of the EID that the same address sent: `id` is the address.",
    eddystoneTLM.fields,
    ReferenceExample(
      """
      on("telemetry", { kind = "eddystone-etlm-opened" }, function(s)
        print(s.battery_mv)
      end)
      """,
      test: """
        test "reads its fields" {
          sightings = {
            { at = 0, key = "cart", address = "c2:35:33:30:25:50" },
            { at = 1, eddystone_tlm = { battery_mv = 2300, key = "cart" },
              address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "2300" },
        }
        """))

  static let device = ReferenceKind(
    "device",
    "A device that has the address, whatever it sends: `id` is its name (`--device`, or of its key in `--keys`). "
      + "Beacons that it sends are "
      + "sightings of their own beside it.",
    [],
    ReferenceExample(
      """
      on("sighting", { kind = "device" }, function(s)
        print(s.id, s.device)
      end)
      """,
      test: """
        test "knows it by its address" {
          sightings = { { at = 0, adv_data = "020106", device = "phone" } },
          alerts = {},
          print = { "phone\\tphone" },
        }
        """))

  static let custom = ReferenceKind(
    "custom", "What a `decoder` found: `id` is `DECODER:ID`.",
    [
      ReferenceField("decoder", .string, "The decoder's name."),
      ReferenceField("fields", .values, optional: true, "What the decoder returned as `fields`."),
    ],
    ReferenceExample(
      """
      decoder "tag" {
        service = 0xFCD2,
        decode = function(ad) return { id = "t" .. ad.data:byte(1), fields = { moved = true } } end,
      }
      on("sighting", { kind = "custom" }, function(s)
        print(s.decoder, s.id, s.fields.moved)
      end)
      """,
      test: """
        test "reads its fields" {
          sightings = {
            { at = 0, service = 0xFCD2, data = "09", address = "c2:35:33:30:25:50" },
          },
          alerts = {},
          print = { "tag\\ttag:t9\\ttrue" },
        }
        """))
}
