-- instructions
local f = ("x"):rep(1000000)
while true do string.packsize(f) end
