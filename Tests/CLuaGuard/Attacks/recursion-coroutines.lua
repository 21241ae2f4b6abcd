-- ok
local function f() return coroutine.wrap(f)() end
print((pcall(f)))
local function g(n) local co = coroutine.create(g) return coroutine.resume(co, n + 1) end
print((g(1)))
--> false
--> true
