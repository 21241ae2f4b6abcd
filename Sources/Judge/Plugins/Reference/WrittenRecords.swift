import FrameDecoder

/// Tables that plugins write: their keys.
enum WrittenRecords {
  static let all: [ReferenceRecord] =
    [plugin, option, message, subscription, decoder, decoded, alert, atMost, filter]
    + RegionKeys.all

  static let plugin = ReferenceRecord(
    "plugin", written: true, "What `plugin` takes.",
    [
      ReferenceField("version", .string, optional: true, "Stands in every alert."),
      ReferenceField("about", .string, optional: true, "One sentence, for `plugin list`."),
    ])

  static let option = ReferenceRecord(
    "option", written: true, "What `option` takes.",
    [
      ReferenceField(
        "default", .either([.number, .string, .boolean]), optional: true,
        "The value where nobody sets another; left out: nil, and it needs its `type`."),
      ReferenceField(
        "type", .words(["number", "integer", "string", "boolean", "region"]), optional: true,
        "Left out: the default's. `region`: the name of one, or empty; a run that has none of that name "
          + "does not begin."),
      ReferenceField("min", .number, optional: true, "Of numbers: not below."),
      ReferenceField("max", .number, optional: true, "Of numbers: not above."),
      ReferenceField(
        "choices", .list(.either([.string, .number])), optional: true, "The only values it takes."),
      ReferenceField("help", .string, optional: true, "What it is, and its unit."),
    ])

  static let message = ReferenceRecord(
    "message", written: true, "What `message` takes, and what its events have.",
    [
      ReferenceField(
        "beacon", .string, "Who carries it: `ibeacon:UUID:MAJOR:MINOR`, as in `--messages`."),
      ReferenceField("namespace", .string, "Whose messages they are."),
      ReferenceField("type", .string, "What sort of message."),
      ReferenceField("content", .string, "The message."),
    ])

  static let subscription = ReferenceRecord(
    "subscription", written: true, "What `subscribe` takes.",
    [
      ReferenceField("namespace", .string, optional: true, "Left out: any."),
      ReferenceField("type", .string, optional: true, "Left out: any."),
      ReferenceField(
        "ibeacon", .boolean, optional: true, "false: nothing that iBeacons carry."),
      ReferenceField(
        "eddystone", .boolean, optional: true, "false: nothing that Eddystone beacons carry."),
      ReferenceField(
        "background", .boolean, optional: true, "true: as an app in the background is told."),
      ReferenceField("low_power", .boolean, optional: true, "true: as low-power scanning tells."),
    ])

  static let decoder = ReferenceRecord(
    "decoder", written: true,
    "What `decoder` takes: one of `company`, `service` and `ad_type`, and `decode`.",
    [
      ReferenceField(
        "company", .integer, optional: true, "Manufacturer data of this company, 0 to 65535."),
      ReferenceField(
        "service", .integer, optional: true, "Service data of this 16-bit UUID, 0 to 65535."),
      ReferenceField(
        "ad_type", .integer, optional: true, "Structures of this type, 0 to 255."),
      ReferenceField(
        "decode",
        .function(
          [ReferenceParameter("ad", .record("ad")), ReferenceParameter("adv", .record("adv"))],
          returns: [.either([.record("decoded"), .nothing])]),
        "Returns what it found, or nil for nothing."),
    ])

  static let decoded = ReferenceRecord(
    "decoded", written: true, "What a decoder returns.",
    [
      ReferenceField(
        "id", .either([.string, .integer]), "Who it is: the sighting's id is `DECODER:ID`."),
      ReferenceField(
        "fields", .values, optional: true, "What it says: strings, numbers, booleans by name."),
    ])

  static let alert = ReferenceRecord(
    "alert", written: true, "What `alert` takes.",
    [
      ReferenceField(
        "severity", .words(["info", "notice", "warning", "critical"]), optional: true,
        "Left out: warning."),
      ReferenceField("title", .string, "What is the matter, in a few words."),
      ReferenceField("text", .string, optional: true, "More about it."),
      ReferenceField(
        "dedupe_key", .string, optional: true,
        "What `once_per` takes for the same alert; left out: the title, region and observer."),
      ReferenceField(
        "evidence",
        .either([
          .record("sighting"), .record("event"),
          .list(.either([.record("sighting"), .record("event")])),
        ]), optional: true,
        "Sightings and events that show it; left out: what is being handled, and in a timer what "
          + "a handler was called with last, or the first frame of the run. A table with the `capture` and `frame` of a sighting, for one that "
          + "could not be kept, does, too."),
      ReferenceField("fields", .values, optional: true, "Values for programs that read alerts."),
      ReferenceField(
        "once_per", .number, "s", optional: true,
        "Not again under the same `dedupe_key` for that long, unless it is severer."),
      ReferenceField(
        "at_most", .record("at_most"), optional: true,
        "`{5, per = 60}`: no more than five of the plugin's alerts in a minute; milder ones do not count."
      ),
      ReferenceField(
        "region", .string, optional: true,
        "The region it is about; left out: that of what is being handled, where it is cited, else of the first "
          + "kept event."),
      ReferenceField("observer", .string, optional: true, "The observer it is about."),
      ReferenceField(
        "about", .record("sighting"), optional: true,
        "Whom it is about, as the alert's `transmitter`: a sighting, its copy, or a table with its `observer`, "
          + "`address`, `kind` and `id`; left out: who was heard in what is being handled, nobody in a timer."
      ),
    ])

