-- What a beacon says of its own strength cannot be right: distances from it are wrong, too.
--
-- iBeacon and AltBeacon state the strength at one metre: small devices have -40 to -75 dBm there, set
-- to send very strongly or weakly some have more or less. Below -100 and above -20 dBm nothing is right,
-- and no distance is made of it; these are the limits here. Eddystone states the strength at the antenna,
-- 41 dB more. A beacon that is heard much louder than it can be was set up wrongly, or is an imitation: at
-- ten centimetres a signal is about 20 dB stronger than at one metre, at three about 30 dB.
--
-- Beacons of one UUID are mostly of one make and set up alike. One that alone states something else, by
-- far, is mentioned (`info`): perhaps it was forgotten when the others were set up.

plugin { version = "1.0", about = "A measured power that cannot be right" }

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
  default = 6, min = 1, max = 100, help = "by so much it differs from all others of its UUID",
}
local others = option "others" {
  default = 4, type = "integer", min = 1, help = "so many others of the UUID have to be known",
}

-- By kind, id and power: what has been told, and is not told again behind a restart with --state; false
-- for what has been heard and is fine.
local told = recent.map("told")

-- By kind and UUID, namespace or first id: how many ids there are, and by power stated how many state it,
-- with the first of them.
local makes = recent.map("makes", 500)

on("start", function()
  -- An earlier run's frames cannot be cited.
  for _, make in makes:each() do
    for _, power in pairs(make.powers) do power.capture, power.frame = nil, nil end
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

-- Whether a power is farther from all others than is usual among beacons of one make.
local function is_odd(make, number)
  for other in pairs(make.powers) do
    if other ~= number and math.abs(other - number) < differs then return false end
  end
  return true
end

-- Tells of each id that is alone with its power.
local function compare(make)
  if make.ids <= others then return end
  for number, power in pairs(make.powers) do
    if power.ids == 1 and not power.told and is_odd(make, number) then
      power.told = true
      alert {
        severity = "info",
        title = ("%s states another power than its like"):format(power.name),
        text = ("%d dBm, the %d others of its UUID or namespace that were heard so far at least %g dB more or "
          .. "less."):format(number, make.ids - 1, differs),
        evidence = power.frame and { capture = power.capture, frame = power.frame },
        fields = { power = number, others = make.ids - 1 },
      }
    end
  end
end

-- A power that an id states for the first time.
local function count(s, is_told)
  local whose, number = s.uuid or s.namespace or s.id1, s.measured_power or s.tx_power
  -- URLs have nothing in common.
  if not whose then return end
  local key = s.kind .. whose
  local make = makes:get(key) or makes:set(key, { ids = 0, powers = {} })
  make.ids = make.ids + 1
  local power = make.powers[number]
  if power then
    power.ids = power.ids + 1
  else
    power = { ids = 1, name = name_of(s), told = is_told, capture = s.capture, frame = s.frame }
    make.powers[number] = power
  end
  compare(make)
end

on("sighting",
  { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } },
  function(s)
    -- Eddystone's power is that at the antenna; a metre away 41 dB less is left (Eddystone-UID).
    local stated = s.measured_power or (s.tx_power and s.tx_power - 41)
    if not stated then return end
    local key = s.kind .. s.id .. stated
    local known = told:get(key)
    if known then return end
    if stated > highest or stated < lowest then
      tell(s, key, ("It states %d dBm at one metre."):format(stated))
    elseif s.rssi and s.rssi > stated + louder then
      tell(s, key, ("It states %d dBm at one metre and is heard at %d dBm."):format(stated, s.rssi))
    end
    if known ~= nil then return end
    local is_told = told:get(key)
    count(s, is_told)
    if not is_told then told:set(key, false) end
  end)
