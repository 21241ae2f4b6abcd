-- ok
print(pcall(string.find, ("a"):rep(1000), ("(a?"):rep(32) .. (")"):rep(32)))
print(pcall(string.find, ("a"):rep(1000), ("a?"):rep(300)))
--> true	1	32	aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaaa	aaaaaaaaaaaaaaa	aaaaaaaaaaaaaa	aaaaaaaaaaaaa	aaaaaaaaaaaa	aaaaaaaaaaa	aaaaaaaaaa	aaaaaaaaa	aaaaaaaa	aaaaaaa	aaaaaa	aaaaa	aaaa	aaa	aa	a
--> false	pattern too complex
