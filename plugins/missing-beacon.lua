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
-- Time in which no radio listened (scans switched off, captures stopped, none between two of them) does not
-- count: nobody could have been heard then. Neither does that of a scan for devices on a list alone.
--
-- A restart with --state remembers what was heard, and does not tell the same again within a day.

plugin { version = "1.1", about = "Expected beacons that were never heard" }

local words = require "beacontrace.words"

local wait = option "after_s" {
  default = 600, min = 1, help = "tell what is missing after so many seconds, not only at the end",
}

-- Names of the site's regions; of those that were heard, and of those that were told missing.
local expected, begun, missing = {}, 0, 0
state.save("heard")
state.save("told")
state.heard, state.told = state.heard or {}, state.told or {}
local heard, told = state.heard, state.told
-- By address, then id: whose regions have been looked up. Begun anew when there are very many.
local seen, many = {}, 0
-- What is known to be off, by observer; nothing of one that listens. Since when nobody listens, and how long
-- nobody did before that. Whether what is missing is due to be told once somebody has listened for longer.
local off, deaf_since, deaf, waits = {}, nil, 0, false
local tell_when_due
-- By name: what is sent from the address that the list has for it; who sends what it is to send.
local instead, replaced = {}, {}
-- Whose identities say who they are.
local NAMES = { ibeacon = true, altbeacon = true, ["eddystone-uid"] = true, ["eddystone-url"] = true }

local function listened(now)
  return now - begun - deaf - (deaf_since and now - deaf_since or 0)
end

local function does_anybody_listen()
  for _, reasons in pairs(off) do
    if not reasons.scan and not reasons.capture and not reasons.recording then return true end
  end
  return false
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
  local listens = does_anybody_listen()
  if listens and deaf_since then
    deaf, deaf_since = deaf + e.time - deaf_since, nil
    if waits then tell_when_due(e.time) end
  elseif not listens and not deaf_since then
    deaf_since = e.time
  end
end)

on("start", function(e)
  expected, begun, missing = e.beacon_regions, e.time, 0
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

on("sighting", function(s)
  if missing == 0 then return end
  local id, address = s.id, s.address or ""
  local of_address = seen[address]
  if of_address and of_address[id] then return end
  if many == 5000 then seen, many, of_address = {}, 0, nil end
  if not of_address then
    of_address = {}
    seen[address] = of_address
  end
  of_address[id], many = true, many + 1
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
end)

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

local function tell(now, how)
  if missing == 0 then return end
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
  local all_time, time = now - begun, listened(now)
  local how_long = words.duration(all_time)
  if all_time - time >= 1 then
    how_long = ("%s of listening (of %s)"):format(words.duration(time), how_long)
  end
  local evidence = {}
  local others = sentences_of(wrong, instead, " %s is there, but sends %s: set it again.", "sends", evidence)
    .. sentences_of(names, replaced, " What %s is to send comes from %s: if it was replaced, put that address "
      .. "into the list.", "address", evidence)
  local is_listed = #names > 1 or #names == 1 and #wrong > 0
  alert {
    severity = "warning",
    title = title_of(names, wrong, how),
    text = ("%d of %d expected beacons were heard in %s.%s%s"):format(
      #expected - #names - #wrong, #expected, how_long,
      is_listed and " Missing: " .. listed .. "." or "", others),
    dedupe_key = how .. "\n" .. all .. "\n" .. table.concat(wrong, ", "),
    once_per = 86400,
    evidence = #evidence > 0 and evidence or nil,
    fields = {
      expected = #expected, heard = #expected - #names - #wrong, missing = all,
      sending_others = table.concat(wrong, ", "), listened_s = time,
    },
  }
end

-- While nobody listens nothing becomes due.
function tell_when_due(now)
  local rest = wait - listened(now)
  waits = rest > 0.001 and deaf_since ~= nil
  if waits then return end
  if rest > 0.001 then after(math.max(1, rest), tell_when_due) else tell(now, "not heard yet") end
end

after(wait, tell_when_due)
on("finish", function(e) tell(e.time, "never heard") end)
