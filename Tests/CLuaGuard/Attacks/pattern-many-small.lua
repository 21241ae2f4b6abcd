-- steps instructions
while true do ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa"):find("a-a-a-a-b") end
