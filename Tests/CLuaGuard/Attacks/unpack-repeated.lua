-- instructions memory
local t = {}
while true do select("#", table.unpack(t, 1, 100000)) end
