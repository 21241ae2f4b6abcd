-- A beacon says that its battery is running down (Eddystone telemetry, encrypted too where its key is given).
--
-- Most coin cells give about 3000 mV when new and fall fast below 2400 mV. In the cold they give
-- less for a while, so one low reading is not the end: the alert is repeated once a day at most.
-- Telemetry has no identity: it goes by what else its address sends, by the name that the site has for that, or for the
-- address. Where neither is known yet it is waited half a minute for an identity; one that is heard later is told once
-- more, by its name. A beacon that changes its addresses is told by that identity, not once for each address. Copies of
-- one identity count as one there.

plugin { version = "1.4", about = "A battery that is running down" }

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
-- By address: telemetry that waits until it is known whose it is; and such as was told without that.
local waiting, unnamed, many_unnamed = {}, {}, 0

on("start", function(e) has_list = #e.regions > 0 end)

-- Who it is by the address that the list has for it.
local function by_address(s)
  local planned = has_list and regions_at(s)[1]
  return planned and { id = planned.id or planned.region, name = planned.region } or nil
end

local UNKNOWN = " Who it is is not known, and it changes its addresses: it may have been told before."

-- `namer`: who says whose telemetry this is that was told before, and without a name.
local function tell(s, who, namer)
  local battery, address = s.battery_mv, s.address
  local is_critical, stays = battery < critical, s.device or STAYS[s.address_type]
  local name = s.device or who and who.name
  alert {
    severity = is_critical and "critical" or "warning",
    title = ("Battery of %s at %d mV"):format(name or address or "a beacon", battery),
    text = (is_critical and "It may stop at any time." or "Change it soon.")
      .. (name and address and " Its address is " .. address .. "." or "")
      .. (namer and " It was told by its address before." or "")
      .. ((who or stays or not address) and "" or UNKNOWN),
    -- A beacon that has become critical is told again, and one whose name is known then.
    dedupe_key = (s.device or not stays and who and who.id or address or "")
      .. (is_critical and " critical" or "") .. (namer and stays and " named" or ""),
    once_per = hours * 3600,
    evidence = namer and { s, namer } or s,
    about = s,
    fields = { battery_mv = battery, temperature_c = s.temperature_c, uptime_s = s.uptime_s },
  }
  if name or not address then return end
  if many_unnamed == 5000 then unnamed, many_unnamed = {}, 0 end
  -- A copy has none of its own.
  unnamed[address], many_unnamed = s.copy and s:copy() or s, many_unnamed + 1
end

on("sighting", { kind = IDENTITIES }, function(s)
  local address = s.address
  if not address then return end
  local who = known[address]
  if who and (who.name or who.tried[s.id]) then return end
  if not who then
    if many == 5000 then known, many = {}, 0 end
    who, many = { id = s.id, tried = {} }, many + 1
    known[address] = who
  end
  who.tried[s.id] = true
  local name = not has_list and s.id or #regions_of(s) > 0 and name_of(s) or nil
  if not name then return end
  who.id, who.name, who.tried = s.id, name, nil
  local held, told = waiting[address], unnamed[address]
  waiting[address], unnamed[address] = nil, nil
  -- What was told without a name is told by it, whatever came meanwhile.
  if told then return tell(held or told, who, s) end
  if held then tell(held, who) end
end)

on("telemetry", { kind = { "eddystone-tlm", "eddystone-etlm-opened" } }, function(s)
  local battery, address = s.battery_mv, s.address
  if not battery then return end
  -- What is critical is told whatever counts as low.
  if battery >= math.max(below, critical) then
    if address then unnamed[address] = nil end
    return
  end
  local who = address and known[address]
  if not address or s.device then return tell(s, who) end
  if not who or not who.name then who = by_address(s) end
  if who then return tell(s, who) end
  local is_new = not waiting[address]
  waiting[address] = s:copy()
  if not is_new then return end
  after(PATIENCE, function()
    local held = waiting[address]
    waiting[address] = nil
    if held then tell(held, known[address]) end
  end)
end)

-- What still waits at the end is told.
on("finish", function()
  local addresses = {}
  for address in pairs(waiting) do addresses[#addresses + 1] = address end
  table.sort(addresses)
  for _, address in ipairs(addresses) do tell(waiting[address], known[address]) end
end)
