//go:build !unix

package toolchain

// endedBy returns "": processes do not end by signals.
func endedBy(error) string { return "" }
