-- ok
local function f() table.sort({3, 2, 1}, f) return true end
print((pcall(f)))
--> false
