import Analysis

/// Fields of events, as `events --format ndjson` has them; times are numbers.
enum EventFieldRows {
  static let states = ["inside", "outside", "unknown"]
  static let grades = ["gone", "deaf", "thin"]
  static let causes = ["update", "significant", "course"]
  static let deeds = [
    "scan_on", "scan_off", "reset", "capture_off", "capture_on", "recording_on", "recording_off",
    "lost",
  ]
  static let zones = ["unknown", "immediate", "near", "far"]

  static let time = ReferenceField("time", .number, "s", "When it was decided: since 1970, UTC.")
  static let observer = ReferenceField("observer", .string, "Whose radio.")
  static let capture = ReferenceField(
    "capture", .string, "The input as it was named on the command line.")
  static let frame = ReferenceField("frame", .integer, "Frame number, from 1.")

  private static let id = ReferenceField(
    "id", .string, "16 hexadecimal digits; `explain` takes it.")
  private static let profile = ReferenceField("profile", .string, "Which profile decided it.")
  private static let region = ReferenceField("region", .string, "The region's name.")
  static let evidence = ReferenceField(
    "evidence", .list(.record("evidence")), "The records that decided it.")
  private static let transmitter = ReferenceField(
    "transmitter", .record("transmitter"), optional: true, "Who; nil where it is nobody's doing.")
  private static let crossedAt = ReferenceField(
    "crossed_at", .number, "s", optional: true,
    "Of a circle: when the boundary was crossed; of an entry told at a marker: when it happened.")

  /// What an event of the timeline has: `own` between what all of them have.
  static func event(_ name: String, region isOfRegion: Bool = true, _ own: [ReferenceField])
    -> [ReferenceField]
  {
    [id, type(name), time, observer]
      + (isOfRegion ? [region] : []) + [profile] + own + [evidence]
  }

  static func type(_ name: String) -> ReferenceField {
    ReferenceField("type", .words([name]), "The event's name.")
  }

  private static let state = ReferenceField(
    "state", .words(states), "The region's state from this event on.")
  private static let lastSeen = ReferenceField(
    "last_seen", .number, "s", optional: true, "Time of the latest sighting.")

  private static let stamped = ReferenceField(
    "stamped", .number, "s", optional: true,
    "What the record that decided it is stamped, where it was followed more than a second later than that: the "
      + "clock had been set back.")

  static let ofState = event("state", [state, crossedAt, stamped, transmitter])
  static let ofEnter = event("enter", [state, crossedAt] + doubt + [stamped, transmitter])
  static let ofExit = event(
    "exit", [state, lastSeen, crossedAt] + silence + [stamped, transmitter])

  static let doubts = EntryDoubt.Kind.allCases.map(\.rawValue)

  /// What the radio's deafness before an entry leaves open.
  private static let doubt: [ReferenceField] = [
    ReferenceField(
      "entry_doubt", .words(doubts), optional: true,
      "What may be true instead, as the radio could hardly hear before it, or as the exit before is `thin`; nil: "
        + "nothing of that. That somebody is seldom heard, and may have been inside from the beginning on, is known "
        + "later only: events do not say it."
    ),
    ReferenceField(
      "unheard_since", .number, "s", optional: true,
      "The last sighting before, the radio's first record, or when it stopped hearing."),
    ReferenceField(
      "listened_before_s", .number, "s", optional: true,
      "For how long it could hear between that and the entry."),
  ]

