plugin { name = "each", version = "1", description = "An alert for every sighting." }

on("sighting", function(s)
  alert { title = "frame " .. s.frame, evidence = s }
end)
