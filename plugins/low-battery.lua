-- A beacon says that its battery is running down (Eddystone telemetry, encrypted too where its key is given).
--
-- Most coin cells give about 3000 mV when new and fall fast below 2400 mV. In the cold they give
-- less for a while, so one low reading is not the end: the alert is repeated once a day at most.
-- Telemetry has no identity: it goes by what else its address sends, by the name that the site has for that. A beacon
-- that changes its addresses is told by that identity, not once for each address: of an address that is no lasting one
-- it is waited half a minute for an identity. Copies of one identity count as one there.

plugin { version = "1.3", about = "A battery that is running down" }

local below = option "below_mv" {
  default = 2400, min = 500, max = 6000, help = "warn below so many millivolts",
}
local critical = option "critical_mv" {
  default = 2000, min = 500, max = 6000, help = "critical below so many millivolts",
}
local hours = option "once_per_h" {
  default = 24, min = 0.01, help = "tell of one beacon once in so many hours",
}

-- Addresses that a device keeps.
local STAYS = { public = true, random_static = true, public_identity = true, random_identity = true }
local IDENTITIES = { "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-eid-resolved" }
local PATIENCE = 30
-- By address: who it is, and what the site calls it, or without a list its id. Begun anew when there are very many.
local known, many, has_list = {}, 0, false
-- By address: telemetry that waits until it is known whose it is.
local waiting = {}

on("start", function(e) has_list = #e.regions > 0 end)

local function tell(s, who, is_lasting)
  local battery, address = s.battery_mv, s.address
  local is_critical = battery < critical
  local name = who and who.name or s.device
  alert {
    severity = is_critical and "critical" or "warning",
    title = ("Battery of %s at %d mV"):format(name or address or "a beacon", battery),
    text = (is_critical and "It may stop at any time." or "Change it soon.")
      .. (name and address and " Its address is " .. address .. "." or "")
      .. (is_lasting and "" or " Who it is is not known, and it changes its addresses: it may have been told before."),
    -- A beacon that has become critical is told again.
    dedupe_key = (s.device or not STAYS[s.address_type] and who and who.id or address or "")
      .. (is_critical and " critical" or ""),
    once_per = hours * 3600,
    evidence = s,
    about = s,
    fields = { battery_mv = battery, temperature_c = s.temperature_c, uptime_s = s.uptime_s },
  }
end

on("sighting", { kind = IDENTITIES }, function(s)
  local address = s.address
  if not address or known[address] ~= nil then return end
  if many == 5000 then known, many = {}, 0 end
  many = many + 1
  local name = not has_list and s.id or #regions_of(s) > 0 and name_of(s) or nil
  known[address] = { id = s.id, name = name }
  local held = waiting[address]
  waiting[address] = nil
  if held then tell(held, known[address], true) end
end)

on("telemetry", { kind = { "eddystone-tlm", "eddystone-etlm-opened" } }, function(s)
  local battery, address = s.battery_mv, s.address
  -- What is critical is told whatever counts as low.
  if not battery or battery >= math.max(below, critical) then return end
  local who = known[address or ""]
  if who or not address or s.device or STAYS[s.address_type] then return tell(s, who, true) end
  local is_new = not waiting[address]
  waiting[address] = s:copy()
  if not is_new then return end
  after(PATIENCE, function()
    local held = waiting[address]
    waiting[address] = nil
    if held then tell(held, nil, false) end
  end)
end)

-- What still waits at the end is told.
on("finish", function()
  local addresses = {}
  for address in pairs(waiting) do addresses[#addresses + 1] = address end
  table.sort(addresses)
  for _, address in ipairs(addresses) do tell(waiting[address], nil, false) end
end)
