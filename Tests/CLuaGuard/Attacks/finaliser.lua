-- ok
print(pcall(setmetatable, {}, {__gc = function() while true do end end}))
local m = {}
local t = setmetatable({}, m)
m.__gc = function() print "never" end
t = nil
for i = 1, 1000 do local x = {{}, {}} end
print "done"
--> false	finalisers ('__gc') are not permitted; use '__close'
--> done
