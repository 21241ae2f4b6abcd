-- A beacon that is expected, and was never heard.
--
-- What is expected are the site's regions (--site, --regions, --region): one for each beacon, or for
-- what has to be heard of somewhere. Each counts as heard from its first sighting on, however weak.
-- What is missing is told after a while, for people who wait, and again at the end. Of one that is heard
-- first and falls silent later `beacon-silent` tells.
--
-- A restart with --state remembers what was heard, and does not tell the same again within a day.

plugin { version = "1.0", about = "Expected beacons that were never heard" }

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

on("start", function(e)
  expected, begun, missing = e.beacon_regions, e.time, 0
  if #expected == 0 then
    print("there is no list of what is expected: declare regions with --site or --region")
  end
  for _, name in ipairs(expected) do
    if not heard[name] then missing = missing + 1 end
  end
end)

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
end)

local function tell(now, how)
  if missing == 0 then return end
  local names = {}
  for _, name in ipairs(expected) do
    if not heard[name] then
      names[#names + 1] = name
      told[name] = true
    end
  end
  local all = table.concat(names, ", ")
  local listed = all
  if #names > 30 then
    listed = table.concat(names, ", ", 1, 30) .. (" and %d more"):format(#names - 30)
  end
  alert {
    severity = "warning",
    title = #names == 1 and ("%s was %s"):format(names[1], how)
      or ("%d of %d expected beacons were %s"):format(#names, #expected, how),
    text = ("%d of %d expected beacons were heard in %s.%s"):format(
      #expected - #names, #expected, words.duration(now - begun),
      #names > 1 and " Missing: " .. listed .. "." or ""),
    dedupe_key = how .. "\n" .. all,
    once_per = 86400,
    fields = { expected = #expected, heard = #expected - #names, missing = all },
  }
end

after(wait, function(now) tell(now, "not heard yet") end)
on("finish", function(e) tell(e.time, "never heard") end)
