-- Called for every sighting, reads three fields.
local count, sum, last, strong = 0, 0, 0, 0

on("sighting", function(s)
  count = count + 1
  sum = sum + (s.rssi or 0)
  last = s.time
  if s.kind == "ibeacon" then strong = strong + 1 end
end)

on("finish", function() print(count, sum, last, strong) end)
