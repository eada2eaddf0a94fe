//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir_test

// full is of Linux.
func full() {}
