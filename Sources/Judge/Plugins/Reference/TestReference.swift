/// What stands in `NAME.test.lua` beside `NAME.lua`.
enum TestReference {
  static let test = ReferenceFunction(
    "test", form: .nameThenTable,
    [ReferenceParameter("name", .string), ReferenceParameter("test", .record("test"))], .tests,
    "A test of the plugin beside the file: what is heard, and the alerts that must come of it. "
      + "`plugin test NAME.lua` runs it.",
    ReferenceExample(
      """
      local limit = option "below_mv" { default = 2400 }
      on("telemetry", { kind = "eddystone-tlm" }, function(s)
        if s.battery_mv and s.battery_mv < limit then
          state.count = (state.count or 0) + 1
          alert { title = "Battery low", evidence = s, dedupe_key = s.id, once_per = 3600 }
        end
      end)
      """,
      test: """
        test "warns once" {
          options = { below_mv = 2500 },
          sightings = {
            { at = 0, ["until"] = 300, every = 10, eddystone_tlm = { battery_mv = 2450 },
              address = "c2:35:33:30:25:50", rssi = -60 },
          },
          alerts = { { at = 0, severity = "warning", title = "Battery low", evidence = { 0 } } },
          finish = function(state) assert(state.count == 31) end,
        }
        """))

  static let records: [ReferenceRecord] = [record, sighting, telemetry, expected]

  static let record = ReferenceRecord(
    "test", written: true,
    "What `test` takes. Input is `sightings`, or `capture`, or `captures`.",
    [
      ReferenceField(
        "options", .values, optional: true, "Values of the plugin's options, as `--set` sets them."),
      ReferenceField("site", .string, optional: true, "A site file, beside the test."),
      ReferenceField(
        "regions", .list(.string), optional: true, "Further regions, each as `--region` has it."),
      ReferenceField(
        "keys", .list(.string), optional: true,
        "With `capture` or `captures`: keys, each as a line of `--keys` has it."),
      ReferenceField("profile", .string, optional: true, "Whose rules; left out: `site`."),
      ReferenceField(
        "set", .values, optional: true, "Numbers of the profile, such as `exit_after`."),
      ReferenceField(
        "sightings", .list(.record("test.sighting")), optional: true, "What is heard, in any order."
      ),
      ReferenceField("capture", .string, optional: true, "A recording, beside the test."),
      ReferenceField("captures", .list(.string), optional: true, "Several of them."),
      ReferenceField(
        "alerts", .list(.record("test.alert")),
        "All alerts in their order; only the keys that are written are compared."),
      ReferenceField(
        "print", .list(.string), optional: true,
        "All lines that are printed; `\\t` between the values of one."),
      ReferenceField(
        "errors", .integer, optional: true, "How many calls fail; left out: none may."),
      ReferenceField(
        "finish", .function([ReferenceParameter("state", .any)], returns: []), optional: true,
        "Called at the end with the plugin's `state`, whatever alerts came: for `assert`. One that returns false "
          + "does not hold, either."),
    ])

