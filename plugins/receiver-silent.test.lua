-- More with several receivers is in Tests/CLI.
local A = "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7"
local ADDRESS = "c2:35:33:30:25:50"

local function heard(from, to)
  return { at = from, ["until"] = to, every = 1, ibeacon = A, address = ADDRESS }
end

test "a scan that is switched off is told, and that it is back" {
  sightings = { heard(0, 59), { at = 60, scan = "off" }, { at = 300, scan = "on" }, heard(301, 400) },
  alerts = {
    { at = 180, severity = "warning", title = "test does not listen",
      text = "Its scan was switched off at 00:01:00 UTC, and for 2 min 00 s since then it has not been "
        .. "on again." },
    { at = 301, severity = "info", title = "test hears beacons again",
      text = "It was deaf for 4 min 01 s, since 00:01:00 UTC." },
  },
}

test "a short pause is none" {
  sightings = { heard(0, 59), { at = 60, scan = "off" }, { at = 150, scan = "on" }, heard(151, 200) },
  alerts = {},
}

test "how long is an option" {
  options = { after_s = 30 },
  sightings = { heard(0, 59), { at = 60, scan = "off" }, { at = 150, scan = "on" }, heard(151, 200) },
  alerts = { { at = 90, title = "test does not listen" }, { at = 151 } },
}

test "a single receiver that hears nobody may stand where nobody is" {
  sightings = { heard(0, 59), heard(600, 700) },
  alerts = {},
}

test "who hears beacons although the scan is said to be off is not deaf" {
  sightings = { heard(0, 59), { at = 60, scan = "off" }, heard(61, 400) },
  alerts = {},
}

-- Somebody who is no beacon.
local function phone(observer, from, to)
  return {
    at = from + 0.6, ["until"] = to + 0.6, every = 1, manufacturer = 76, data = "1005011c3a2b4c", observer = observer,
  }
end

test "a receiver that goes on hearing phones is not deaf" {
  sightings = {
    heard(0, 59), phone("test", 0, 400),
    { at = 0, ["until"] = 400, every = 1, ibeacon = A, address = ADDRESS, observer = "store" },
  },
  alerts = {},
}

test "that others go on hearing phones tells of one that hears nobody" {
  sightings = { heard(0, 59), phone("store", 0, 400), phone("test", 300, 400) },
  alerts = {
    { severity = "warning", title = "test hears nobody", observer = "test",
      text = "It heard somebody at 00:00:59 UTC the last time, 2 min 00 s ago; store has gone on hearing others." },
    { severity = "info", title = "test hears others again" },
  },
}

test "between two captures nothing is known, whatever the last command of the first was" {
  sightings = {
    heard(0, 59), { at = 60, scan = "off" }, { at = 60.1, recording = "off" },
    { at = 86400, recording = "on" }, heard(86401, 86500),
  },
  alerts = {},
}

test "a scan that was off before a capture ended was off for as long as was recorded" {
  sightings = {
    heard(0, 59), { at = 60, scan = "off" }, { at = 260, recording = "off" },
    { at = 86400, recording = "on" }, heard(86410, 86500),
  },
  alerts = {
    { at = 180, title = "test does not listen" },
    { at = 86410, title = "test hears beacons again", fields = { deaf_s = 210 },
      text = "It was deaf for 3 min 30 s, since 2026-01-01 00:01:00 UTC; for 23 h 55 min nothing was "
        .. "recorded." },
  },
}

local function stored(from, to)
  return { at = from, ["until"] = to, every = 1, ibeacon = A, address = ADDRESS, observer = "store" }
end

test "where others heard beacons between two captures it is told, and for how long" {
  sightings = {
    heard(0, 59), { at = 60, recording = "off" }, { at = 260, recording = "on" }, heard(261, 300), stored(0, 300),
  },
  alerts = {
    { at = 260, severity = "warning", title = "test was not recorded",
      text = "Its recording ended at 00:01:00 UTC, and the next one began 3 min 20 s later; store went on "
        .. "hearing others." },
    { at = 261, severity = "info", title = "test hears beacons again", fields = { deaf_s = 1 } },
  },
}

test "that the scan was off when the capture before ended is said" {
  sightings = {
    heard(0, 59), { at = 60, scan = "off" }, { at = 60.1, recording = "off" }, { at = 260.1, recording = "on" },
    heard(260.5, 300), stored(0, 300),
  },
  alerts = {
    { at = 260.1, severity = "warning", title = "test did not listen",
      text = "Its scan was switched off and its recording ended at 00:01:00 UTC, and the next one began "
        .. "3 min 20 s later; store went on hearing others." },
    { at = 260.5, severity = "info", title = "test hears beacons again",
      text = "Nothing was recorded for 3 min 20 s, since 00:01:00 UTC, and its scan was off when the recording "
        .. "ended." },
  },
}

test "that others go on for some minutes behind the last capture may be their clocks" {
  sightings = { heard(0, 59), { at = 60, recording = "off" }, stored(0, 600) },
  alerts = {},
}

test "where they go on for longer it is told, by whose clock, and that the scan had been off" {
  options = { ended_after_s = 300 },
  sightings = {
    heard(0, 59), { at = 60, scan = "off" }, { at = 90, recording = "off" }, stored(0, 600),
  },
  alerts = {
    { at = 390, severity = "warning", title = "test does not listen",
      text = "Its scan was switched off at 00:01:00 UTC, and its recording ended at 00:01:30 UTC, 5 min 00 s ago "
        .. "by the clock of store, which has gone on hearing others ('beacontrace clocks' tells whether their "
        .. "clocks agree)." },
  },
}

test "a scan that filters duplicates is told once a day, and that nobody is heard then says nothing" {
  sightings = {
    heard(0, 300),
    { at = 0, scan = "on", filters_duplicates = true, observer = "store" },
    { at = 0, ["until"] = 50, every = 1, ibeacon = A, address = ADDRESS, observer = "store" },
    { at = 200, scan = "on", filters_duplicates = true, observer = "store" },
    { at = 290, scan = "on", observer = "store" },
  },
  alerts = {
    { at = 0, severity = "warning", title = "store filters duplicates", observer = "store",
      text = "Its scan was begun at 00:00:00 UTC with the controller's duplicate filter: who was heard once "
        .. "is told of seldom, or no more. Silences, exits, intervals and signals there say little. Begin it "
        .. "without the filter.",
      fields = { filters_duplicates = true, hears_listed_only = false } },
  },
}

test "a scan for devices on a list is told" {
  sightings = { { at = 10, scan = "on", hears_listed_only = true }, heard(11, 20) },
  alerts = {
    { at = 10, title = "test hears only whom it is told to",
      text = "Its scan was begun at 00:00:10 UTC for devices on the controller's list, or that its filter passes, "
        .. "alone: that others are not heard says nothing. Begin it for all." },
  },
}

test "whose scans are to be limited says so" {
  options = { limited_scans = false },
  sightings = { { at = 10, scan = "on", filters_duplicates = true }, heard(11, 20) },
  alerts = {},
}
