local UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

local function crowd(count, last)
  local sightings = {}
  for number = 1, count do
    sightings[number] = {
      at = number / 100, ["until"] = last, every = 0.5, ibeacon = UUID .. ":1:" .. number,
      address = ("c2:35:33:30:25:%02x"):format(number), rssi = -55, measured_power = -59,
    }
  end
  return sightings
end

test "five tags where three are fine" {
  options = { more_than = 3, hold_s = 3 },
  sightings = crowd(5, 20),
  alerts = {
    { severity = "warning", title = "5 tags within 10 m in " .. UUID, fields = { tags = 5 } },
  },
}

test "three tags where three are fine" {
  options = { more_than = 3, hold_s = 3 },
  sightings = crowd(3, 20),
  alerts = {},
}

test "a crowd that is gone at once" {
  options = { more_than = 3, hold_s = 60 },
  sightings = crowd(5, 20),
  alerts = {},
}

test "a crowd that has been told is not told again behind a restart" {
  options = { more_than = 3, hold_s = 3 },
  sightings = { { at = 10, restart = 1 }, table.unpack(crowd(5, 20)) },
  alerts = { { severity = "warning" } },
}

test "nor is one forgotten that has just begun" {
  options = { more_than = 3, hold_s = 10 },
  sightings = { { at = 6, restart = 1 }, table.unpack(crowd(5, 20)) },
  alerts = { { severity = "warning" } },
}

test "a crowd of before a time without a capture is another one" {
  options = { more_than = 3, hold_s = 8 },
  sightings = {
    { at = 5, recording = "off" }, { at = 7200, recording = "on" }, table.unpack(crowd(5, 7220)),
  },
  -- Not at once: nobody knows of the two hours between.
  alerts = { { at = 7209, severity = "warning" } },
}

test "that a receiver filters duplicates is said" {
  sightings = {
    { at = 0, scan = "on", filters_duplicates = true }, { at = 1, ibeacon = UUID .. ":1:1" },
  },
  alerts = {},
  print = {
    "test filters duplicates: of who is there few have a distance, and crowds may not be told",
  },
}
