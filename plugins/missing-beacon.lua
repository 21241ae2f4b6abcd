-- A beacon that is expected, and was never heard.
--
-- What is expected are the site's regions (--site, --regions, --region): one for each beacon, or for
-- what has to be heard of somewhere. Each counts as heard from its first sighting on, however weak.
-- What is missing is told after a while, for people who wait, and again at the end. Of one that is heard
-- first and falls silent later `beacon-silent` tells.
--
-- Where the list names addresses (`shelf=ibeacon:…:1:7,address=c2:…`), one that is there and sends something else
-- is told as that, not as missing; and of one that is missing who sends what it is to send, perhaps in its place.
--
-- Only time counts in which a radio is known to have listened. It is not known to where its scan was switched off
-- or its capture stopped, between two captures, where nothing was recorded or the clock was set, nor where it heard
-- nobody for more than half a minute; who scans for devices on a list alone does not listen for others. Where a
-- controller filters duplicates it may hear nobody for long: there steps of the clock alone are left out. Of a radio
-- that listens a part of the time, by the windows of its scan, that part counts. Where no beacon was heard at all, and
-- where it was listened for less than a minute, that is said.
--
-- A restart with --state remembers what was heard, and does not tell the same again within a day.

plugin { version = "1.2", about = "Expected beacons that were never heard" }

local filters = require "beacontrace.filters"
local listening = require "beacontrace.listening"
local words = require "beacontrace.words"

local wait = option "after_s" {
  default = 600, min = 1, help = "tell what is missing after listening for so many seconds, not only at the end",
}
-- Hearing nobody for longer, a radio may be deaf. What was listened for less tells little.
local PAUSE, LITTLE = 30, 60

-- Names of the site's regions; of those that were heard, and of those that were told missing.
local expected, begun, missing = {}, 0, 0
state.save("heard")
state.save("told")
state.heard, state.told = state.heard or {}, state.told or {}
local heard, told = state.heard, state.told
-- By address, then id: whose regions have been looked up. Begun anew when there are very many.
local seen, many = {}, 0
-- What is known to be off, by observer; nothing of one that listens. For how many seconds somebody listened, and up
-- to when that is counted; nil while nobody does. The part of the time that the radios listen that do, and whether one
-- of them filters duplicates.
local off, listened, counted, share, filtered = {}, 0, nil, 1, false
-- For how many seconds scans may have been on. Whether anybody was heard, and whether what is missing was told.
local open, has_heard, is_told = 0, false, false
-- By name: what is sent from the address that the list has for it; who sends what it is to send.
local instead, replaced = {}, {}
-- Whose identities say who they are.
local NAMES = { ibeacon = true, altbeacon = true, ["eddystone-uid"] = true, ["eddystone-url"] = true }

-- Somebody is heard, or something else says that it was listened until now.
local function reach(time)
  if not counted or time <= counted then return end
  local passed = time - counted
  if filtered or passed <= PAUSE / share then listened = listened + passed * share end
  counted, open = time, open + passed
end

-- Who listens now, and how much of the time.
local function look_around(time)
  local listens, most, one_filters = false, 0, false
  for observer, reasons in pairs(off) do
    if not reasons.scan and not reasons.capture and not reasons.recording then
      listens, most = true, math.max(most, listening.share(observer) or 1)
      one_filters = one_filters or filters.is_on(observer)
    end
  end
  reach(time)
  if not listens then
    counted = nil
    return
  end
  counted = counted and math.max(counted, time) or time
  share, filtered = most, one_filters
end

on("observer", function(e)
  if e.what == "lost" then return end
  local reasons = off[e.observer] or {}
  off[e.observer] = reasons
  if e.what == "capture_off" or e.what == "capture_on" then
    reasons.capture = e.what == "capture_off"
  elseif e.what == "recording_off" or e.what == "recording_on" then
    -- In another capture the scan may have been switched on between.
    reasons.recording, reasons.capture, reasons.scan = e.what == "recording_off", nil, nil
  else
    reasons.scan = e.what ~= "scan_on" or e.hears_listed_only
  end
  look_around(e.time)
end)

-- Nothing was recorded before it, or the clock was set: nobody knows for how long it listened.
on("clock", function(e) counted = counted and math.max(counted, e.time) end)

on("start", function(e)
  expected, begun, missing = e.beacon_regions, e.time, 0
  counted = e.time
  if #expected == 0 then
    remark("nothing was judged: there is no list of what is expected: declare regions with --site or --region")
  end
  for _, name in ipairs(expected) do
    if not heard[name] then missing = missing + 1 end
  end
end)

-- What it sends in place of what it is to send, in short.
local function sent(s, planned)
  local uuid, major, minor = (planned.id or ""):match("^(.+):(%d+):(%d+)$")
  if s.kind ~= "ibeacon" or planned.kind ~= "ibeacon" or uuid ~= s.uuid then return s.id end
  local is_swapped = s.major == tonumber(minor) and s.minor == tonumber(major)
  return ("%d:%d%s"):format(s.major, s.minor, is_swapped and " (major and minor swapped)" or "")
