-- ok
print(getmetatable "", pcall(setmetatable, "", {}))
string.rep = nil
string.find = function() return "own" end
print(("x"):find("y"), pcall(function() return ("x"):rep(3) end))
print(string.format("%s %5s|%q", {} ~= nil, "ab", "a\n"))
--> false	false	bad argument #1 to 'setmetatable' (table expected, got string)
--> own	false	attack.lua:5: attempt to call a nil value (method 'rep')
--> true    ab|"a\
--> "
