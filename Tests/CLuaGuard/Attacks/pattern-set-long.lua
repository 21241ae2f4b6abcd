-- steps
local set = "[" .. ("\1\2"):rep(200000) .. "]*x"
print((("y"):rep(2000)):find(set))
