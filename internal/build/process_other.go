//go:build !unix

package build

// processExists returns true: this system cannot tell, and the files of a process that may exist must stay.
func processExists(int) bool { return true }