  static let sighting = ReferenceRecord(
    "test.sighting", written: true,
    "Something on the air; with `scan` something that the radio did, with `restart` the program.",
    [
      ReferenceField(
        "at", .number, "s",
        "From the beginning of the test, where the recording begins, and `every` and `after` count."
      ),
      ReferenceField("until", .number, "s", optional: true, "Repeated so long; with `every`."),
      ReferenceField("every", .number, "s", optional: true, "How often it is repeated."),
      ReferenceField(
        "observer", .string, optional: true,
        "The radio that hears it, or that does it; each has a recording of its own. Left out: `test`, "
          + "which is how the radio of a test is called."),
      ReferenceField(
        "address", .string, optional: true,
        "The advertiser; left out: one of its own for each entry of the list."),
      ReferenceField(
        "address_type", .words(["random", "public"]), optional: true, "Left out: `random`."),
      ReferenceField(
        "device", .string, optional: true,
        "In place of an address: one that the device's key of this name makes, another one each quarter of an "
          + "hour of `at`; the key itself is made up."),
      ReferenceField(
        "rssi", .integer, "dBm", optional: true,
        "How strong; left out: -60; 127: heard, and no strength is known."),
      ReferenceField("ibeacon", .string, optional: true, "`UUID:MAJOR:MINOR`."),
      ReferenceField("eddystone", .string, optional: true, "`NAMESPACE:INSTANCE`."),
      ReferenceField("url", .string, optional: true, "An Eddystone URL."),
      ReferenceField("eid", .string, optional: true, "16 hexadecimal digits."),
      ReferenceField(
        "altbeacon", .string, optional: true, "40 hexadecimal digits, or `ID1:ID2:ID3`."),
      ReferenceField(
        "key", .string, optional: true,
        "The Eddystone-EID that the beacon whose key has this name sends then: its clock says 1048576 s when the test "
          + "begins, and runs, and an EID lasts 1024 s. The key itself is made up."),
      ReferenceField(
        "clock_s", .integer, "s", optional: true,
        "With `key`: what the clock says at `at`, 0 to 2097152."),
      ReferenceField(
        "clock_stands", .boolean, optional: true,
        "With `key`: the clock stands still, as where one EID was recorded and is sent again; `false` without it."
      ),
      ReferenceField(
        "measured_power", .integer, "dBm", optional: true,
        "What an iBeacon or AltBeacon states of 1 m; left out: -59."),
      ReferenceField(
        "tx_power", .integer, "dBm", optional: true,
        "What an Eddystone states of 0 m; left out: -18."),
      ReferenceField(
        "eddystone_tlm", .record("test.telemetry"), optional: true, "Eddystone telemetry."),
      ReferenceField(
        "eddystone_etlm", .string, optional: true,
        "Encrypted telemetry: ciphertext, salt and check in 32 hexadecimal digits."),
      ReferenceField(
        "manufacturer", .integer, optional: true, "Manufacturer data of this company; with `data`."),
      ReferenceField(
        "service", .integer, optional: true, "Service data of this 16-bit UUID; with `data`."),
      ReferenceField("data", .string, optional: true, "Bytes in hexadecimal digits."),
      ReferenceField(
        "adv_data", .string, optional: true,
        "All advertising data, in hexadecimal digits: whatever else can be on the air."),
      ReferenceField("scan", .words(["on", "off"]), optional: true, "The radio begins or ceases."),
      ReferenceField(
        "filters_duplicates", .boolean, optional: true,
        "With `scan = \"on\"`: its duplicate filter is on. What that leaves out is not written."),
      ReferenceField(
        "hears_listed_only", .boolean, optional: true,
        "With `scan = \"on\"`: it hears only advertisers on its list."),
      ReferenceField(
        "radio_share", .number, optional: true,
        "With `scan = \"on\"`: which part of the time the radio listens, above 0 to 1; 1 without it. What it does not "
          + "hear is written all the same."),
      ReferenceField(
        "recording", .words(["on", "off"]), optional: true,
        "The capture ends, or another one of the same radio begins; what is sent between is in none."
      ),
      ReferenceField(
        "restart", .number, "s", optional: true,
        "The program is stopped, and started so much later with what `--state` kept; nobody hears what "
          + "is sent meanwhile. 0: at once."),
    ])

  static let telemetry = ReferenceRecord(
    "test.telemetry", written: true, "What Eddystone telemetry says.",
    [
      ReferenceField("battery_mv", .integer, "mV", optional: true, "Left out: not measured."),
      ReferenceField("temperature_c", .number, "°C", optional: true, "Left out: not measured."),
      ReferenceField("adv_count", .integer, optional: true, "Left out: 0."),
      ReferenceField("uptime_s", .number, "s", optional: true, "Left out: 0."),
      ReferenceField(
        "key", .string, optional: true,
        "Encrypted by the beacon whose key has this name: opened where its EID came from the same address."
      ),
    ])

  static let expected = ReferenceRecord(
    "test.alert", written: true, "An alert that must come. Keys that are left out may be anything.",
    [
      ReferenceField(
        "at", .number, "s", optional: true,
        "From the beginning of the test, or of the recording; ± 0.001."),
      ReferenceField(
        "severity", .words(["info", "notice", "warning", "critical"]), optional: true,
        "How bad."),
      ReferenceField("title", .string, optional: true, "The title."),
      ReferenceField("text", .string, optional: true, "The text."),
      ReferenceField("dedupe_key", .string, optional: true, "The key."),
      ReferenceField(
        "fields", .values, optional: true,
        "Its values; those that are written. Integers exactly; other numbers to a millionth of them, "
          + "but never more than 0.001 off."),
      ReferenceField(
        "held_back", .integer, optional: true, "How many were held back since the one before."),
      ReferenceField("region", .string, optional: true, "The region it is about."),
      ReferenceField("observer", .string, optional: true, "The observer it is about."),
      ReferenceField(
        "evidence", .list(.number), "s", optional: true,
        "When the frames were received that it cites, from the beginning of the test, in its order; ± 0.001. "
          + "`{}`: it cites none."),
    ])
}
