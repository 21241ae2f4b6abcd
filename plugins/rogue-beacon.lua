-- A beacon that the site does not know.
--
-- The site's list is its regions: give them with --site, --regions or --region. A beacon that lies in
-- none of them is told once; without any region there is no list, and nothing is told. With `uuid` (or
-- an Eddystone namespace) only beacons that claim to be the site's own are looked at.
--
-- A list with addresses (`shelf=ibeacon:…:1:7,address=c2:…`) tells copies, too: the same identity from
-- another address is another beacon, perhaps one that took its place; and one that the list has with another
-- identity is told by its name, for it is set wrongly. Addresses that devices change by themselves are taken as
-- one.
--
-- Eddystone-EIDs are not looked at: they change all the time, and one that no key of the site makes may be anybody's,
-- or that of one of its own whose key or clock is not right.
--
-- Whoever sends hundreds of invented identities hides others among them, and makes what is counted be forgotten. That
-- is told, once an hour; and what claims to be one of the list is counted beside all others, so that it is told however
-- many there are.

plugin { version = "1.3", about = "A beacon that is not in the site's list (no Eddystone-EIDs)" }

local recent = require "beacontrace.recent"

local claims = option "uuid" {
  default = "", help = "only beacons with this UUID or namespace",
}
local least = option "sightings" {
  default = 3, type = "integer", min = 1, help = "tell after as many sightings",
}

-- Addresses that a device keeps.
local STAYS = { public = true, random_static = true, public_identity = true, random_identity = true }

local flood = option "flood_per_minute" {
  default = 300, type = "integer", min = 1, help = "so many new unknown identities in a minute are a flood",
}

claims = claims:lower()

local has_list, claimed = false, false
-- By id, then address: true where nothing more is to be done. Only to be quick: begun anew when there
-- are very many.
local settled, many = {}, 0
-- By id: what the site calls the one with this identity that it knows.
local known = recent.map("known")
-- By id and address of those that are in no region: how often they were heard, false where that has been
-- told. For a run behind a restart with --state, too: its list may be another one.
local unknown = recent.map("unknown")
-- The same of those that have an identity or an address of the list: no others make them be forgotten.
local own = recent.map("own")
-- When each was counted last. One advertising event goes out on three channels, and a log may hold a
-- packet twice: that is one sighting.
local counted = recent.map("counted")
local ONE_EVENT = 0.02
-- The minute that goes on: since when, how many identities were new in it, and where the first of them was heard.
local minute = { new = 0 }

local function settle(id, address)
  if many == 5000 then settled, many = {}, 0 end
  many = many + 1
  settled[id] = settled[id] or {}
  settled[id][address] = true
end

on("start", function(e)
  has_list = #e.regions > 0
  if not has_list then
    remark("nothing was judged: there is no list of the site's beacons: declare regions with --site or --region")
  end
end)

-- What it sends in place of what it is to send, in short.
local function sent(s, planned)
  local uuid, major, minor = (planned.id or ""):match("^(.+):(%d+):(%d+)$")
  if s.kind ~= "ibeacon" or planned.kind ~= "ibeacon" or uuid ~= s.uuid then return s.id end
  local is_swapped = s.major == tonumber(minor) and s.minor == tonumber(major)
  return ("%d:%d%s"):format(s.major, s.minor, is_swapped and " (major and minor swapped)" or "")
end

-- One that the list has, by its address, with another identity of the kind; nil for any other.
local function planned_at(s)
  for _, planned in ipairs(regions_at(s)) do
    if planned.kind == s.kind then return planned end
  end
  return nil
end

local function tell(s)
  local id, copied, planned = s.id, known:get(s.id), planned_at(s)
  local like, title, text, replaces = regions_like(s)[1]
  if planned then
    title = copied and ("%s sends what %s does"):format(planned.region, copied)
      or ("%s sends %s"):format(planned.region, sent(s, planned))
    text = ("By the site's list %s is %s%s: set it again"):format(
      s.address, planned.region, planned.id and ", which is to send " .. planned.id or "")
  elseif copied then
    title, text = "Another device sends what " .. copied .. " does", "The site's list has it with another address"
  elseif like then
    replaces = like.region
    title = ("Another device sends what %s is to send"):format(replaces)
    text = ("The site's list has it with %s: if that was replaced, put the new address into the list"):format(
      like.address)
  else
    title, text = "Unknown beacon " .. id, "By its identity and address it is of no region of the site"
  end
  alert {
    severity = "warning", title = title, evidence = s,
    text = ("%s; heard from %s at %s dBm."):format(text, s.address or "an unknown address", s.rssi or "?"),
    fields = {
      id = id, address = s.address, planned = planned and planned.region, replaces = replaces,
    },
  }
end

-- Counts an identity that was not known before.
local function note_new(s)
  if not s.time then return end
  if not minute.since or s.time - minute.since >= 60 or s.time < minute.since then
    minute = { since = s.time, new = 0, first = { capture = s.capture, frame = s.frame } }
  end
  minute.new = minute.new + 1
  if minute.new ~= flood then return end
  alert {
    severity = "warning",
    title = ("%d unknown beacons within a minute"):format(minute.new),
    text = ("%d identities that are in no region of the site, and were not heard before, in %.0f s: somebody invents "
      .. "them, and others may hide among them; or many come by; or damaged packets are read (--keep-bad-crc, or a "
      .. "sniffer that does not say)."):format(minute.new, s.time - minute.since),
    evidence = { minute.first, s }, dedupe_key = "flood", once_per = 3600,
  }
end

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  if not has_list then return end
  local id, address = s.id, s.address or ""
  local of_id = settled[id]
  if of_id and of_id[address] then return end
  local mine = claims == "" or (s.uuid or s.namespace or s.id1) == claims
  if not mine then return settle(id, address) end
  claimed = true
  if #regions_of(s) > 0 then
    settle(id, address)
    known:set(id, name_of(s))
    return
  end
  local key = id .. "\n" .. (STAYS[s.address_type] and address or "")
  local counts = (known:get(id) or planned_at(s) or regions_like(s)[1]) and own or unknown
  local count = counts:get(key)
  if count == false then return settle(id, address) end
  local last = s.time and counted:get(key)
  if last and s.time >= last and s.time - last < ONE_EVENT then return end
  counted:set(key, s.time)
  if not count and counts == unknown then note_new(s) end
  count = (count or 0) + 1
  counts:set(key, count < least and count)
  if count < least then return end
  settle(id, address)
  tell(s)
end)

on("finish", function()
  if has_list and claims ~= "" and not claimed then
    remark(("nothing was judged: nobody was heard with the UUID or namespace '%s'"):format(claims))
  end
end)
