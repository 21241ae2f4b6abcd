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

-- Somebody who is no beacon.
local PHONE = { at = 0.6, ["until"] = 200.6, every = 1, manufacturer = 76, data = "1005011c3a2b4c" }

test "where hardly anybody but phones is heard it was listened all the same" {
  regions = { REGIONS[1], REGIONS[2] },
  options = { after_s = 120 },
  sightings = { { at = 0, ["until"] = 10, every = 1, ibeacon = A, address = A_ADDRESS }, PHONE },
  alerts = {
    { title = "shelf 2 was not heard yet" },
    { title = "shelf 2 was never heard", text = "1 of 2 expected beacons were heard in 3 min 21 s." },
  },
}

test "that no beacon was heard at all is said where others were" {
  regions = { REGIONS[1] },
  options = { after_s = 0 },
  sightings = { PHONE },
  alerts = {
    { severity = "warning", title = "shelf 1 was never heard",
      text = "0 of 1 expected beacons were heard in 3 min 21 s. No beacon at all was heard, though others were." },
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

test "where no beacon was heard at all, and others were, it was listened" {
  regions = { REGIONS[1], REGIONS[2] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 90, every = 5, manufacturer = 0x0059, data = "0102", address = A_ADDRESS },
  },
  alerts = {
    { severity = "warning", title = "2 of 2 expected beacons were not heard yet" },
    { at = 90, severity = "warning", title = "2 of 2 expected beacons were never heard",
      text = "0 of 2 expected beacons were heard in 1 min 30 s. No beacon at all was heard, though others were. "
        .. "Missing: shelf 1, shelf 2." },
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

local UID = "a1b2c3d4e5f60718293a:00000000012a"
local BOTH = {
  "mix ib=ibeacon:" .. A .. ",address=" .. A_ADDRESS, "mix uid=eddystone:" .. UID .. ",address=" .. A_ADDRESS,
}

test "one line of a device that is there with its other one is missing, and it is not to be set again" {
  regions = BOTH,
  sightings = { { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS } },
  alerts = {
    { at = 90, title = "mix uid was never heard, though its device was",
      text = "1 of 2 expected beacons were heard in 1 min 30 s. The device of mix uid is there: mix ib is heard from "
        .. "it.",
      fields = { missing = "mix uid", sending_others = "" }, evidence = { 0 } },
  },
}

test "where it sends what no line has of it, too, that is told" {
  regions = BOTH,
  sightings = {
    { at = 0, ["until"] = 90, every = 1, ibeacon = A, address = A_ADDRESS },
    { at = 1, ["until"] = 90, every = 2, eddystone = "a1b2c3d4e5f60718293a:00000000012b", address = A_ADDRESS },
  },
  alerts = {
    { at = 90, title = "mix uid is there, but sends a1b2c3d4e5f60718293a:00000000012b", evidence = { 1 } },
  },
}

test "a line that lays down a part of what a device sends makes nothing right" {
  regions = {
    "shelf 2=ibeacon:" .. B .. ",address=" .. B_ADDRESS, "shelves=ibeacon:" .. UUID .. ",address=" .. B_ADDRESS,
  },
  sightings = { { at = 0, ["until"] = 90, every = 1, ibeacon = UUID .. ":9:1", address = B_ADDRESS } },
  alerts = { { at = 90, title = "shelf 2 is there, but sends 9:1 (major and minor swapped)" } },
}

test "of whom telemetry alone is heard, or an EID of no key, is there" {
  regions = { BOTH[2], "locator=eid:locator,address=" .. B_ADDRESS, REGIONS[1] },
  sightings = {
    { at = 0, key = "locator", address = "e7:0d:5c:31:9a:42" },
    { at = 0, ["until"] = 90, every = 10, eddystone_tlm = { battery_mv = 2900 }, address = A_ADDRESS },
    { at = 1, ["until"] = 90, every = 10, eddystone_tlm = { battery_mv = 2900 }, address = B_ADDRESS },
    { at = 2, ["until"] = 90, every = 10, eid = "0011223344556677", address = B_ADDRESS },
    { at = 3, ["until"] = 90, every = 1, ibeacon = A, address = "c7:00:00:00:00:01" },
  },
  alerts = {
    { at = 90, title = "2 of 3 expected beacons were never heard",
      text = "1 of 3 expected beacons were heard in 1 min 30 s. Missing: locator, mix uid. The device of locator is "
        .. "there: an EID that no key makes is heard from it. The device of mix uid is there: telemetry is heard from "
        .. "it.",
      evidence = { 2, 0 } },
  },
}

local LEFT_OUT = "of their devices other frames were heard, by receivers alone that filter duplicates: what these "
  .. "leave out is not known"

test "of whose device a filter passes on another frame nothing is known, whatever that is" {
  regions = { BOTH[1], BOTH[2], "shelf 2=ibeacon:" .. B .. ",address=" .. B_ADDRESS },
  options = { after_s = 60 },
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 1, ["until"] = 90, every = 30, ibeacon = A, address = A_ADDRESS },
    { at = 2, ["until"] = 90, every = 30, ibeacon = UUID .. ":9:1", address = B_ADDRESS },
  },
  alerts = {},
  print = { "not judged: mix uid, shelf 2: " .. LEFT_OUT },
}

test "beside one that is missing that is said" {
  regions = { BOTH[1], BOTH[2], REGIONS[3] },
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 1, ["until"] = 90, every = 30, eddystone_tlm = { battery_mv = 2900 }, address = A_ADDRESS },
  },
  alerts = {
    { at = 61, title = "shelf 3 was never heard",
      fields = { heard = 0, missing = "shelf 3", not_judged = "mix ib, mix uid" },
      text = "0 of 3 expected beacons were heard in 1 min 01 s. Not judged: mix ib, mix uid (" .. LEFT_OUT .. ")." },
  },
}

