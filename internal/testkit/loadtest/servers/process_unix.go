//go:build unix

package servers

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

var (
	halt   os.Signal = syscall.SIGSTOP
	resume os.Signal = syscall.SIGCONT
	quit   os.Signal = syscall.SIGQUIT
)

// family returns the ids of the process and its children, as far as /proc lists them.
func (p *process) family() []int {
	self := p.cmd.Process.Pid
	ids := []int{self}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		if stat := statOf(f); len(stat) > 1 && stat[1] == strconv.Itoa(self) {
			if id, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// statOf returns the text after the name in a stat file: state, parent …; "" if the
// process has ended. The name may contain any character.
func statOf(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// halted reports whether all threads of the processes are stopped, because the signal
// has no immediate effect.
func halted(ids []int) bool {
	for _, id := range ids {
		threads, _ := filepath.Glob("/proc/" + strconv.Itoa(id) + "/task/[0-9]*/stat")
		for _, f := range threads {
			if stat := statOf(f); len(stat) > 0 && stat[0] != "T" && stat[0] != "Z" {
				return false
			}
		}
	}
	return true
}

func signal(ids []int, s os.Signal) {
	for _, id := range ids {
		syscall.Kill(id, s.(syscall.Signal)) // one that has ended needs none
	}
}
