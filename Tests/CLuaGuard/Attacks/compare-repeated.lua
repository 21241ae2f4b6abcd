-- time
local a, b = ("x"):rep(1000000), ("x"):rep(999999) .. "x"
for i = 1, 1e9 do if a < b then break end end