test "where a receiver without a filter hears it, too, it is judged" {
  regions = { "shelf 2=ibeacon:" .. B .. ",address=" .. B_ADDRESS },
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true },
    { at = 1, ibeacon = UUID .. ":9:1", address = B_ADDRESS },
    { at = 20, scan = "on" },
    { at = 21, ["until"] = 90, every = 1, ibeacon = UUID .. ":9:1", address = B_ADDRESS },
  },
  alerts = { { at = 90, title = "shelf 2 is there, but sends 9:1 (major and minor swapped)", evidence = { 21 } } },
}

test "who sends what another one is to send has a line of his own, and took nobody's place" {
  regions = {
    "shelf 1=ibeacon:" .. A .. ",address=" .. A_ADDRESS, "shelf 2=ibeacon:" .. B .. ",address=" .. B_ADDRESS,
  },
  sightings = { { at = 0, ["until"] = 90, every = 1, ibeacon = B, address = A_ADDRESS } },
  alerts = {
    { at = 90, title = "shelf 2 was never heard",
      text = "0 of 2 expected beacons were heard in 1 min 30 s. Missing: shelf 2. shelf 1 is there, but sends 1:9: "
        .. "set it again." },
  },
}

test "a receiver that begins later has its time, too" {
  regions = { REGIONS[1], REGIONS[2], REGIONS[3] },
  options = { after_s = 60 },
  sightings = {
    { at = 0, ["until"] = 150, every = 1, ibeacon = A, address = A_ADDRESS, observer = "hall" },
    { at = 50, ["until"] = 150, every = 1, ibeacon = A, address = A_ADDRESS, observer = "yard" },
    { at = 90, ["until"] = 150, every = 1, ibeacon = B, address = B_ADDRESS, observer = "yard" },
  },
  alerts = { { at = 110, title = "shelf 3 was not heard yet" }, { at = 150, title = "shelf 3 was never heard" } },
}

test "of sites that are walked in turn it is told at the end alone" {
  regions = { REGIONS[1], REGIONS[2], REGIONS[3] },
  options = { after_s = 0 },
  sightings = {
    { at = 0, ["until"] = 900, every = 1, ibeacon = A, address = A_ADDRESS, observer = "berlin" },
    { at = 7200, ["until"] = 8100, every = 1, ibeacon = B, address = B_ADDRESS, observer = "bonn" },
  },
  alerts = { { at = 8100, title = "shelf 3 was never heard" } },
}

-- Beacons of a long list: `count` of them, and what hears each for the first time at `at(number)`.
local function many(count, at)
  local regions, sightings = {}, {}
  for number = 1, count do
    local address = ("c2:00:00:00:00:%02x"):format(number)
    regions[number] = ("bay %02d=ibeacon:%s:2:%d"):format(number, UUID, number)
    local first = at(number)
    if first then
      sightings[#sightings + 1] = {
        at = first, ["until"] = 400, every = 1, ibeacon = UUID .. ":2:" .. number, address = address,
      }
    end
  end
  return regions, sightings
end

local BAYS, IN_TURN = many(40, function(number) return number == 1 and 0 or number < 40 and 100 + number end)

test "of many that are heard after all one line tells, behind the first; long lists say where all of it is" {
  regions = BAYS,
  options = { after_s = 60 },
  sightings = IN_TURN,
  alerts = {
    { at = 60, title = "39 of 40 expected beacons were not heard yet",
      text = "1 of 40 expected beacons were heard in 1 min 00 s. Missing: bay 02, bay 03, bay 04, bay 05, bay 06, "
        .. "bay 07, bay 08, bay 09, bay 10, bay 11, bay 12, bay 13, "
        .. "bay 14, bay 15, bay 16, bay 17, bay 18, bay 19, bay 20, "
        .. "bay 21, bay 22, bay 23, bay 24, bay 25, bay 26, bay 27, bay 28, bay 29, bay 30, bay 31 and 9 more (the "
        .. "alert's field missing has all). Where sites are walked in turn, the option after_s=0 tells at the end "
        .. "alone." },
    { at = 102, severity = "info", title = "bay 02 is heard after all", evidence = { 102 } },
    { at = 162, severity = "info", title = "37 beacons are heard after all",
      evidence = { 103, 104, 105, 106, 107, 108, 109, 110, 111, 112 } },
    { at = 400, title = "bay 40 was never heard" },
  },
}

local FEW, TWO_LATER = many(3, function(number) return number * 10 - 10 end)

test "as many names stand in the text as the option says, and what waits to be told is told at the end" {
  regions = FEW,
  options = { after_s = 5, names = 1 },
  sightings = { TWO_LATER[1], TWO_LATER[2], { at = 13, ibeacon = UUID .. ":2:3", address = "c2:00:00:00:00:03" } },
  alerts = {
    { at = 5, text = "1 of 3 expected beacons were heard in 5 s. That is little: who sends seldom may be there. "
      .. "Missing: bay 02 and 1 more (the alert's field missing has all)." },
    { at = 10, title = "bay 02 is heard after all" },
    { at = 15, title = "bay 03 is heard after all", region = "bay 03", evidence = { 13 } },
  },
}
