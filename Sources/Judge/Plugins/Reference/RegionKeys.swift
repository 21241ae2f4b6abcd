/// Keys of the table that `region` takes, and of the tables in it.
enum RegionKeys {
  static let all: [ReferenceRecord] = [region, iBeacon, eddystone, altBeacon, circle, decoder]

  /// What a region can be; `address` is one where no other stands beside it.
  static let kinds = ["ibeacon", "eddystone", "url", "eid", "altbeacon", "circle", "decoder"]

  static let region = ReferenceRecord(
    "region", written: true,
    "What `region` takes: one kind, or `contains`, or both; and what `--region` takes beside. A kind "
      + "is a table, or a string as in `--region`: `ibeacon = \"UUID:1:2\"`.",
    [
      ReferenceField(
        "ibeacon", .either([.record("region.ibeacon"), .string]), optional: true, "iBeacons."),
      ReferenceField(
        "eddystone", .either([.record("region.eddystone"), .string]), optional: true,
        "Eddystone-UID beacons."),
      ReferenceField(
        "url", .string, optional: true,
        "Eddystone URLs: this one, or, with `*` at the end, all that "
          + "begin so."),
      ReferenceField(
        "eid", .string, optional: true,
        "An Eddystone-EID: the 16 hexadecimal digits that it sends, or the name of its key in `--keys`."
      ),
      ReferenceField(
        "altbeacon", .either([.record("region.altbeacon"), .string]), optional: true,
        "AltBeacons."),
      ReferenceField(
        "circle", .either([.record("region.circle"), .string]), optional: true,
        "A place, for positions of tracks."),
      ReferenceField(
        "decoder", .either([.record("region.decoder"), .string]), optional: true,
        "What a custom decoder found."),
      ReferenceField(
        "address", .string, optional: true,
        "Only what this advertiser sends, or a device (`--device`, `--keys`) by its name; alone: any beacon from "
          + "the address, or whatever the device sends."),
      ReferenceField(
        "contains",
        .function([ReferenceParameter("s", .record("sighting"))], returns: [.any]), optional: true,
        "Asked for each sighting, of several profiles by each: what is neither nil nor false is a match. An error is "
          + "none, and an exit behind one is no more than `thin`. It only answers: no alerts in it."
      ),
      ReferenceField(
        "min_rssi", .number, "dBm", optional: true, "The smoothed RSSI has to reach this to enter."),
      ReferenceField(
        "leave_rssi", .number, "dBm", optional: true, "And to stay; left out: 5 dB less."),
      ReferenceField(
        "within", .either([.number, .words(["immediate", "near", "far"])]), "m", optional: true,
        "The distance must not exceed this to enter."),
      ReferenceField(
        "leave_within", .number, "m", optional: true, "And to stay; left out: a quarter more."),
      ReferenceField(
        "notify_on_entry", .boolean, optional: true, "false: an entry makes no event."),
      ReferenceField(
        "notify_on_exit", .boolean, optional: true, "false: an exit makes no event."),
      ReferenceField(
        "notify_entry_state_on_display", .boolean, optional: true,
        "true: an entry is told at the next `display_on` marker."),
    ] + ofProfile)

  private static let span = ReferenceType.either([.number, .string])

  /// Numbers of the profile that may differ in a region, by the names of `--set`.
  private static let ofProfile: [ReferenceField] = [
    ReferenceField("exit_after", span, "s", optional: true, "How long a silence is an exit."),
    ReferenceField("cycle", span, "s", optional: true, "How often states are decided; 0: at once."),
    ReferenceField("scan_window", span, "s", optional: true, "For how long the observer listens."),
    ReferenceField("scan_interval", span, "s", optional: true, "How often it begins to."),
    ReferenceField(
      "enter_on_first_sight", .boolean, optional: true,
      "true: who is heard within the first `exit_after` enters, too."),
    ReferenceField(
      "smoothing", .words(["last", "mean", "trimmed", "abl-average", "arma-abl", "kalman"]),
      optional: true,
      "How the RSSI is smoothed."),
    ReferenceField(
      "ignore_unknown_rssi", .boolean, optional: true, "true: sightings without RSSI do not count."),
    ReferenceField("ranging_period", span, "s", optional: true, "How often lists of ranging come."),
    ReferenceField(
      "distance_model", .words(["path-loss", "abl"]), optional: true,
      "How distances follow from the RSSI."),
    ReferenceField(
      "path_loss_exponent", .number, optional: true, "How fast the signal fades: 1 to 6."),
    ReferenceField("immediate_below", .number, "m", optional: true, "Where immediate ends."),
    ReferenceField("near_up_to", .number, "m", optional: true, "Where near ends."),
  ]

  static let iBeacon = ReferenceRecord(
    "region.ibeacon", written: true, "iBeacons: of a UUID, or narrower.",
    [
      ReferenceField("uuid", .string, "32 hexadecimal digits, with or without hyphens."),
      ReferenceField("major", .integer, optional: true, "0 to 65535; left out: any."),
      ReferenceField("minor", .integer, optional: true, "0 to 65535, beside `major` only."),
    ])

  static let eddystone = ReferenceRecord(
    "region.eddystone", written: true, "Eddystone-UID beacons: of a namespace, or one.",
    [
      ReferenceField("namespace", .string, "20 hexadecimal digits."),
      ReferenceField("instance", .string, optional: true, "12 hexadecimal digits; left out: any."),
    ])

  static let altBeacon = ReferenceRecord(
    "region.altbeacon", written: true, "AltBeacons: of a first id, or narrower.",
    [
      ReferenceField("id1", .string, "32 hexadecimal digits."),
      ReferenceField("id2", .integer, optional: true, "0 to 65535; left out: any."),
      ReferenceField("id3", .integer, optional: true, "0 to 65535, beside `id2` only."),
    ])

  static let circle = ReferenceRecord(
    "region.circle", written: true, "Around a place on the earth.",
    [
      ReferenceField("latitude", .number, "°", "WGS-84, north positive."),
      ReferenceField("longitude", .number, "°", "WGS-84, east positive."),
      ReferenceField("radius", .number, "m", "At least 1."),
    ])

  static let decoder = ReferenceRecord(
    "region.decoder", written: true, "What a custom decoder found.",
    [
      ReferenceField("name", .string, "The decoder's name."),
      ReferenceField("id", .string, optional: true, "What it returned as `id`; left out: any."),
    ])
}
