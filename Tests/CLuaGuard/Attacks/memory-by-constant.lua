-- memory instructions
local t = {}
for i = 1, 200 do t[i] = ("x"):rep(100000) .. i end
