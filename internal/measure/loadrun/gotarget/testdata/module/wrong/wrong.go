package wrong

func Target(url string) error { return nil }
