-- A beacon says that its battery is running down (Eddystone-TLM).
--
-- Most coin cells give about 3000 mV when new and fall fast below 2400 mV. In the cold they give
-- less for a while, so one low reading is not the end: the alert is repeated once a day at most.
-- Telemetry has no identity: it goes by what else its address sends, by the name that the site has for that.

plugin { version = "1.2", about = "A battery that is running down" }

local below = option "below_mv" {
  default = 2400, min = 500, max = 6000, help = "warn below so many millivolts",
}
local critical = option "critical_mv" {
  default = 2000, min = 500, max = 6000, help = "critical below so many millivolts",
}
local hours = option "once_per_h" {
  default = 24, min = 0.01, help = "tell of one beacon once in so many hours",
}

-- By address: what the site calls it, or without a list who it is. Begun anew when there are very many.
local names, many, has_list = {}, 0, false

on("start", function(e) has_list = #e.regions > 0 end)

on("sighting", { kind = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url" } }, function(s)
  local address = s.address
  if not address or names[address] ~= nil then return end
  if many == 5000 then names, many = {}, 0 end
  many = many + 1
  names[address] = not has_list and s.id or #regions_of(s) > 0 and name_of(s)
end)

on("telemetry", { kind = "eddystone-tlm" }, function(s)
  local battery = s.battery_mv
  -- What is critical is told whatever counts as low.
  if not battery or battery >= math.max(below, critical) then return end
  local is_critical = battery < critical
  alert {
    severity = is_critical and "critical" or "warning",
    title = ("Battery of %s at %d mV"):format(
      names[s.address or ""] or s.address or "a beacon", battery),
    text = (is_critical and "It may stop at any time." or "Change it soon.")
      .. (names[s.address or ""] and " Its address is " .. s.address .. "." or ""),
    -- A beacon that has become critical is told again.
    dedupe_key = (s.address or "") .. (is_critical and " critical" or ""),
    once_per = hours * 3600,
    evidence = s,
    fields = { battery_mv = battery, temperature_c = s.temperature_c, uptime_s = s.uptime_s },
  }
end)
