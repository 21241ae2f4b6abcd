-- ok
local t = setmetatable({}, {})
getmetatable(t).__tostring = function() return tostring(t) end
print(pcall(tostring, t))
--> false	C stack overflow
