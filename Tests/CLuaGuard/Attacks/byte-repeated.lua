-- instructions memory
local s = ("x"):rep(200000)
while true do select("#", s:byte(1, -1)) end
