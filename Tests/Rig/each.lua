plugin { version = "1", about = "An alert for every sighting." }

on("sighting", function(s)
  alert { title = "frame " .. s.frame, evidence = s }
end)
