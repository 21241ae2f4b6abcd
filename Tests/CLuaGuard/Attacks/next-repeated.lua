-- instructions
local t = {}
for i = 1, 5000 do t["k" .. i] = i end
while true do next(t) end
