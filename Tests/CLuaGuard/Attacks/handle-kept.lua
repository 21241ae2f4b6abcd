-- error
local old
keep(function(s)
  if old then
    print(tostring(old), pcall(function() return old.rssi end))
    print(pcall(pairs, old))
    print(pcall(give, old), pcall(give, {{old}}))
    print(pcall(old ~= nil and s.copy, old))
    return old:copy()
  end
  old = s
end)
--> sighting that is over	false	attack.lua:5: this sighting was over when its handler returned; keep its fields, or s:copy()
--> false	attack.lua:6: this sighting was over when its handler returned; keep its fields, or s:copy()
--> false	false	attack.lua:7: this sighting was over when its handler returned; keep its fields, or s:copy()
--> false	attack.lua:8: this sighting was over when its handler returned; keep its fields, or s:copy()
