//go:build linux

package measuring

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// marked returns the processes whose environment has a variable with this value: all that a run
// has started, whoever their parents are now. Zombies have no environment.
func marked(variable string) (pids []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !slices.ContainsFunc(bytes.Split(env, []byte{0}), func(v []byte) bool { return string(v) == variable }) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// gone waits until no process with the variable is left, for at most some time, and returns those that are.
func gone(variable string, wait time.Duration) []int {
	for until := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		left := marked(variable)
		if len(left) == 0 || time.Now().After(until) {
			return left
		}
	}
}

// name says what a process is, for people.
func name(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return fmt.Sprint(pid)
	}
	return strings.TrimSpace(strings.ReplaceAll(string(text[:min(len(text), 200)]), "\x00", " "))
}

// leftovers are the files of a temporary directory, without the directory of the lock and the log of runs, which stays.
func leftovers(dir string) (out []string) {
	own := filepath.Join(dir, "tare-"+strconv.Itoa(os.Geteuid()))
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if path == own {
			return filepath.SkipDir
		}
		if err == nil && path != dir {
			out = append(out, strings.TrimPrefix(path, dir+"/"))
		}
		return nil
	})
	return out
}
