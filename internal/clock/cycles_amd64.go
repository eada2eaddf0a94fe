package clock

// readTSC reads the time-stamp counter in program order.
//
//go:noescape
func readTSC() uint64
