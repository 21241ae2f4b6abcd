-- Somebody, or something, comes into a region while the site is closed, or is still there at closing time.
--
-- Hours are those of the site's clocks: set `zone`, or they are UTC. A region whose beacons hang on the
-- wall is never empty: watch regions of what people carry, or of rooms that whoever carries the radio
-- walks into. What is inside when the recording begins counts as come then.
--
-- A clock that says a time before 2000 was never set: what hour it is nobody knows, which is remarked, and nothing is
-- told. Whoever is inside when it is set counts as there since then.
--
-- Where no capture of the observer goes on nobody knows whether a stay does, and nothing is told.
--
-- A controller that filters duplicates makes exits of who stays: within an hour he has not been away.
--
-- Each stay is told once for each time that the site is closed, of one region once an hour: who is heard
-- badly comes and goes. A restart with --state knows who is inside and what has been told.

plugin { version = "1.3", about = "Presence while the site is closed" }

local words = require "beacontrace.words"

local opens = option "opens" { default = "08:00", help = "when the site opens, on its clocks" }
local closes = option "closes" { default = "18:00", help = "when it closes; before it opens: at night" }
local days = option "days" {
  default = "mon tue wed thu fri", help = "days on which it opens; all other time is closed",
}
local zone = option "zone" { default = "UTC", help = "time zone, such as Europe/Berlin" }
local region = option "region" { default = "", type = "region", help = "one region alone" }
local grace = option "grace_s" {
  default = 900, min = 0, help = "so long after closing whoever is inside may still leave, in seconds",
}

local NAMES = { "sun", "mon", "tue", "wed", "thu", "fri", "sat" }

local function minutes(name, text)
  local hour, minute = text:match("^(%d%d?):(%d%d)$")
  hour, minute = tonumber(hour), tonumber(minute)
  if not hour or hour > 24 or minute > 59 or hour * 60 + minute > 1440 then
    error(("option '%s' is '%s': write it as 18:00"):format(name, text), 0)
  end
  return hour * 60 + minute
end

-- A zone that does not exist is told before anything is read.
utc_offset(0, zone)
local from, to = minutes("opens", opens), minutes("closes", closes)
local is_day = {}
for word in days:lower():gmatch("%a+") do
  local found
  for number, name in ipairs(NAMES) do
    if word:sub(1, 3) == name then is_day[number], found = true, true end
  end
  if not found then
    error(("option 'days': '%s' is no day: write mon tue wed thu fri sat sun"):format(word), 0)
  end
end

state.save("inside")
state.inside = state.inside or {}
-- By observer and region: who is inside. The event that began it is not saved: another run cannot cite it.
local inside, begun = state.inside, {}
-- Observers of which no capture goes on.
local ended = {}

-- Whether the clock was never set: it counts from its start then. 2000-01-01T00:00:00Z.
local YEAR_2000 = 946684800

local function is_unset(time)
  if time >= YEAR_2000 then return false end
  remark("the clock says a time before 2000 and was not set: hours are not known, and nothing is judged until it is")
  return true
end

-- The site's clock at a time, as a table of os.date; and in minutes of its day.
local function clock(time)
  local at = os.date("*t", math.floor(time) + utc_offset(time, zone))
  return at, at.hour * 60 + at.min + at.sec / 60
end

-- Whether the site is open. Hours that go past midnight belong to the day on which they begin.
local function is_open(time)
  local at, minute = clock(time)
  if from <= to then return is_day[at.wday] and minute >= from and minute < to or false end
  local before = (at.wday + 5) % 7 + 1
  return is_day[at.wday] and minute >= from or is_day[before] and minute < to or false
end

-- The date, too, and how far the clock is from UTC then: when it is set back it shows an hour twice.
local function moment(time)
  local at, offset = clock(time), utc_offset(time, zone)
  local text = ("On %04d-%02d-%02d at %02d:%02d"):format(at.year, at.month, at.day, at.hour, at.min)
  if zone == "UTC" then return text .. " UTC" end
  local span = math.abs(offset) // 60
  local from_utc = offset == 0 and "UTC" or ("UTC%s%d%s"):format(
    offset < 0 and "-" or "+", span // 60, span % 60 == 0 and "" or (":%02d"):format(span % 60))
  return ("%s (%s, %s)"):format(text, zone, from_utc)
end

local function tell(stay, key, time, title)
  stay.told = true
  alert {
    severity = "warning",
    title = title .. stay.region .. " after hours",
    text = ("%s, inside since %s."):format(moment(time), words.clock(stay.since, time)),
    region = stay.region,
    observer = stay.observer,
    evidence = begun[key],
    dedupe_key = key,
    once_per = 3600,
    fields = { since = utc(stay.since) },
  }
end

local function begin(e, title)
  if region ~= "" and e.region ~= region then return end
  local key = e.observer .. "\n" .. e.region
  begun[key] = e
  local stay = inside[key]
  if stay then
    stay.unsure = nil
    return
  end
  stay = { region = e.region, observer = e.observer, since = e.time }
  inside[key] = stay
  -- Who may have been there all along is told like those who are, when it is late enough.
  stay.unproved = e.entry_doubt == "may_never_have_left"
  if is_unset(e.time) then return end
  if not is_open(e.time) and not stay.unproved then tell(stay, key, e.time, title) end
end

on("observer", { what = { "recording_off", "recording_on" } }, function(e)
  ended[e.observer] = e.what == "recording_off"
end)

-- Who is inside when the recording begins, or when the radio can hear again, was not seen to come.
on("enter", function(e) begin(e, e.entry_doubt and "Somebody is in " or "Somebody came into ") end)
on("state", { state = "inside" }, function(e) begin(e, "Somebody is in ") end)

on("exit", function(e)
  local key = e.observer .. "\n" .. e.region
  local stay = inside[key]
  if stay and e.duplicates_filtered_s then
    stay.unsure = e.time
    return
  end
  inside[key], begun[key] = nil, nil
end)

every(60, function(now)
  if is_unset(now) then return end
  local open = is_open(now)
  for key, stay in pairs(inside) do
    if stay.since < YEAR_2000 then stay.since, stay.unproved = now, true end
    if stay.unsure and now - stay.unsure > 3600 then
      inside[key], begun[key] = nil, nil
    elseif open then
      stay.told = nil
    elseif not stay.told and now - (stay.unsure or now) < 60 and not ended[stay.observer]
      and not is_open(now - grace) then
      tell(stay, key, now, stay.unproved and "Somebody is in " or "Somebody is still in ")
    end
  end
end)

on("start", function(e)
  for key, stay in pairs(inside) do
    local ok, where = pcall(region_state, stay.region, stay.observer)
    if not ok or where == "outside" or stay.since > e.time then inside[key] = nil end
  end
end)
