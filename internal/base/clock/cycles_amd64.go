package clock

// readTSC reads the time-stamp counter in program order.
//
//go:noescape
func readTSC() uint64

// readTSCSoon reads the counter, possibly before earlier instructions complete.
//
//go:noescape
func readTSCSoon() uint64
