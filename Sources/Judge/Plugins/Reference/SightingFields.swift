/// Fields of sightings, as `sightings --format ndjson` has them; times are numbers.
enum SightingFields {
  static let addressTypes = [
    "public", "random_static", "random_resolvable", "random_nonresolvable", "random_reserved",
    "public_identity", "random_identity", "random_unresolved", "anonymous", "unknown", "none",
  ]

  /// What every sighting has.
  static let common: [ReferenceField] = [
    ReferenceField("capture", .string, "The input as it was named on the command line."),
    ReferenceField("frame", .integer, "Frame number, from 1, as Wireshark counts."),
    ReferenceField("report", .integer, "Place of the report inside the frame, from 0."),
    ReferenceField(
      "time", .number, "s", optional: true, "Since 1970, UTC; nil where the capture gives none."),
    ReferenceField("observer", .string, "The radio that heard it."),
    ReferenceField(
      "address", .string, optional: true, "The advertiser, lower case; nil without one."),
    ReferenceField("address_type", .words(addressTypes), "What sort of address."),
    ReferenceField(
      "device", .string, optional: true,
      "The device that has the address, by its name (`--device`, or of its key, `irk:` in `--keys`); nil: nobody's."
    ),
    ReferenceField(
      "rssi", .integer, "dBm", optional: true, "How strong; nil where it is not available."),
    ReferenceField(
      "channel", .integer, optional: true, "Channel index 0 to 39; nil where it is not known."),
    ReferenceField(
      "phy", .words(["1M", "2M", "coded"]), optional: true, "Nil where it is not known."),
    ReferenceField("kind", .words(kinds.map(\.name)), "What the beacon sends."),
    ReferenceField("id", .string, "The identity as text."),
    ReferenceField(
      "company", .integer, optional: true,
      "Of manufacturer data: AltBeacon's own, 76 for iBeacon; nil for other formats."),
    ReferenceField(
      "warnings", .list(.string), optional: true, "Codes of what was odd; nil where nothing was."),
  ]

  /// Every kind, in the order of the exports; custom decoders' last.
  static let kinds: [ReferenceKind] = SightingKinds.all

  /// Fields that only some kinds have, each once, in the order of the kinds.
  static let ofKinds: [ReferenceField] = {
    var seen: Set<String> = Set(common.map(\.name))
    return kinds.flatMap(\.fields).filter { seen.insert($0.name).inserted }
  }()

  /// Of every kind: one that a sighting's kind has not is nil.
  static let all =
    common
    + ofKinds.map { field in
      ReferenceField(field.name, field.type, field.unit, optional: true, field.text)
    }

  static func fields(ofKind name: String) -> [ReferenceField] {
    common + (kinds.first { $0.name == name }?.fields ?? [])
  }

  /// What says who sent something: of events.
  static let transmitter: [ReferenceField] =
    common.filter { ["address", "address_type", "device", "kind", "id"].contains($0.name) }
    + [
      "uuid", "major", "minor", "id1", "id2", "id3", "namespace", "instance", "url", "eid", "key",
      "decoder",
    ]
    .map {
      name in
      let field = ofKinds.first { $0.name == name }!
      return ReferenceField(name, field.type, optional: true, field.text)
    } + SightingKinds.otherParts
}
