package clock

func readKernel() (int64, bool) { return Now(), true }
