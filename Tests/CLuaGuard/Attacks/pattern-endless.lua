-- steps
local s = ("a"):rep(1000)
print(s:find(("a*"):rep(20) .. "b"))
