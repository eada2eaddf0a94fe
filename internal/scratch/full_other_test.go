//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package scratch_test

// full is of Linux.
func full() {}
