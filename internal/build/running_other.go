//go:build !unix

package build

// running cannot be told here; what is not known to be dead is left alone.
func running(int) bool { return true }
