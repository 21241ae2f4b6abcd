-- The same count as count.lua, by a listener of tshark: what tshark's dissection hands over as
-- manufacturer data and service data, told apart by its first bytes.
local company = Field.new("btcommon.eir_ad.entry.company_id")
local manufacturer = Field.new("btcommon.eir_ad.entry.data")
local service = Field.new("btcommon.eir_ad.entry.service_data")
local listener = Listener.new("frame", "btcommon.eir_ad.entry.data || btcommon.eir_ad.entry.service_data")
local counts = {}

local function count(id) counts[id] = (counts[id] or 0) + 1 end

function listener.packet()
  local companies = { company() }
  for place, field in ipairs({ manufacturer() }) do
    local bytes = field.range:bytes():tohex(true)
    if companies[place] and companies[place].value == 0x4c and bytes:sub(1, 4) == "0215" then
      count(bytes:sub(5, 44))
    elseif bytes:sub(1, 4) == "beac" then
      count(bytes:sub(5, 44))
    end
  end
  for _, field in ipairs({ service() }) do
    local bytes = field.range:bytes():tohex(true)
    if bytes:sub(1, 2) == "00" then count(bytes:sub(5, 36)) end
  end
end

function listener.draw()
  local identities, sightings = 0, 0
  for _, number in pairs(counts) do
    identities, sightings = identities + 1, sightings + number
  end
  print(identities, sightings)
end
