-- ok memory
local function f() return 1 + f() end
local ok, m = pcall(f)
print(ok, (m:gsub("stack overflow.*", "stack overflow")))
