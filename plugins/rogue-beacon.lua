-- A beacon that the site does not know.
--
-- The site's list is its regions: give them with --site or --region. A beacon that lies in none of
-- them is told once; without any region there is no list, and nothing is told. With `uuid` (or an
-- Eddystone namespace) only beacons that claim to be the site's own are looked at.

plugin { version = "1.0", about = "A beacon that is not in the site's list" }

local recent = require "beacontrace.recent"

local claims = option "uuid" {
  default = "", help = "only beacons with this UUID or namespace",
}
local least = option "sightings" {
  default = 3, type = "integer", min = 1, help = "tell after as many sightings",
}

local has_list = false
-- By id: how often an unknown one was heard; false for one that is known, or told. Only to be quick:
-- begun anew when there are very many.
local seen, many = {}, 0
-- The same of unknown ones alone, for a run behind a restart with --state: its list may be another one.
local unknown = recent.map("unknown")

local function remember(id, count)
  if seen[id] == nil then
    if many == 5000 then seen, many = {}, 0 end
    many = many + 1
  end
  seen[id] = count
end

local function note(id, count)
  remember(id, unknown:set(id, count))
end

on("start", function(e)
  has_list = #e.regions > 0
  if not has_list then
    print("there is no list of the site's beacons: declare regions with --site or --region")
  end
end)

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  if not has_list then return end
  local id = s.id
  local count = seen[id]
  if count == false then return end
  if count == nil then
    local mine = claims == "" or (s.uuid or s.namespace or s.id1) == claims:lower()
    if not mine or #regions_of(s) > 0 then
      remember(id, false)
      return
    end
    count = unknown:get(id)
    if count == false then
      note(id, false)
      return
    end
  end
  count = (count or 0) + 1
  note(id, count < least and count)
  if count < least then return end
  alert {
    severity = "warning",
    title = "Unknown beacon " .. id,
    text = ("By what it sends it is of no region of the site; heard from %s at %s dBm."):format(
      s.address or "an unknown address", s.rssi or "?"),
    evidence = s,
  }
end)
