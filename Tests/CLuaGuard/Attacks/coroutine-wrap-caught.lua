-- instructions
pcall(coroutine.wrap(function() pcall(function() while true do end end) print "inside" end))
print "went on"
