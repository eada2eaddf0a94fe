package clock

// readTSC reads the time-stamp counter in program order.
//
//go:noescape
func readTSC() uint64

// readTSCSoon reads it, perhaps before what stands before.
//
//go:noescape
func readTSCSoon() uint64
