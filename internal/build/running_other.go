//go:build !unix

package build

// running returns true: this system cannot tell, and files of a process that may run must stay.
func running(int) bool { return true }
