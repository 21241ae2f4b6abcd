-- steps
pcall(string.match, ("a"):rep(5000), ".-.-.-.-.-b")
print "went on"
