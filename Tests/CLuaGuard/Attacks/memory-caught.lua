-- memory instructions
local t = {}
while true do
  pcall(function() while true do t[#t + 1] = string.rep("x", 1000) .. #t end end)
end
