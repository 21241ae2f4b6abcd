-- What a beacon says of its own strength cannot be right: distances from it are wrong, too.
--
-- iBeacon and AltBeacon state the strength at one metre: about -40 to -75 dBm from a small device.
-- Eddystone states it at the antenna: about -30 to +10 dBm. A beacon that is heard much louder than
-- it can be was set up wrongly, or is an imitation: at ten centimetres a signal is about 20 dB
-- stronger than at one metre, at three about 30 dB.

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

-- By kind, id and power: what has been told, and is not told again behind a restart with --state.
local told = recent.map("told")

local function tell(s, key, why)
  told:set(key, true)
  alert {
    severity = "notice",
    title = ("Implausible power of %s"):format(s.id),
    text = why,
    evidence = s,
    fields = { measured_power = s.measured_power, tx_power = s.tx_power, rssi = s.rssi },
  }
end

on("sighting",
  { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } },
  function(s)
    -- Eddystone's power is that at the antenna; a metre away 41 dB less is left (Eddystone-UID).
    local stated = s.measured_power or (s.tx_power and s.tx_power - 41)
    if not stated then return end
    local key = s.kind .. s.id .. stated
    if told:get(key) then return end
    if stated > highest or stated < lowest then
      tell(s, key, ("It states %d dBm at one metre."):format(stated))
    elseif s.rssi and s.rssi > stated + louder then
      tell(s, key, ("It states %d dBm at one metre and is heard at %d dBm."):format(stated, s.rssi))
    end
  end)