  static let atMost = ReferenceRecord(
    "at_most", written: true, "How many alerts in how much time.",
    [
      ReferenceField("1", .integer, "How many."),
      ReferenceField("per", .number, "s", "In how much time."),
    ])

  /// A value, or a list of which any is enough.
  private static func any(of type: ReferenceType) -> ReferenceType { .either([type, .list(type)]) }

  private static let reasons = FrameReason.names.indices.dropFirst()
    .map { FrameReason(rawValue: UInt8($0)) }.filter { !$0.isOfOther }.map { "\($0.name)" }

  static let filter = ReferenceRecord(
    "filter", written: true,
    "What `on` may be told to wait for. All keys must hold; of a list any value is enough.",
    [
      ReferenceField(
        "kind", any(of: .words(SightingFields.kinds.map(\.name))), optional: true,
        "What the beacon sends."),
      ReferenceField(
        "region", any(of: .string), optional: true,
        "A region by its name: all that its beacons send, before its `contains` and its gate are asked; of sightings, "
          + "none that is nothing but `contains`."
      ),
      ReferenceField("id", any(of: .string), optional: true, "The identity as text."),
      ReferenceField("address", any(of: .string), optional: true, "The advertiser, lower case."),
      ReferenceField(
        "address_type", any(of: .words(SightingFields.addressTypes)), optional: true,
        "What sort of address."),
      ReferenceField(
        "device", any(of: .string), optional: true,
        "The name of a device (`--device`, `--keys`), whatever the address."),
      ReferenceField(
        "company", any(of: .integer), optional: true, "The manufacturer data's company."),
      ReferenceField("observer", any(of: .string), optional: true, "Whose radio."),
      ReferenceField("decoder", any(of: .string), optional: true, "A custom decoder's name."),
      ReferenceField("uuid", any(of: .string), optional: true, "Of an iBeacon."),
      ReferenceField("major", any(of: .integer), optional: true, "Of an iBeacon."),
      ReferenceField("minor", any(of: .integer), optional: true, "Of an iBeacon."),
      ReferenceField("namespace", any(of: .string), optional: true, "Of Eddystone, or a message."),
      ReferenceField("instance", any(of: .string), optional: true, "Of Eddystone."),
      ReferenceField("url", any(of: .string), optional: true, "Of Eddystone."),
      ReferenceField("eid", any(of: .string), optional: true, "Of Eddystone."),
      ReferenceField(
        "key", any(of: .string), optional: true, "The name of a resolved Eddystone-EID's key."),
      ReferenceField(
        "id1", any(of: .string), optional: true, "Of an AltBeacon; with hyphens or without."),
      ReferenceField("id2", any(of: .integer), optional: true, "Of an AltBeacon."),
      ReferenceField("id3", any(of: .integer), optional: true, "Of an AltBeacon."),
      ReferenceField("type", any(of: .string), optional: true, "Of a message."),
      ReferenceField(
        "grade", any(of: .words(EventFieldRows.grades)), optional: true, "Of an exit."),
      ReferenceField(
        "entry_doubt", any(of: .words(EventFieldRows.doubts)), optional: true, "Of an enter."),
      ReferenceField(
        "state", any(of: .words(EventFieldRows.states)), optional: true, "Of a region."),
      ReferenceField(
        "from", any(of: .words(EventFieldRows.zones)), optional: true, "The proximity before."),
      ReferenceField(
        "to", any(of: .words(EventFieldRows.zones)), optional: true, "The proximity now."),
      ReferenceField(
        "cause", any(of: .words(EventFieldRows.causes)), optional: true, "Of a position."),
      ReferenceField(
        "reason", any(of: .words(reasons)), optional: true, "Of a malformed record."),
      ReferenceField(
        "what", any(of: .words(EventFieldRows.deeds)), optional: true, "What an observer did."),
      ReferenceField(
        "capture", any(of: .string), optional: true,
        "In which input; of `malformed`, `clock` and `observer` alone."),
    ]
      + SightingKinds.otherParts.map {
        ReferenceField($0.name, any(of: $0.type), optional: true, $0.text)
      })
}
