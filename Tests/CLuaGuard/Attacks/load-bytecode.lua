-- ok
print(load("\27Lua\x54\0\x19\x93\r\n\x1a\n", "code", "b"))
print(load("\27Lua\x54\0\x19\x93\r\n\x1a\n"))
print(load(function() return nil end, "x", "b"))
print(string.dump, dofile, loadfile, io, debug, package, os.execute, os.exit, os.getenv, warn)
--> nil	attempt to load a text chunk (mode is 'b')
--> nil	attempt to load a binary chunk (mode is 't')
--> nil	attempt to load a text chunk (mode is 'b')
--> nil	nil	nil	nil	nil	nil	nil	nil	nil	nil
