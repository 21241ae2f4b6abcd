-- error
local t = setmetatable({}, {__mode = "v"})
for i = 1, 1000 do t["key " .. i] = {("x"):rep(100) .. i} end
give { fields = t }
