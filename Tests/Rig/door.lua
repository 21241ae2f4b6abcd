plugin { version = "1", about = "Says who comes and goes." }

on("enter", function(e)
  alert { severity = "notice", title = "came: " .. e.region, evidence = e }
end)

on("exit", function(e)
  alert { severity = "warning", title = "went: " .. e.region .. " (" .. e.grade .. ")", evidence = e }
end)
