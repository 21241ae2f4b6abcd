-- instructions
while true do end
