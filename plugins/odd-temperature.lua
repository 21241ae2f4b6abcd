-- A beacon measures a temperature that cannot be right, or that is far from those of the others.
--
-- Eddystone telemetry, encrypted too where its key is given. Beyond what a coin cell and a radio are made for is told
-- wherever it is, and what is far from the middle of the others that the same receiver heard in the same quarter of an
-- hour: a sensor that failed, a beacon behind glass in the sun, or one that was put into the wrong room. Where the
-- others differ much among themselves, as those of a house and its yard do, it has to be farther from them. Fewer than
-- five others say nothing. Who measures nothing says so; some send 0 °C instead, so exactly that is not compared.
--
-- Sensors that are to be cold or hot, as those of freezers, are left out by how their names, ids or addresses begin.
-- It is looked once a minute, so that the first of a round has others to be compared with. Telemetry has no identity:
-- it goes by the name that the site has for its address, or for what else that sends.

plugin { version = "1.0", about = "A temperature that cannot be right, or is far from that of others" }

local stats = require "beacontrace.stats"

local below = option "below_c" { default = -20, min = -128, max = 128, help = "tell below so many °C" }
local above = option "above_c" { default = 50, min = -128, max = 128, help = "tell above so many °C" }
local apart = option "apart_c" {
  default = 15, min = 1, max = 256, help = "tell so many °C from the middle of the others at the same receiver",
}
local except = option "except" {
  default = "", help = "leave out beacons whose name in the list, id or address begins so; several between commas",
}
local hours = option "once_per_h" { default = 24, min = 0.01, help = "tell of one beacon once in so many hours" }

-- So many others are needed; readings count for so long, and it is looked so often, in seconds.
local OTHERS, LASTS, PERIOD = 5, 900, 60
-- Others that differ among themselves: so many times what lies between their quarters.
local SPREADS = 3
local STAYS = { public = true, random_static = true, public_identity = true, random_identity = true }
local IDENTITIES = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-eid-resolved" }

-- By address: who it is, and what the site calls it. Begun anew when there are very many.
local known, many, has_list = {}, 0, false
-- By observer, then by device or address: its latest reading.
local readings, count = {}, 0

on("start", function(e) has_list = #e.regions > 0 end)

local exceptions = {}
for beginning in except:gmatch("[^,]+") do
  exceptions[#exceptions + 1] = beginning:match("^%s*(.-)%s*$")
end

local function is_excepted(...)
  for _, text in ipairs { ... } do
    for _, beginning in ipairs(exceptions) do
      if beginning ~= "" and text:sub(1, #beginning) == beginning then return true end
    end
  end
  return false
end

on("sighting", { kind = IDENTITIES }, function(s)
  local address = s.address
  if not address then return end
  local who = known[address]
  if who and (who.is_named or who.id == s.id) then return end
  local is_named = not has_list or #regions_of(s) > 0
  if who and not is_named then return end
  if not who and many == 5000 then known, many = {}, 0 end
  many = who and many or many + 1
  known[address] = { id = s.id, name = name_of(s), is_named = is_named }
end)

-- What it is called, and what else may be said for it in `except`.
local function names_of(s)
  local who, address = known[s.address or ""], s.address
  local planned = has_list and regions_at(s.device or address or "")[1]
  local name = s.device or who and who.is_named and who.name or planned and planned.region
    or who and who.name or address or "a beacon"
  return name, who and who.id or address or "", address or ""
end

local function tell(s, why, fields)
  local name, id, address = names_of(s)
  if is_excepted(name, id, address) then return end
  fields.temperature_c, fields.battery_mv = s.temperature_c, s.battery_mv
  alert {
    title = ("%s measures %.1f °C"):format(name, s.temperature_c),
    text = why .. (name ~= address and address ~= "" and " Its address is " .. address .. "." or ""),
    dedupe_key = s.device or STAYS[s.address_type] and address or id,
    once_per = hours * 3600,
    evidence = s,
    about = s,
    observer = s.observer,
    fields = fields,
  }
end

-- What is usual: the middle of all, and from how far on one is far from it. nil of few.
local function usual_of(all)
  if #all <= OTHERS then return nil end
  local spread = stats.quantile(all, 0.75) - stats.quantile(all, 0.25)
  return { count = #all, middle = stats.median(all), far = math.max(apart, SPREADS * spread) }
end

local function judge(s, usual)
  local degrees = s.temperature_c
  if degrees < below then return tell(s, ("That is below %g °C."):format(below), { limit_c = below }) end
  if degrees > above then return tell(s, ("That is above %g °C."):format(above), { limit_c = above }) end
  if not usual or degrees == 0 or math.abs(degrees - usual.middle) < usual.far then return end
  tell(s, ("The middle of %d at %s is %.1f °C."):format(usual.count, s.observer, usual.middle), {
    beacons = usual.count, middle_c = usual.middle,
  })
end

local function judge_receiver(of, now)
  local keys = {}
  for key, reading in pairs(of) do
    if now - reading.time > LASTS then
      of[key], count = nil, count - 1
    else
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, function(a, b)
    local one, other = of[a], of[b]
    if one.time ~= other.time then return one.time < other.time end
    return a < b
  end)
  local all = {}
  for _, key in ipairs(keys) do
    local degrees = of[key].sighting.temperature_c
    -- Who has no sensor often says 0.
    if degrees ~= 0 then all[#all + 1] = degrees end
  end
  local usual = usual_of(all)
  for _, key in ipairs(keys) do
    local reading = of[key]
    if reading.is_new then judge(reading.sighting, usual) end
    reading.is_new = false
  end
end

local function judge_all(now)
  local observers = {}
  for observer in pairs(readings) do observers[#observers + 1] = observer end
  table.sort(observers)
  for _, observer in ipairs(observers) do judge_receiver(readings[observer], now) end
end

on("telemetry", { kind = { "eddystone-tlm", "eddystone-etlm-opened" } }, function(s)
  local key = s.device or s.address
  if not key or not s.time or not s.temperature_c then return end
  local of = readings[s.observer] or {}
  if not of[key] then
    -- Addresses that change: what was heard until now is judged first.
    if count == 5000 then
      judge_all(s.time)
      readings, count, of = {}, 0, {}
    end
    count = count + 1
  end
  readings[s.observer] = of
  of[key] = { time = s.time, sighting = s:copy(), is_new = true }
end)

every(PERIOD, judge_all)
on("finish", function(e) judge_all(e.time) end)
