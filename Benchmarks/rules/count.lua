-- The same count as tshark-count.lua: sightings by identity.
local counts = {}

on("sighting", function(s)
  local id = s.id
  counts[id] = (counts[id] or 0) + 1
end)

on("finish", function()
  local identities, sightings = 0, 0
  for _, count in pairs(counts) do
    identities, sightings = identities + 1, sightings + count
  end
  print(identities, sightings)
end)