  /// What the silence behind an exit is worth; nil for circles.
  private static let silence: [ReferenceField] = [
    ReferenceField(
      "grade", .words(grades), optional: true,
      "`gone`; `deaf`: the observer may not have been able to hear; `thin`: such a silence is likely "
        + "by itself, or packets that were lost or filtered may have been the beacon's."),
    ReferenceField(
      "others_heard_at", .number, "s", optional: true,
      "Latest time after `last_seen` at which anybody was heard; nil: nobody was."),
    ReferenceField(
      "scan_off_s", .number, "s", optional: true,
      "For how long of the silence scanning is known to have been off."),
    ReferenceField(
      "capture_off_s", .number, "s", optional: true,
      "For how long of it nothing was captured; nil: for none of it."),
    ReferenceField(
      "packets_lost", .integer, optional: true,
      "How many packets the recorder had said by then that it lost in it; nil: none."),
    ReferenceField(
      "rule_failures", .integer, optional: true,
      "Of how many sightings in it nobody knows whether they were of the region, or what they were: its "
        + "`contains`, or a decoder, failed on them or had been switched off; nil: of none."),
    ReferenceField(
      "gate_refused", .integer, optional: true,
      "How many sightings in it of who had been in the region did not pass its gate (`min_rssi`, `within`); nil: none."
    ),
    ReferenceField(
      "gate_rssi", .number, "dBm", optional: true,
      "What the signal of the last of them that had one was smoothed to; nil, too, where the radio told none of the later ones: "
        + "nobody knows whether it was near enough, and the exit is `thin` at best."),
    ReferenceField(
      "gate_refused_at", .number, "s", optional: true,
      "When that was: near the exit it is still heard, long before it fell silent."),
    ReferenceField(
      "duplicates_filtered_s", .number, "s", optional: true,
      "For how long of it the controller filtered duplicates; nil: for none of it."),
    ReferenceField(
      "listed_only_s", .number, "s", optional: true,
      "For how long of it the controller passed on only whom it was told to (its list, or Android's content "
        + "filter); nil: for none of it."
    ),
    ReferenceField(
      "radio_share", .number, optional: true,
      "Which part of it the radio listened, 0 to 1, by the windows of its scans; nil: all of it, or not "
        + "known."),
    ReferenceField(
      "radio_share_before", .number, optional: true,
      "And of the time before; where it was more, `silence_probability` reckons with that."),
    ReferenceField(
      "quiet_s", .number, "s", optional: true,
      "For how long of its end nobody at all was heard, where that is half of the exit period and more: "
        + "`silence_probability` is of the rest, and 1 where that is shorter than three of its intervals; nil: somebody "
        + "was, or it is `deaf`."),
    ReferenceField(
      "record_gap_s", .number, "s", optional: true,
      "The longest pause without any record that is at least the exit period; where the grade is not "
        + "`deaf`, how much of the silence lies in pauses of half of it and more; 0: none."),
    ReferenceField(
      "interval_ms", .number, "ms", optional: true,
      "Usual interval of the transmitter whose silence is least likely."),
    ReferenceField("loss", .number, optional: true, "Its lost share, 0 to 1."),
    ReferenceField(
      "silence_probability", .number, optional: true, "Of the silence by loss alone, 0 to 1."),
    ReferenceField(
      "silent_transmitters", .integer, optional: true,
      "How many transmitters that probability is of."),
  ]

  static let accuracy: [ReferenceField] = [
    ReferenceField("accuracy_m", .number, "m", optional: true, "The distance; nil where unknown."),
    ReferenceField(
      "accuracy_min_m", .number, "m", optional: true,
      "Its lower bound, at one standard deviation of the RSSI."),
    ReferenceField("accuracy_max_m", .number, "m", optional: true, "Its upper bound."),
  ]

  static let ofProximity = event(
    "proximity",
    [
      ReferenceField("from", .words(zones), "The proximity before."),
      ReferenceField("to", .words(zones), "The proximity now."),
    ] + accuracy + [
      ReferenceField("rssi", .number, "dBm", optional: true, "Smoothed."),
      transmitter,
    ])

  static let ofRanging = event(
    "ranging",
    [
      ReferenceField(
        "entries", .list(.record("ranging_entry")),
        "The region's transmitters, nearest first, unknown last.")
    ])

  static let rangingEntry =
    SightingFields.transmitter
    + [ReferenceField("proximity", .words(zones), "How near it is.")] + accuracy + [
      ReferenceField(
        "rssi", .number, "dBm", optional: true, "Mean since the last list; nil without a sample."),
      ReferenceField("samples", .integer, "How many sightings since the last list."),
      ReferenceField(
        "capture", .string, "The capture of the latest of its sightings that were ranged."),
      ReferenceField(
        "frame", .integer, "Its frame: an alert with the entry as `evidence` cites it."),
    ]

  private static let message = ReferenceField("message", .record("message"), "The message.")
  static let ofFound = event("message_found", region: false, [transmitter, message])
  static let ofLost = event("message_lost", region: false, [lastSeen, transmitter, message])

  static let ofPosition = event(
    "position", region: false,
    [
      ReferenceField("latitude", .number, "°", "WGS-84, north positive."),
      ReferenceField("longitude", .number, "°", "WGS-84, east positive."),
      ReferenceField("course_deg", .number, "°", optional: true, "From true north."),
      ReferenceField(
        "cause", .words(causes), "Which filter it passed."),
    ])

  static let ofFailure = event(
    "monitoring_failed",
    [
      ReferenceField("code", .words(["region_monitoring_failure"]), "Past the profile's limit."),
      ReferenceField("state", .words(["unknown"]), "As nobody follows it."),
    ])
}
