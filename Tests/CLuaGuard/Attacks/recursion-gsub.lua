-- ok
local function f(x) return (x:gsub(".", f)) end
print(pcall(f, "a"))
--> false	C stack overflow
