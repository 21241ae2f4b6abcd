extension CaseMigration {
  /// Everything that an analysis finds.
  static let findings = CaseMigration(
    name: "1 findings",
    sql: inputs + heard + followed + drawn)

  /// What was read, by which settings.
  private static let inputs = """
    -- tool_version, form (the number of migrations), from_ns, to_ns (the run's first and last time),
    -- keeps_sightings, default_regions (1: regions are those that were heard).
    CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    -- The run's options as they were written, for the same run again; never captures, never outputs.
    CREATE TABLE options (id INTEGER PRIMARY KEY, word TEXT NOT NULL);
    -- Files beside the captures: role is track, plugin, site, module, regions, messages or markers.
    CREATE TABLE files (
      id INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER,
      sha256 TEXT);
    CREATE TABLE captures (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT,
      container TEXT NOT NULL, compression TEXT, link_types TEXT NOT NULL,
      from_ns INTEGER, to_ns INTEGER, records INTEGER NOT NULL, advertising INTEGER NOT NULL,
      other INTEGER NOT NULL, malformed INTEGER NOT NULL, truncated INTEGER NOT NULL,
      crc_failed INTEGER NOT NULL, unsupported INTEGER NOT NULL, reports INTEGER NOT NULL,
      lost_packets INTEGER NOT NULL, step_back_ns INTEGER NOT NULL,
      step_forward_ns INTEGER NOT NULL, is_damaged INTEGER NOT NULL);
    -- kind: malformed, truncated, unsupported ... (records by reason), warning, label (reports of other
    -- advertisers).
    CREATE TABLE accounting (
      id INTEGER PRIMARY KEY, capture_id INTEGER NOT NULL REFERENCES captures, kind TEXT NOT NULL,
      code TEXT NOT NULL, count INTEGER NOT NULL, first_frame INTEGER, detail TEXT);
    CREATE TABLE damage (
      id INTEGER PRIMARY KEY, capture_id INTEGER NOT NULL REFERENCES captures,
      byte INTEGER NOT NULL, bytes INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
      resumed_at_frame INTEGER);
    CREATE TABLE pauses (
      id INTEGER PRIMARY KEY, capture_id INTEGER NOT NULL REFERENCES captures, interface TEXT,
      from_ns INTEGER, to_ns INTEGER);
    -- Inputs that could not be read.
    CREATE TABLE problems (
      id INTEGER PRIMARY KEY, capture TEXT NOT NULL, code TEXT NOT NULL, byte INTEGER,
      detail TEXT NOT NULL, remedy TEXT);
    -- kind: remark (WORTH KNOWING), hint, warning.
    CREATE TABLE remarks (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, code TEXT, capture TEXT, beacon TEXT,
      text TEXT NOT NULL);
    CREATE TABLE plugins (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, sha256 TEXT NOT NULL,
      alerts INTEGER NOT NULL, held_back INTEGER NOT NULL, errors INTEGER NOT NULL,
      switched_off_ns INTEGER);

    """

  /// Who listened, who was heard.
  private static let heard = """
    CREATE TABLE observers (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, from_ns INTEGER, to_ns INTEGER,
      reports INTEGER NOT NULL, controller TEXT, system TEXT, listening_ns INTEGER);
    CREATE TABLE scan_windows (
      id INTEGER PRIMARY KEY, observer_id INTEGER NOT NULL REFERENCES observers, from_ns INTEGER,
      to_ns INTEGER, end_reason TEXT, is_active INTEGER, interval_ms REAL, window_ms REAL,
      filters_duplicates INTEGER);
    -- When an observer is known not to have heard anything.
    CREATE TABLE deaf (
      id INTEGER PRIMARY KEY, observer_id INTEGER NOT NULL REFERENCES observers,
      from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL);
    -- power: dBm at 1 m (power_at_m 1) or where it leaves (0).
    CREATE TABLE beacons (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, kind_name TEXT NOT NULL, identity TEXT NOT NULL,
      group_name TEXT NOT NULL, short_name TEXT NOT NULL,
      sightings INTEGER NOT NULL, first_ns INTEGER, last_ns INTEGER, median_interval_ms REAL,
      rssi_min INTEGER, rssi_median INTEGER, rssi_max INTEGER, power_min INTEGER,
      power_max INTEGER, power_at_m INTEGER, battery_mv INTEGER, temperature_c REAL,
      adv_count INTEGER, uptime_s REAL, telemetry_ns INTEGER, telemetry_sightings INTEGER,
      encrypted_telemetry INTEGER NOT NULL, companions INTEGER NOT NULL, warnings TEXT);
    -- A device that sends an identity. observers: names, with commas.
    CREATE TABLE transmitters (
      id INTEGER PRIMARY KEY, beacon_id INTEGER NOT NULL REFERENCES beacons, address TEXT,
      address_type TEXT NOT NULL, sightings INTEGER NOT NULL, first_ns INTEGER, last_ns INTEGER,
      first_capture_id INTEGER REFERENCES captures, first_frame INTEGER,
      observers TEXT NOT NULL);
    -- Only where sightings are kept: who is heard by whom. kind: of the advertisement; telemetry is a
    -- hearing of its own, with the transmitter that its address belongs to.
    CREATE TABLE hearings (
      id INTEGER PRIMARY KEY, transmitter_id INTEGER REFERENCES transmitters,
      observer_id INTEGER NOT NULL REFERENCES observers, kind TEXT NOT NULL);
    -- Only where they are kept (--keep-sightings). number: of the report inside the frame, from 0; rssi,
    -- power, channel: NULL where not known.
    CREATE TABLE sightings (
      time_ns INTEGER, capture_id INTEGER NOT NULL, frame INTEGER NOT NULL,
      number INTEGER NOT NULL, hearing_id INTEGER NOT NULL, rssi INTEGER, power INTEGER,
      channel INTEGER);

    """

  /// What was reconstructed.
  private static let followed = """
    -- numbers: the profile's settings as a JSON object.
    CREATE TABLE profiles (id INTEGER PRIMARY KEY, name TEXT NOT NULL, numbers TEXT NOT NULL);
    -- A circle has latitude, longitude (degrees, WGS-84) and radius_m.
    CREATE TABLE regions (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, condition TEXT NOT NULL,
      definition TEXT NOT NULL, latitude REAL, longitude REAL, radius_m REAL);
    -- A visit; until_ns is NULL where it goes on at the end. grade: gone, deaf, thin ... of the exit.
    CREATE TABLE stays (
      id INTEGER PRIMARY KEY, profile_id INTEGER NOT NULL REFERENCES profiles,
      observer_id INTEGER NOT NULL REFERENCES observers,
      region_id INTEGER NOT NULL REFERENCES regions, since_ns INTEGER,
      was_inside_already INTEGER NOT NULL, until_ns INTEGER, duration_ns INTEGER,
      last_seen_ns INTEGER, sightings INTEGER, grade TEXT, why TEXT,
      first_capture_id INTEGER, first_frame INTEGER, last_capture_id INTEGER, last_frame INTEGER,
      nearest_ns INTEGER, nearest_m REAL, nearest_min_m REAL, nearest_max_m REAL,
      nearest_transmitter_id INTEGER REFERENCES transmitters);
    CREATE TABLE states (
      id INTEGER PRIMARY KEY, profile_id INTEGER NOT NULL REFERENCES profiles,
      observer_id INTEGER NOT NULL REFERENCES observers,
      region_id INTEGER NOT NULL REFERENCES regions, state TEXT NOT NULL);
    -- Spans of a region's state over time as the bars show them: state is inside, outside, deaf or
    -- unknown. Main profile only, of the first thousand regions.
    CREATE TABLE spans (
      id INTEGER PRIMARY KEY, observer_id INTEGER NOT NULL REFERENCES observers,
      region_id INTEGER NOT NULL REFERENCES regions, from_ns INTEGER NOT NULL,
      to_ns INTEGER NOT NULL, state TEXT NOT NULL);
    -- id is the order; event the 16 digits; title one line in words; json the line of `events`.
    CREATE TABLE events (
      id INTEGER PRIMARY KEY, event TEXT NOT NULL, type TEXT NOT NULL, time_ns INTEGER,
      observer_id INTEGER REFERENCES observers, region_id INTEGER REFERENCES regions,
      profile_id INTEGER REFERENCES profiles, transmitter_id INTEGER REFERENCES transmitters,
      state TEXT, grade TEXT, title TEXT NOT NULL, json TEXT NOT NULL);
    CREATE INDEX events_by_event ON events (event);
    CREATE TABLE alerts (
      id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES events,
      severity TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, plugin TEXT NOT NULL,
      plugin_version TEXT NOT NULL, plugin_sha256 TEXT NOT NULL, dedupe_key TEXT NOT NULL,
      held_back INTEGER NOT NULL, fields TEXT NOT NULL);
    -- Events that an alert cites.
    CREATE TABLE citations (
      id INTEGER PRIMARY KEY, alert_id INTEGER NOT NULL REFERENCES alerts, event TEXT NOT NULL);
    -- What decided an event: a frame of a capture, or a line of a track (number). words: who sent it,
    -- when, how strong. marks: JSON [[name, first byte, bytes], ...] in the frame's bytes. Both only where
    -- the frame is kept.
    CREATE TABLE evidence (
      id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES events,
      capture_id INTEGER REFERENCES captures, file_id INTEGER REFERENCES files,
      number INTEGER NOT NULL, words TEXT, marks TEXT);
    CREATE INDEX evidence_by_event ON evidence (event_id);
    -- The chain of `explain`, step by step, of every alert and of the first events; text is NULL where
    -- the evidence stands.
    CREATE TABLE steps (
      id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES events, label TEXT NOT NULL,
      text TEXT);
    CREATE INDEX steps_by_event ON steps (event_id);
    -- The cited frames' own bytes, of the same events. link_type: as `info` numbers it (187, 251 ... of
    -- pcap; 1001, 1002, 2001 of btsnoop; NULL for PacketLogger). tag: what btsnoop (flags) and PacketLogger
    -- (type) keep outside the bytes; direction: received or sent, NULL where not known; original_bytes:
    -- more than the bytes where the recorder cut the packet.
    CREATE TABLE frames (
      id INTEGER PRIMARY KEY, capture_id INTEGER NOT NULL REFERENCES captures,
      frame INTEGER NOT NULL, time_ns INTEGER, link_type INTEGER, rssi INTEGER, address TEXT,
      bytes BLOB NOT NULL, tag INTEGER, direction TEXT, original_bytes INTEGER,
      UNIQUE (capture_id, frame));
    -- Where observers were, 20 000 at most, evenly. source: track or capture; number: line or frame.
    CREATE TABLE fixes (
      id INTEGER PRIMARY KEY, source TEXT NOT NULL, observer_id INTEGER REFERENCES observers,
      file_id INTEGER REFERENCES files, capture_id INTEGER REFERENCES captures,
      number INTEGER NOT NULL, time_ns INTEGER, latitude REAL NOT NULL, longitude REAL NOT NULL,
      accuracy_m REAL);

    """

  /// What is drawn: samples in bins of equal width, and how far they reach.
  private static let drawn = """
    -- Sightings of a beacon in a bin; the median is exact. gap: between sightings of one device by one
    -- observer that ended in the bin.
    CREATE TABLE signal_bins (
      id INTEGER PRIMARY KEY, beacon_id INTEGER NOT NULL REFERENCES beacons,
      from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL, sightings INTEGER NOT NULL,
      rssi_min INTEGER, rssi_median INTEGER, rssi_max INTEGER, gap_median_ms REAL);
    CREATE INDEX signal_bins_by_beacon ON signal_bins (beacon_id);
    CREATE TABLE telemetry_bins (
      id INTEGER PRIMARY KEY, beacon_id INTEGER NOT NULL REFERENCES beacons,
      from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL, count INTEGER NOT NULL,
      battery_min_mv INTEGER, battery_median_mv INTEGER, battery_max_mv INTEGER,
      temperature_min_c REAL, temperature_median_c REAL, temperature_max_c REAL);
    CREATE INDEX telemetry_bins_by_beacon ON telemetry_bins (beacon_id);
    -- Ranging lists of the main profile at moments apart by the same time. place: 1 is the nearest; the
    -- nearest ones only, others: how many more there were.
    CREATE TABLE ranging (
      id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL,
      observer_id INTEGER NOT NULL REFERENCES observers,
      region_id INTEGER NOT NULL REFERENCES regions, place INTEGER NOT NULL,
      transmitter_id INTEGER NOT NULL REFERENCES transmitters, proximity TEXT NOT NULL,
      accuracy_m REAL, accuracy_min_m REAL, accuracy_max_m REAL, rssi REAL,
      others INTEGER NOT NULL);
    CREATE INDEX ranging_by_region ON ranging (region_id);

    """
}
