-- What a beacon says of its own strength cannot be right: distances from it are wrong, too.
--
-- iBeacon and AltBeacon state the strength at one metre: small devices have -40 to -75 dBm there, set
-- to send very strongly or weakly some have more or less. Below -100 and above -20 dBm nothing is right,
-- and no distance is made of it; these are the limits here. Eddystone states the strength at the antenna,
-- 41 dB more. A beacon that is heard much louder than it can be was set up wrongly, or is an imitation: at
-- ten centimetres a signal is about 20 dB stronger than at one metre, at three about 30 dB.
--
-- Beacons of one UUID are mostly of one make and set up alike. One that states something else, by far, than
-- the others is mentioned (`info`): perhaps it was forgotten when they were set up. Of eight others one may be as
-- odd as it is, of sixteen two: nobody forgets one alone.

plugin { version = "1.3", about = "A measured power that cannot be right" }

local recent = require "beacontrace.recent"

local lowest = option "lowest_at_1m" {
  default = -100, type = "integer", min = -128, max = 0, help = "dBm at one metre, at least",
}
local highest = option "highest_at_1m" {
  default = -20, type = "integer", min = -100, max = 20, help = "dBm at one metre, at most",
}
local louder = option "louder_db" {
  default = 30, min = 3, max = 100, help = "louder than at one metre by so much cannot be",
}

local differs = option "differs_db" {
  default = 6, min = 1, max = 100, help = "by so much it differs from the others of its UUID",
}
local others = option "others" {
  default = 4, type = "integer", min = 1, help = "so many others of the UUID have to be known",
}

-- By kind, id and power: what has been told, and is not told again behind a restart with --state; false
-- for what has been heard and is fine.
local told = recent.map("told")

-- By kind, id and power: what was told as another power than its like, and is not told again.
local odd = recent.map("odd")

-- By kind and id: the power that it was counted with last, and among which of the makes.
local states = recent.map("states")

-- By kind and UUID, namespace or first id: how many ids there are, and by power stated how many state it,
-- with the first of them, for when enough others are known.
local makes = recent.map("makes", 500)
local FEW = 16

on("start", function()
  for _, make in makes:each() do
    for _, power in pairs(make.powers) do
      -- An earlier version kept the first alone.
      if power.name then
        power.first, power.name = { { name = power.name, told = power.told } }, nil
      end
      -- An earlier run's frames cannot be cited.
      for _, one in ipairs(power.first) do one.capture, one.frame = nil, nil end
    end
  end
end)

local function tell(s, key, why)
  told:set(key, true)
  alert {
    severity = "notice",
    title = ("Implausible power of %s"):format(name_of(s)),
    text = why,
    evidence = s,
    fields = { measured_power = s.measured_power, tx_power = s.tx_power, rssi = s.rssi },
  }
end

-- The powers of a make in groups, between which there are gaps as large as one would be odd by.
local function groups(make)
  local numbers, list = {}, {}
  for number in pairs(make.powers) do numbers[#numbers + 1] = number end
  table.sort(numbers)
  for at, number in ipairs(numbers) do
    if at == 1 or number - numbers[at - 1] >= differs then list[#list + 1] = { ids = 0 } end
    local group = list[#list]
    group[#group + 1], group.ids = number, group.ids + make.powers[number].ids
  end
  return list
end

local function tell_odd(make, number, one, far)
  local all, alike = make.ids - 1, make.powers[number].ids
  one.told = true
  if one.key then odd:set(one.key, true) end
  alert {
    severity = "info",
    title = ("%s states another power than its like"):format(one.name),
    text = ("It states %d dBm; of the %d others of its UUID or namespace that were heard so far %s at least "
      .. "%g dB more or less."):format(number, all, far == all and "all state" or far .. " state", differs)
      .. (alike > FEW and (" %d state it."):format(alike) or ""),
    evidence = one.frame and { capture = one.capture, frame = one.frame },
    fields = { power = number, others = all },
  }
end

-- Tells of each id whose power is far from that of nearly all others: of those that are kept, and of the newest one.
local function compare(make, newest)
  local all = make.ids - 1
  if all < others then return end
  for _, group in ipairs(groups(make)) do
    for _, number in ipairs(group.ids - 1 <= all // 8 and group or {}) do
      for _, one in ipairs(make.powers[number].first) do
        if not one.told then tell_odd(make, number, one, make.ids - group.ids) end
      end
      if number == newest.power and not newest.told then tell_odd(make, number, newest, make.ids - group.ids) end
    end
  end
end

-- An id counts with what it states now, and no more with what it stated before.
local function forget(make, whose, number)
  local power = number and make.powers[number]
  if not power then return end
  make.ids = make.ids - 1
  power.ids = power.ids - 1
  for at, one in ipairs(power.first) do
    if one.whose == whose then table.remove(power.first, at) break end
  end
  if power.ids == 0 then make.powers[number] = nil end
end

-- A power that an id states now, and did not before.
local function count(s, id, number, key)
  local before, whose = states:get(id), s.uuid or s.namespace or s.id1
  -- URLs have nothing in common.
  if not whose then return states:set(id, { number = number }) end
  local whole = s.kind .. whose
  local make = makes:get(whole) or makes:set(whole, { ids = 0, powers = {}, born = s.time })
  -- What is known of a make may have been given up meanwhile, and begun anew.
  if before and before.born == make.born then forget(make, id, before.number) end
  states:set(id, { number = number, born = make.born })
  make.ids = make.ids + 1
  local power = make.powers[number] or { ids = 0, first = {} }
  make.powers[number], power.ids = power, power.ids + 1
  local newest = {
    whose = id, key = key, name = name_of(s), told = told:get(key) or odd:get(key), capture = s.capture,
    frame = s.frame, power = number,
  }
  if #power.first < FEW then power.first[#power.first + 1] = newest end
  compare(make, newest)
end

on("sighting",
  { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } },
  function(s)
    local number = s.measured_power or s.tx_power
    if not number then return end
    -- Eddystone's power is that at the antenna; a metre away 41 dB less is left (Eddystone-UID).
    local stated = s.measured_power or number - 41
    local id = s.kind .. s.id
    local key = id .. stated
    local what = s.measured_power and ("%d dBm at one metre"):format(stated)
      or ("%d dBm at 0 m, which is %d dBm at one metre"):format(number, stated)
    local known = told:get(key)
    if known == nil and (stated > highest or stated < lowest) then
      tell(s, key, "It states " .. what .. ".")
    elseif not known and s.rssi and s.rssi > stated + louder then
      tell(s, key, ("It states %s, and is heard at %d dBm."):format(what, s.rssi))
    end
    local before = states:get(id)
    if before and before.number == number then return end
    if known == nil and not told:get(key) then told:set(key, false) end
    count(s, id, number, key)
  end)
