package asm

import (
	"time"

	"golang.org/x/sys/unix"
)

// changed is when a file was last written to, or got its name: a build moves a new file to
// the place of the old one, whose time of writing may be any. Zero, if it is gone.
func changed(path string) time.Time {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return time.Time{}
	}
	return time.Unix(st.Ctim.Unix())
}

// wallTime is that of a time of samples, CLOCK_MONOTONIC ns; zero if there is none.
func wallTime(ns int64) time.Time {
	var now unix.Timespec
	if ns == 0 || unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(ns - now.Nano()))
}
