package broken

func Target() error { return undefinedValue }
