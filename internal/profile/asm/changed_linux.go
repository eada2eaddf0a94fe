package asm

import (
	"time"

	"golang.org/x/sys/unix"
)

// changed returns when a file's content or name last changed, which a build that renames a new file over the old one
// sets. It returns the zero time if the file is gone.
func changed(path string) time.Time {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return time.Time{}
	}
	return time.Unix(st.Ctim.Unix())
}

// wallTime converts CLOCK_MONOTONIC ns to a time; 0 to the zero time.
func wallTime(ns int64) time.Time {
	var now unix.Timespec
	if ns == 0 || unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(ns - now.Nano()))
}
