-- string
local s = ("x"):rep(2000)
print(#s:gsub("x", s))
