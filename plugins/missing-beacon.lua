-- A beacon that is expected, and was never heard.
--
-- What is expected are the site's regions (--site, --regions, --region): one for each beacon, or for
-- what has to be heard of somewhere. Each counts as heard from its first sighting on, however weak.
-- What is missing is told after a while, for people who wait, and again at the end. Of one that is heard
-- first and falls silent later `beacon-silent` tells.
--
-- Where the list names addresses (`shelf=ibeacon:…:1:7,address=c2:…`), one that is there and sends something else
-- is told as that, not as missing; and of one that is missing who sends what it is to send, perhaps in its place.
-- A device with several lines in the list may have ceased to send one of them: that line is missing, and it is said
-- what else is heard of the device, so where telemetry alone is. A controller that filters duplicates may pass on one
-- frame of a device and leave out another: of who was heard by such receivers alone, and with other frames, it is not
-- known what it sends.
--
-- Where sites are walked in turn what the others have is not missing at the first: `after_s=0` tells at the end alone.
-- A receiver that begins later has its time to hear what is there: until then nothing is told. What is heard after all
-- is told at once of the first, and of those that follow together.
--
-- Only time counts in which a radio is known to have listened. It is not known to where its scan was switched off
-- or its capture stopped, between two captures, where nothing was recorded or the clock was set, nor where it heard
-- nobody, beacon or not, for more than half a minute; who scans for devices on a list alone does not listen for others.
-- Where a controller filters duplicates it may hear nobody for long: there steps of the clock alone are left out. Of a
-- radio that listens a part of the time, by the windows of its scan, that part counts. Where no beacon was heard at
-- all, and where it was listened for less than a minute, that is said.
--
-- A restart with --state remembers what was heard, and does not tell the same again within a day.

plugin { version = "1.4", about = "Expected beacons that were never heard" }

local filters = require "beacontrace.filters"
local listening = require "beacontrace.listening"
local words = require "beacontrace.words"

local wait = option "after_s" {
  default = 600, min = 0,
  help = "tell what is missing after listening for so many seconds, not only at the end; 0: only at the end, as of "
    .. "sites that are walked in turn",
}
local shown = option "names" {
  default = 30, type = "integer", min = 1,
  help = "so many names of a list stand in the text; the alert's field `missing`, which explain shows, has all",
}
-- Hearing nobody for longer, a radio may be deaf. What was listened for less tells little.
local PAUSE, LITTLE = 30, 60
-- Who is no beacon is known so many seconds later.
local LAG = 3
-- So many of a list have a sentence and evidence of their own. For so long what is heard after all is told together.
local EACH, TOGETHER = 10, wait > 0 and wait or 600

-- Names of the site's regions; of those that were heard, and of those that were told missing.
local expected, begun, missing = {}, 0, 0
state.save("heard")
state.save("told")
state.heard, state.told = state.heard or {}, state.told or {}
local heard, told = state.heard, state.told
-- By address, then id: whose regions have been looked up, and whether of a sighting that was not filtered. Begun anew
-- when there are very many.
local seen, many = {}, 0
-- What is known to be off, by observer; nothing of one that listens. For how many seconds somebody listened, and up
-- to when that is counted; nil while nobody does. The part of the time that the radios listen that do, and whether one
-- of them filters duplicates.
local off, listened, counted, share, filtered = {}, 0, nil, 1, false
-- Who has heard somebody, and what was listened when the latest of them did for the first time.
local hears, fresh = {}, 0
-- For how many seconds scans may have been on. Whether anybody was heard, and a beacon, and whether what is missing was
-- told.
local open, has_heard, has_beacon, is_told = 0, false, false, false
-- By name: what is sent from the address that the list has for it and is not to be; what else is heard from there; the
-- same of filtering receivers alone; who sends what it is to send.
local instead, beside, unclear, replaced = {}, {}, {}, {}
-- Who was told missing and was heard since, and is told together; whether somebody was told so lately.
local late, is_late = {}, false
-- Whose identities say who they are.
local NAMES = { ibeacon = true, altbeacon = true, ["eddystone-uid"] = true, ["eddystone-url"] = true }

-- Somebody is heard, or something else says that it was listened until now.
local function reach(time)
  if not counted or time <= counted then return end
  local passed = time - counted
  if filtered or passed <= PAUSE / share then listened = listened + passed * share end
  counted, open = time, open + passed
end

local function is_listening(reasons) return not reasons.scan and not reasons.capture and not reasons.recording end

-- Who listens now, and how much of the time.
local function look_around(time)
  local listens, most, one_filters = false, 0, false
  for observer, reasons in pairs(off) do
    if is_listening(reasons) then
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

local TELEMETRY = { ["eddystone-tlm"] = true, ["eddystone-etlm"] = true, ["eddystone-etlm-opened"] = true }

