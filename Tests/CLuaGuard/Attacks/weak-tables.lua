-- ok
local t = setmetatable({}, {__mode = "kv"})
for i = 1, 10000 do t[{}] = {} end
for k in pairs(t) do t[k] = nil end
print(next(t))
--> nil
