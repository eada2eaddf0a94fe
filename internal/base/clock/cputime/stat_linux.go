package cputime

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// statFile is the open /proc/PID/stat of a process. An open file is never that of another process which got the same
// number.
type statFile struct {
	path   string
	fd     int
	opened bool
	buf    [1024]byte
}

// Stat reads what the kernel tells of the whole process. It is not known (ok is false) once the process has ended.
func (p *Process) Stat() (s Stat, ok bool) {
	if p == nil {
		return s, false
	}
	f := &p.stat
	if !f.opened {
		fd, err := unix.Open(f.path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return s, false
		}
		f.fd, f.opened = fd, true
	}
	n, err := unix.Pread(f.fd, f.buf[:], 0)
	if err != nil {
		return s, false
	}
	return parseStat(f.buf[:n])
}

func (f *statFile) close() {
	if f.opened {
		unix.Close(f.fd)
		f.opened = false
	}
}

// parseStat reads a stat file; see proc_pid_stat(5). The name of the program, which may hold blanks and brackets, ends with the last
// bracket.
func parseStat(text []byte) (s Stat, ok bool) {
	const state, minflt, majflt, rss = 0, 7, 9, 21 // of the fields behind the name
	end := bytes.LastIndexByte(text, ')')
	fields := bytes.Fields(text[end+1:])
	if end < 0 || len(fields) <= rss || len(fields[state]) != 1 {
		return s, false
	}
	s.State = fields[state][0]
	for _, x := range []struct {
		at   int
		into *int64
	}{{minflt, &s.Minflt}, {majflt, &s.Majflt}, {rss, &s.RSS}} {
		n, err := strconv.ParseInt(string(fields[x.at]), 10, 64)
		if err != nil || n < 0 {
			return Stat{}, false
		}
		*x.into = n
	}
	s.RSS *= int64(os.Getpagesize())
	return s, s.State != 'Z' && s.State != 'X'
}

// Children returns the processes that a process has started and that run, with those that these have started, at most so many. It returns none
// where the kernel does not tell.
func Children(pid, most int) []int { return childrenIn("/proc", pid, most) }

func childrenIn(proc string, pid, most int) (all []int) {
	next := []int{pid}
	for len(next) > 0 && len(all) < most {
		dir := proc + "/" + strconv.Itoa(next[0]) + "/task"
		next = next[1:]
		threads, _ := os.ReadDir(dir)
		for _, t := range threads {
			text, _ := os.ReadFile(dir + "/" + t.Name() + "/children")
			for _, word := range bytes.Fields(text) {
				if n, err := strconv.Atoi(string(word)); err == nil && len(all) < most {
					all, next = append(all, n), append(next, n)
				}
			}
		}
	}
	return all
}