end

-- Somebody sends from an address that the list has for one that was not heard.
local function note_instead(s)
  for _, planned in ipairs(regions_at(s)) do
    local is_alike, known = planned.kind == s.kind, instead[planned.region]
    if planned.kind and not heard[planned.region] and (not known or is_alike and not known.is_alike) then
      instead[planned.region] = {
        is_alike = is_alike, sends = sent(s, planned), capture = s.capture, frame = s.frame,
      }
    end
  end
  -- What the list has with this address is no replacement of another one.
  for _, planned in ipairs(#regions_of(s) == 0 and regions_like(s) or {}) do
    replaced[planned.region] = replaced[planned.region]
      or { address = s.address, capture = s.capture, frame = s.frame }
  end
end

-- A sentence for each of a list, of which something is known, and where that stands.
local function sentences_of(names, known, form, key, evidence)
  local sentences, count = {}, 0
  for _, name in ipairs(names) do
    local it = known[name]
    if it then
      count = count + 1
      if count <= 10 then
        sentences[count] = form:format(name, it[key])
        evidence[#evidence + 1] = { capture = it.capture, frame = it.frame }
      end
    end
  end
  if count > 10 then sentences[11] = (" So with %d more."):format(count - 10) end
  return table.concat(sentences)
end

local function title_of(names, wrong, how)
  if #names == 1 then return ("%s was %s"):format(names[1], how) end
  if #names > 1 then return ("%d of %d expected beacons were %s"):format(#names, #expected, how) end
  if #wrong == 1 then return ("%s is there, but sends %s"):format(wrong[1], instead[wrong[1]].sends) end
  return ("%d of %d expected beacons send something else"):format(#wrong, #expected)
end

-- How long was it listened?
local function span_of(all_time)
  if not has_heard then
    return (" in %s. No beacon at all was heard: whether it was listened is not known."):format(
      words.duration(all_time))
  end
  local text = words.duration(listened)
  if all_time - listened >= 1 then text = ("%s of listening (of %s)"):format(text, words.duration(all_time)) end
  return (" in %s.%s"):format(text, listened < LITTLE and " That is little: who sends seldom may be there." or "")
end

local function tell(now, how)
  local names, wrong = {}, {}
  for _, name in ipairs(expected) do
    if not heard[name] then
      local list = instead[name] and wrong or names
      list[#list + 1] = name
      told[name] = true
    end
  end
  local all = table.concat(names, ", ")
  local listed = all
  if #names > 30 then
    listed = table.concat(names, ", ", 1, 30) .. (" and %d more"):format(#names - 30)
  end
  local evidence = {}
  local others = sentences_of(wrong, instead, " %s is there, but sends %s: set it again.", "sends", evidence)
    .. sentences_of(names, replaced, " What %s is to send comes from %s: if it was replaced, put that address "
      .. "into the list.", "address", evidence)
  local is_listed = #names > 1 or #names == 1 and #wrong > 0
  alert {
    severity = has_heard and "warning" or "notice",
    title = title_of(names, wrong, how),
    text = ("%d of %d expected beacons were heard%s%s%s"):format(
      #expected - #names - #wrong, #expected, span_of(now - begun),
      is_listed and " Missing: " .. listed .. "." or "", others),
    dedupe_key = how .. "\n" .. all .. "\n" .. table.concat(wrong, ", "),
    once_per = 86400,
    evidence = #evidence > 0 and evidence or nil,
    fields = {
      expected = #expected, heard = #expected - #names - #wrong, missing = all,
      sending_others = table.concat(wrong, ", "), listened_s = listened,
    },
  }
end

-- Not in the name of who happens to be heard.
local function tell_soon()
  is_told = true
  after(0.001, function(now)
    if missing > 0 then tell(now, "not heard yet") end
  end)
end

-- Somebody who was not heard before, or not with this identity.
local function meet(s)
  for _, name in ipairs(regions_of(s)) do
    if not heard[name] then
      heard[name], missing = true, missing - 1
      if told[name] then
        told[name] = nil
        alert {
          severity = "info", title = name .. " is heard after all", region = name, evidence = s,
        }
      end
    end
  end
  if NAMES[s.kind] then note_instead(s) end
end

on("sighting", function(s)
  if missing == 0 then return end
  local id, address, time = s.id, s.address or "", s.time
  has_heard = true
  if time then reach(time) end
  if not is_told and listened >= wait then tell_soon() end
  local of_address = seen[address]
  if of_address and of_address[id] then return end
  if many == 5000 then seen, many, of_address = {}, 0, nil end
  if not of_address then
    of_address = {}
    seen[address] = of_address
  end
  of_address[id], many = true, many + 1
  meet(s)
end)

-- Who waits is told, too, where nobody is heard.
after(wait, function(now)
  if has_heard or missing == 0 or not counted then return end
  is_told = true
  tell(now, "not heard yet")
end)

on("finish", function(e)
  if missing == 0 then return end
  reach(e.time)
  if open >= 1 then return tell(e.time, "never heard") end
  remark("nothing was judged: no radio listened for all that is on the air")
end)