-- What of a device is heard, `listed` being what the list calls that, beside `planned`, which is not. The higher the
-- rank the more that says.
local function heard_beside(s, planned, listed)
  if s.kind == "eddystone-eid" and planned.kind == "eddystone-eid-resolved" then
    return 4, "an EID that no key makes"
  end
  if listed then return 3, listed end
  if TELEMETRY[s.kind] then return 2, "telemetry" end
  return 1, "another frame"
end

-- What the list calls this frame of its device: by a line that lays down the whole of it, and by one that lays down a
-- part; nil where it has none such of it.
local function listed_as(s, all)
  local names, whole, part = {}, nil, nil
  for _, name in ipairs(regions_of(s)) do names[name] = true end
  for _, planned in ipairs(all) do
    if planned.kind and names[planned.region] then
      if planned.id then whole = whole or planned.region else part = part or planned.region end
    end
  end
  return whole, part
end

-- Somebody sends from an address that the list has for one that was not heard.
local function note_device(s, is_filtered)
  local all = regions_at(s)
  if #all == 0 then return end
  local whole, part = listed_as(s, all)
  for _, planned in ipairs(all) do
    local name = planned.region
    -- A part, as a UUID is, does not say that another one of its like is right.
    local is_alike, listed = planned.kind == s.kind, whole
    if not is_alike then listed = whole or part end
    if planned.kind and not heard[name] then
      if is_filtered then
        unclear[name] = true
      elseif NAMES[s.kind] and not listed then
        local known = instead[name]
        if not known or is_alike and not known.is_alike then
          instead[name] = { is_alike = is_alike, what = sent(s, planned), capture = s.capture, frame = s.frame }
        end
      else
        local rank, what = heard_beside(s, planned, listed)
        if rank > (beside[name] and beside[name].rank or 0) then
          beside[name] = { rank = rank, what = what, capture = s.capture, frame = s.frame }
        end
      end
    end
  end
end

-- What the list has with this address is no replacement of another one, nor is who has a line of his own there.
local function note_replacement(s)
  if #regions_of(s) > 0 or #regions_at(s) > 0 then return end
  for _, planned in ipairs(regions_like(s)) do
    replaced[planned.region] = replaced[planned.region]
      or { what = s.address, capture = s.capture, frame = s.frame }
  end
end

