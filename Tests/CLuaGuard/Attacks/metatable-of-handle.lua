-- error
keep(function(s)
  print(getmetatable(s), pcall(setmetatable, s, {}), pcall(rawset, s, "x", 1))
  print(pcall(function() s.rssi = 1 end))
  print(pcall(function() return s.batery_mv end))
  print(pcall(function() return s[1] end), pcall(function() return #s end))
  print(pcall(s.copy, {}), pcall(next, s), s == s)
  error "end"
end)
--> false	false	false	bad argument #1 to 'rawset' (table expected, got sighting)
--> false	attack.lua:4: a sighting cannot be changed
--> false	attack.lua:5: a sighting has no field 'batery_mv'
--> false	false	attack.lua:6: attempt to get length of a sighting value (upvalue 's')
--> false	false	true
