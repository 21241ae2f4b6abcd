local UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
local A, B = UUID .. ":1:7", UUID .. ":1:9"
local A_ADDRESS, B_ADDRESS = "c2:35:33:30:25:50", "e3:60:59:21:80:65"
local REGIONS = {
  "shelf 1=ibeacon:" .. A, "shelf 2=ibeacon:" .. B, "shelf 3=ibeacon:" .. UUID .. ":1:11",
  "door=address:d0:35:33:33:44:03", "yard=circle:52.52,13.405,50",
}

test "what is missing is told after a while, and at the end" {
  regions = REGIONS,
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 200, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 100, ["until"] = 200, every = 1, ibeacon = B, address = B_ADDRESS },
  },
  alerts = {
    { at = 60, severity = "warning", title = "3 of 4 expected beacons were not heard yet",
      text = "1 of 4 expected beacons were heard in 1 min 00 s. Missing: door, shelf 2, shelf 3.",
      fields = { expected = 4, heard = 1, missing = "door, shelf 2, shelf 3" } },
    { at = 100, severity = "info", title = "shelf 2 is heard after all" },
    { at = 200, severity = "warning", title = "2 of 4 expected beacons were never heard",
      fields = { heard = 2, missing = "door, shelf 3" } },
  },
}

test "a single one is named" {
  regions = { REGIONS[1], REGIONS[2] },
  sightings = { { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS } },
  alerts = {
    { at = 90, title = "shelf 2 was never heard",
      text = "1 of 2 expected beacons were heard in 1 min 30 s." },
  },
}

test "nothing is missing; one sighting does" {
  regions = { REGIONS[1], REGIONS[2], REGIONS[5] },
  sightings = {
    { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 50, ibeacon = B, address = B_ADDRESS, rssi = -99 },
  },
  alerts = {},
}

test "another device's is not the expected one" {
  regions = { REGIONS[1], "shelf 2=ibeacon:" .. B .. ",address=" .. B_ADDRESS },
  sightings = {
    { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 0, ["until"] = 90, every = 1, ibeacon = B, address = A_ADDRESS },
  },
  alerts = { { title = "shelf 2 was never heard" } },
}

test "without a list nothing is expected" {
  sightings = { { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS } },
  alerts = {},
  print = { "nothing was judged: there is no list of what is expected: declare regions with --site or --region" },
}

test "a restart remembers what was heard, and tells nothing twice" {
  regions = { REGIONS[1], REGIONS[2], REGIONS[3] },
  options = { after_s = 20 },
  sightings = {
    { at = 0, ["until"] = 30, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 0, ["until"] = 90, every = 1, ibeacon = B, address = B_ADDRESS },
    { at = 40.5, restart = 1 },
  },
  alerts = { { at = 20, title = "shelf 3 was not heard yet" }, { title = "shelf 3 was never heard" } },
}

test "nothing of it all is heard" {
  regions = { REGIONS[1], REGIONS[2] },
  sightings = {
    { at = 0, ["until"] = 90, every = 5, manufacturer = 0x0059, data = "0102", address = A_ADDRESS },
  },
  alerts = { { title = "2 of 2 expected beacons were never heard", fields = { heard = 0 } } },
}

test "time in which the scan is off does not count" {
  regions = { REGIONS[1], REGIONS[2], REGIONS[3] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 30, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 30.5, scan = "off" },
    { at = 130.5, scan = "on" },
    { at = 131, ["until"] = 200, every = 1, ibeacon = A, address = A_ADDRESS },
  },
  alerts = {
    { at = 160, title = "2 of 3 expected beacons were not heard yet",
      text = "1 of 3 expected beacons were heard in 1 min 00 s of listening (of 2 min 40 s). Missing: "
        .. "shelf 2, shelf 3." },
    { at = 200, title = "2 of 3 expected beacons were never heard", fields = { listened_s = 100 } },
  },
}

test "time between two captures does not count, and nothing is told in it" {
  regions = { REGIONS[1], REGIONS[2], REGIONS[3] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 30, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 30, recording = "off" },
    { at = 3456000, recording = "on" },
    { at = 3456000, ["until"] = 3456100, every = 1, ibeacon = A, address = A_ADDRESS },
  },
  alerts = {
    { at = 3456030, title = "2 of 3 expected beacons were not heard yet",
      text = "1 of 3 expected beacons were heard in 1 min 00 s of listening (of 40 d 00 h). Missing: "
        .. "shelf 2, shelf 3." },
    { at = 3456100, title = "2 of 3 expected beacons were never heard", fields = { listened_s = 130 } },
  },
}

test "what was heard in the first capture alone is not missing behind it" {
  regions = { REGIONS[1], REGIONS[2] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 30, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 30.5, recording = "off" },
    { at = 7200, recording = "on" },
    { at = 7210, ibeacon = B, address = B_ADDRESS },
    { at = 7300, ["until"] = 7400, every = 1, ibeacon = B, address = B_ADDRESS },
  },
  alerts = {},
}

local LISTED = {
  "shelf 1=ibeacon:" .. A .. ",address=" .. A_ADDRESS, "shelf 2=ibeacon:" .. B .. ",address=" .. B_ADDRESS,
  "shelf 3=ibeacon:" .. UUID .. ":1:11",
}

test "one that is there and sends something else is told as that" {
  regions = { LISTED[1], LISTED[2] },
  sightings = {
    { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 0, ["until"] = 90, every = 1, ibeacon = UUID .. ":9:1", address = B_ADDRESS },
    { at = 0.5, ["until"] = 90, every = 1, url = "https://example.com/", address = B_ADDRESS },
  },
  alerts = {
    { at = 90, title = "shelf 2 is there, but sends 9:1 (major and minor swapped)",
      text = "1 of 2 expected beacons were heard in 1 min 30 s. shelf 2 is there, but sends 9:1 (major and minor "
        .. "swapped): set it again.",
      fields = { expected = 2, heard = 1, missing = "", sending_others = "shelf 2" } },
  },
}