-- A sentence for each of a list, of which something is known, and where that stands.
local function sentences_of(names, known, form, evidence)
  local sentences, count = {}, 0
  for _, name in ipairs(names) do
    local it = known[name]
    if it then
      count = count + 1
      if count <= EACH then
        sentences[count] = form:format(name, it.what)
        evidence[#evidence + 1] = { capture = it.capture, frame = it.frame }
      end
    end
  end
  if count > EACH then sentences[EACH + 1] = (" So with %d more."):format(count - EACH) end
  return table.concat(sentences)
end

-- Names, as many as a text has.
local function some_of(names, field)
  if #names <= shown then return table.concat(names, ", ") end
  return ("%s and %d more (the alert's field %s has all)"):format(
    table.concat(names, ", ", 1, shown), #names - shown, field)
end

local function title_of(names, wrong, how)
  if #names == 1 then
    return ("%s was %s%s"):format(names[1], how, beside[names[1]] and ", though its device was" or "")
  end
  if #names > 1 then return ("%d of %d expected beacons were %s"):format(#names, #expected, how) end
  if #wrong == 1 then return ("%s is there, but sends %s"):format(wrong[1], instead[wrong[1]].what) end
  return ("%d of %d expected beacons send something else"):format(#wrong, #expected)
end

-- How long was it listened?
local function span_of(all_time)
  if not has_heard then
    return (" in %s. No beacon at all was heard: whether it was listened is not known."):format(
      words.duration(all_time))
  end
  local text = words.duration(listened)
  if all_time - listened >= LAG then text = ("%s of listening (of %s)"):format(text, words.duration(all_time)) end
  return (" in %s.%s%s"):format(text, has_beacon and "" or " No beacon at all was heard, though others were.",
    listened < LITTLE and " That is little: who sends seldom may be there." or "")
end

-- Who was not heard at all, or not with what the list has; whose device sends something else; of whom that is not
-- known, as what told of the device filters.
local function missing_now()
  local names, wrong, unknown = {}, {}, {}
  for _, name in ipairs(expected) do
    if not heard[name] then
      local list = instead[name] and wrong or unclear[name] and not beside[name] and unknown or names
      list[#list + 1] = name
    end
  end
  return names, wrong, unknown
end

local UNKNOWN = "of their devices other frames were heard, by receivers alone that filter duplicates: what these "
  .. "leave out is not known"

-- What is to be known about a list of who is missing.
local function sentences(names, wrong, unknown, how, evidence)
  local text = sentences_of(wrong, instead, " %s is there, but sends %s: set it again.", evidence)
    .. sentences_of(names, beside, " The device of %s is there: %s is heard from it.", evidence)
    .. sentences_of(names, replaced, " What %s is to send comes from %s: if it was replaced, put that address "
      .. "into the list.", evidence)
  if #unknown > 0 then text = ("%s Not judged: %s (%s)."):format(text, some_of(unknown, "not_judged"), UNKNOWN) end
  if how == "not heard yet" and #names > EACH and #names * 2 > #expected then
    text = text .. " Where sites are walked in turn, the option after_s=0 tells at the end alone."
  end
  return text
end

local function tell(now, how)
  local names, wrong, unknown = missing_now()
  if #names + #wrong == 0 then
    if how == "never heard" then remark(("not judged: %s: %s"):format(some_of(unknown, "not_judged"), UNKNOWN)) end
    return
  end
  for _, list in ipairs { names, wrong } do
    for _, name in ipairs(list) do told[name] = true end
  end
  local all, evidence = table.concat(names, ", "), {}
  local others = sentences(names, wrong, unknown, how, evidence)
  local is_listed = #names > 1 or #names == 1 and #wrong > 0
  local count = #expected - #names - #wrong - #unknown
  alert {
    severity = has_heard and "warning" or "notice",
    title = title_of(names, wrong, how),
    text = ("%d of %d expected beacons were heard%s%s%s"):format(
      count, #expected, span_of(now - begun),
      is_listed and " Missing: " .. some_of(names, "missing") .. "." or "", others),
    dedupe_key = how .. "\n" .. all .. "\n" .. table.concat(wrong, ", "),
    once_per = 86400,
    evidence = #evidence > 0 and evidence or nil,
    fields = {
      expected = #expected, heard = count, missing = all,
      sending_others = table.concat(wrong, ", "), not_judged = #unknown > 0 and table.concat(unknown, ", ") or nil,
      listened_s = listened,
    },
  }
end

-- Those that were heard after all since one of them was told.
local function tell_late()
  local names, evidence = {}, {}
  for number, it in ipairs(late) do
    names[number] = it.name
    if number <= EACH then evidence[number] = { capture = it.capture, frame = it.frame } end
  end
  late = {}
  if #names == 0 then return false end
  local is_one = #names == 1
  alert {
    severity = "info",
    title = is_one and names[1] .. " is heard after all" or ("%d beacons are heard after all"):format(#names),
    text = not is_one and some_of(names, "names") .. "." or nil,
    region = is_one and names[1] or nil,
    evidence = evidence,
    fields = { names = table.concat(names, ", ") },
  }
  return true
end

local function pause_late()
  is_late = true
  after(TOGETHER, function()
    is_late = false
    if tell_late() then pause_late() end
  end)
end

local function note_late(name, s)
  if is_late then
    late[#late + 1] = { name = name, capture = s.capture, frame = s.frame }
    return
  end
  pause_late()
  alert { severity = "info", title = name .. " is heard after all", region = name, evidence = s }
end

-- Not in the name of who happens to be heard.
local function tell_soon()
  is_told = true
  after(0.001, function(now)
    if missing > 0 then tell(now, "not heard yet") end
  end)
end

-- Somebody who was not heard before, or not with this identity.
local function meet(s, is_filtered)
  for _, name in ipairs(regions_of(s)) do
    if not heard[name] then
      heard[name], missing = true, missing - 1
      if told[name] then
        told[name] = nil
        note_late(name, s)
      end
    end
  end
  note_device(s, is_filtered)
  if NAMES[s.kind] then note_replacement(s) end
end

-- A receiver hears somebody.
local function hear(observer)
  has_heard = true
  if hears[observer] then return end
  if next(hears) then fresh = listened end
  hears[observer] = true
end

local function tell_if_due()
  if not is_told and wait > 0 and listened - fresh >= wait then tell_soon() end
end

-- Who is no beacon says, too, that it was listened.
every(1, function()
  if missing == 0 then return end
  local latest
  for observer, reasons in pairs(off) do
    local time = is_listening(reasons) and heard_anybody_at(observer)
    if time then
      latest = math.max(latest or time, time)
      hear(observer)
    end
  end
  if not latest then return end
  reach(latest)
  tell_if_due()
end)

on("sighting", function(s)
  if missing == 0 then return end
  local id, address, time = s.id, s.address or "", s.time
  has_beacon = true
  if time then reach(time) end
  hear(s.observer)
  tell_if_due()
  local is_filtered, of_address = filters.is_on(s.observer), seen[address]
  local known = of_address and of_address[id]
  if known or known == false and is_filtered then return end
  if many == 5000 then seen, many, of_address = {}, 0, nil end
  if not of_address then
    of_address = {}
    seen[address] = of_address
  end
  of_address[id], many = not is_filtered, many + 1
  meet(s, is_filtered)
end)

-- Who waits is told, too, where nobody is heard.
if wait > 0 then
  after(wait, function(now)
    if has_heard or missing == 0 or not counted then return end
    is_told = true
    tell(now, "not heard yet")
  end)
end

on("finish", function(e)
  tell_late()
  if missing == 0 then return end
  reach(e.time)
  if open >= 1 then return tell(e.time, "never heard") end
  remark("nothing was judged: no radio listened for all that is on the air")
end)
