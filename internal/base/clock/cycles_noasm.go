//go:build !amd64

package clock

// readTSC is never called: noCounter says why.
func readTSC() uint64 { return 0 }

func readTSCSoon() uint64 { return 0 }