test "beside one that is missing, and until it is set again" {
  regions = LISTED,
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 90, every = 1, url = "https://example.com/", address = B_ADDRESS },
    { at = 0.5, ["until"] = 90, every = 1, ibeacon = A, address = B_ADDRESS },
    { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 80, ["until"] = 90, every = 1, ibeacon = B, address = B_ADDRESS },
  },
  alerts = {
    { at = 60, title = "shelf 3 was not heard yet",
      text = "1 of 3 expected beacons were heard in 1 min 00 s. Missing: shelf 3. shelf 2 is there, but sends 1:7: "
        .. "set it again." },
    { at = 80, title = "shelf 2 is heard after all" },
    { at = 90, title = "shelf 3 was never heard", fields = { sending_others = "" } },
  },
}

test "a scan for devices on a list alone is no listening" {
  regions = { REGIONS[1], REGIONS[2] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, scan = "on", hears_listed_only = true },
    { at = 0, ["until"] = 200, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 100, scan = "on" },
  },
  alerts = {
    { at = 160, title = "shelf 2 was not heard yet" },
    { at = 200, title = "shelf 2 was never heard",
      text = "1 of 2 expected beacons were heard in 1 min 40 s of listening (of 3 min 20 s)." },
  },
}

test "of one that is missing it is said who sends what it is to send" {
  regions = { LISTED[1], LISTED[2] },
  sightings = {
    { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 0, ["until"] = 90, every = 1, ibeacon = B, address = "e7:0d:5c:31:9a:42" },
  },
  alerts = {
    { at = 90, title = "shelf 2 was never heard",
      text = "1 of 2 expected beacons were heard in 1 min 30 s. What shelf 2 is to send comes from "
        .. "e7:0d:5c:31:9a:42: if it was replaced, put that address into the list.",
      evidence = { 0 } },
  },
}

test "what the list has with another address is no replacement" {
  regions = { LISTED[2], "copy of 2=ibeacon:" .. B .. ",address=e7:0d:5c:31:9a:42" },
  sightings = { { at = 0, ["until"] = 90, every = 1, ibeacon = B, address = "e7:0d:5c:31:9a:42" } },
  alerts = {
    { at = 90, title = "shelf 2 was never heard", text = "1 of 2 expected beacons were heard in 1 min 30 s." },
  },
}

test "time that was not recorded is no listening: neither a clock that was set, nor a pause of a few minutes" {
  regions = { REGIONS[1], REGIONS[2] },
  sightings = {
    { at = 0, ["until"] = 100, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 600, ["until"] = 700, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 7200, ["until"] = 7300, every = 1, ibeacon = A, address = A_ADDRESS },
  },
  alerts = {
    { at = 7300, title = "shelf 2 was never heard", fields = { listened_s = 300 },
      text = "1 of 2 expected beacons were heard in 5 min 00 s of listening (of 2 h 01 min)." },
  },
}

test "of a radio that listens a tenth of the time a tenth counts" {
  regions = { REGIONS[1], REGIONS[2] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, scan = "on", radio_share = 0.1 },
    { at = 0, ["until"] = 700, every = 50, ibeacon = A, address = A_ADDRESS },
  },
  alerts = {
    { at = 600, title = "shelf 2 was not heard yet" },
    { at = 700, text = "1 of 2 expected beacons were heard in 1 min 10 s of listening (of 11 min 40 s)." },
  },
}

test "a filter of duplicates makes long pauses, and steps of the clock are none of them" {
  regions = { REGIONS[1], REGIONS[2] },
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 0, ["until"] = 500, every = 250, ibeacon = A, address = A_ADDRESS },
    { at = 7200, ["until"] = 7300, every = 50, ibeacon = A, address = A_ADDRESS },
  },
  alerts = {
    { at = 7300, title = "shelf 2 was never heard",
      text = "1 of 2 expected beacons were heard in 10 min 00 s of listening (of 2 h 01 min)." },
  },
}

test "where it was listened for a few seconds that is said" {
  regions = { REGIONS[1], REGIONS[2] },
  sightings = { { at = 0, ["until"] = 20, every = 1, ibeacon = A, address = A_ADDRESS } },
  alerts = {
    { at = 20, text = "1 of 2 expected beacons were heard in 20 s. That is little: who sends seldom may be there." },
  },
}

test "where no beacon was heard at all nobody knows whether it was listened" {
  regions = { REGIONS[1], REGIONS[2] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 90, every = 5, manufacturer = 0x0059, data = "0102", address = A_ADDRESS },
  },
  alerts = {
    { at = 60, severity = "notice", title = "2 of 2 expected beacons were not heard yet" },
    { at = 90, severity = "notice", title = "2 of 2 expected beacons were never heard",
      text = "0 of 2 expected beacons were heard in 1 min 30 s. No beacon at all was heard: whether it was listened is "
        .. "not known. Missing: shelf 1, shelf 2." },
  },
}

test "where scans were for devices on a list alone nothing is judged" {
  regions = { REGIONS[1], REGIONS[2] },
  sightings = {
    { at = 0, scan = "on", hears_listed_only = true },
    { at = 0, ["until"] = 200, every = 1, ibeacon = A, address = A_ADDRESS },
  },
  alerts = {},
  print = { "nothing was judged: no radio listened for all that is on the air" },
}
