-- A tracker that nobody knows stays with the observer.
--
-- Trackers of Apple's Find My network, Samsung's SmartTag and Tile say what they are, not whose.
-- One that is heard for half an hour without a longer pause goes where the observer goes, or the
-- observer does not move: with a track (--track) think of the distance as well. A tracker that is
-- yours can be named as a region by its address. Trackers whose owner is near change their address
-- every quarter of an hour: they look like another one each time, and are not told.
--
-- Layouts: Heinrich and others, "Who Can Find My Devices?", 2021 (Find My: type 0x12, 25 bytes);
-- assigned numbers of the Bluetooth SIG (services 0xFD5A Samsung, 0xFEED Tile).

plugin { version = "1.1", about = "An unknown tracker that stays with the observer" }

local words = require "beacontrace.words"

local long = option "after_s" { default = 1800, min = 1, help = "so long with the observer, in seconds" }
local pause = option "pause_s" { default = 300, min = 1, help = "a pause that ends it, in seconds" }

decoder "findmy" {
  company = 0x004C,
  decode = function(ad, adv)
    -- Type 0x12 and 25 bytes: away from its owner, who is not near to answer for it.
    if #ad.data < 27 or ad.data:byte(1) ~= 0x12 or ad.data:byte(2) ~= 0x19 then return nil end
    return { id = adv.address, fields = { status = ad.data:byte(3) } }
  end,
}

decoder "smarttag" {
  service = 0xFD5A,
  decode = function(_, adv) return { id = adv.address, fields = {} } end,
}

decoder "tile" {
  service = 0xFEED,
  decode = function(_, adv) return { id = adv.address, fields = {} } end,
}

state.save("companions")
state.companions = state.companions or {}
-- By observer and id: since when, until when, how often. A restart with --state is a pause like others.
local companions = state.companions

-- Forgets those whose pause has been too long, and any of more than 5 000: addresses change.
local function forget(now)
  local kept = 0
  for key, companion in pairs(companions) do
    kept = kept + 1
    if kept > 5000 or math.abs(now - companion.last) > pause then companions[key] = nil end
  end
end

every(600, forget)

on("start", function(e)
  forget(e.time)
  -- An earlier run's frames cannot be cited.
  for _, companion in pairs(companions) do companion.first = nil end
end)

on("sighting", { decoder = { "findmy", "smarttag", "tile" } }, function(s)
  local time = s.time
  if not time then return end
  local key = s.observer .. "\n" .. s.id
  local companion = companions[key]
  if not companion or time - companion.last > pause then
    companion = { since = time, count = 0, first = { capture = s.capture, frame = s.frame } }
    companions[key] = companion
  end
  companion.last, companion.count = time, companion.count + 1
  if companion.told or time - companion.since < long then return end
  companion.told = true
  -- Yours, where a region of yours has it.
  if #regions_of(s) > 0 then return end
  alert {
    severity = "warning",
    title = ("A %s tracker has been near for %.0f minutes"):format(
      s.decoder, (time - companion.since) / 60),
    text = ("%s, heard %d times since %s."):format(s.address, companion.count, words.clock(companion.since, time)),
    evidence = companion.first and { companion.first, s } or s,
    fields = { address = s.address, sightings = companion.count, since = utc(companion.since) },
  }
end)
