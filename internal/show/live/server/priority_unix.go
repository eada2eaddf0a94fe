//go:build unix

package server

import (
	"os"
	"syscall"
)

// lowest is the nice value of the lowest priority.
const lowest = 19

// Yield gives this process the lowest priority, so that the measured run gets the processors first. Given a process, Linux
// changes only the calling thread; given a process group, it changes all threads. So Yield changes the group, if this
// process leads it. Errors are ignored, because the page works at any priority.
func Yield() {
	if syscall.Getpgrp() == os.Getpid() { // the group is ours
		syscall.Setpriority(syscall.PRIO_PGRP, 0, lowest)
	}
}
