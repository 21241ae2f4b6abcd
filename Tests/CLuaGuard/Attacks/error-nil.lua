-- error
error(nil)
