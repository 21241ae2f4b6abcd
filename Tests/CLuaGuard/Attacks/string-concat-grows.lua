-- string
local s, t = ("x"):rep(100000), {}
for i = 1, 20 do t[i] = s end
print(#table.concat(t))
