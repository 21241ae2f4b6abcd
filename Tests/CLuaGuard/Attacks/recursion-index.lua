-- ok
local t = setmetatable({}, {})
getmetatable(t).__index = t
print(pcall(function() return t.x end))
local u = setmetatable({}, {__index = function(t, k) return t[k] end})
print((pcall(function() return u.x end)))
--> false	attack.lua:4: '__index' chain too long; possible loop
--> false
