package memorymax

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tarebench/tare/internal/base/env"
)

// prefix begins the names of our control groups. The number of this process follows.
const prefix = "tare-"

// group is a control group of one of both versions.
type group struct {
	dir string
	v1  bool
}

// openGroup creates a group for pid: in the group of this process with version 1; with version 2, where a group with
// processes cannot have others, in the nearest one above it that gives its groups the memory controller.
func openGroup(bytes int64, pid int) (*group, error) {
	dirs, v1 := env.MemoryGroups()
	if len(dirs) == 0 {
		return nil, errors.New("this system shows no control group for memory")
	}
	var first error
	for _, above := range dirs {
		if !v1 && !givesMemory(above) {
			continue
		}
		g, err := create(above, v1, bytes, pid)
		if err == nil {
			return g, nil
		}
		if first == nil {
			first = err
		}
		if v1 {
			break
		}
	}
	if first == nil {
		first = errors.New("no control group of this process gives others the memory controller")
	}
	return nil, first
}

func givesMemory(dir string) bool {
	text, _ := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	for _, c := range strings.Fields(string(text)) {
		if c == "memory" {
			return true
		}
	}
	return false
}

func create(above string, v1 bool, bytes int64, pid int) (*group, error) {
	sweep(above)
	g := &group{dir: prefixed(above, os.Getpid()), v1: v1}
	if err := os.Mkdir(g.dir, 0o700); err != nil {
		return nil, err
	}
	err := g.limit(bytes)
	if err == nil {
		err = g.write("cgroup.procs", strconv.Itoa(pid))
	}
	if err != nil {
		return nil, errors.Join(err, g.remove())
	}
	return g, nil
}

// prefixed returns the directory of a new group of process pid.
func prefixed(above string, pid int) string {
	return filepath.Join(above, fmt.Sprintf("%s%d-%d", prefix, pid, time.Now().UnixNano()))
}

// limit sets the limit, and that no swap is used beside it. A system without swap accounting has no file for that.
func (g *group) limit(bytes int64) error {
	files := [][2]string{{"memory.max", fmt.Sprint(bytes)}, {"memory.swap.max", "0"}}
	if g.v1 {
		files = [][2]string{{"memory.limit_in_bytes", fmt.Sprint(bytes)}, {"memory.memsw.limit_in_bytes", fmt.Sprint(bytes)}}
	}
	if err := g.write(files[0][0], files[0][1]); err != nil {
		return err
	}
	if err := g.write(files[1][0], files[1][1]); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EOPNOTSUPP) {
		return err
	}
	return nil
}

func (g *group) write(file, text string) error {
	f, err := os.OpenFile(filepath.Join(g.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func (g *group) version() string {
	if g.v1 {
		return "cgroup v1"
	}
	return "cgroup v2"
}

// kills returns how many processes of the group the kernel has ended for lack of memory.
func (g *group) kills() int64 {
	file := "memory.events"
	if g.v1 {
		file = "memory.oom_control"
	}
	text, _ := os.ReadFile(filepath.Join(g.dir, file))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "oom_kill" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n
		}
	}
	return 0
}

// remove waits a little for the last process, which leaves its group some time after its end is reported.
func (g *group) remove() (err error) {
	for range 50 {
		if err = os.Remove(g.dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// sweep removes the groups of processes of ours that no longer exist. A group that has processes stays.
func sweep(above string) {
	entries, _ := os.ReadDir(above)
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), prefix)
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if ours && err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			os.Remove(filepath.Join(above, e.Name()))
		}
	}
}
