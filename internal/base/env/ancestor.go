package env

import (
	"os"
	"strconv"
	"strings"
)

// IsAncestor reports whether this process was started, directly or not, by the one of a number. Where processes are not
// in /proc, only the parent is known.
func IsAncestor(pid int) bool {
	return isAncestor(pid, os.Getppid(), parentOf)
}

func isAncestor(pid, parent int, parentOf func(int) int) bool {
	for range 1000 { // numbers that are used again could make a circle
		switch {
		case parent == pid:
			return true
		case parent <= 1:
			return false
		}
		parent = parentOf(parent)
	}
	return false
}

// parentOf returns the number of a process's parent, 0 if that is not known. It is the second field behind the name in
// /proc/PID/stat (proc_pid_stat(5)), which may contain anything.
func parentOf(pid int) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
