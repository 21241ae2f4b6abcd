-- string
pcall(string.rep, "x", 1 << 40)
print "went on"
