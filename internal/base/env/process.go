package env

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A process holds values of /proc/PID/stat.
type process struct {
	name  string
	ticks int64 // CPU time, user and system, in UserHZ
	start int64 // start time; distinguishes processes with the same number
}

// usage is how many CPUs all processes of one name have used; 0.5 = half of one.
type usage struct {
	name string
	cpus float64
}

// processes reads all visible processes. Those that end meanwhile are missing.
func (h host) processes() (map[int]process, error) {
	entries, err := fs.ReadDir(h.root, "proc")
	if err != nil {
		return nil, errors.New(reason(err))
	}
	all := map[int]process{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := parseProcess(h.get("proc/" + e.Name() + "/stat")); ok {
			all[pid] = p
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no processes in /proc")
	}
	return all, nil
}

// parseProcess reads /proc/PID/stat (proc_pid_stat(5)). The name, in parentheses,
// may contain anything, so the last parenthesis ends it.
func parseProcess(s string) (process, bool) {
	open, shut := strings.IndexByte(s, '('), strings.LastIndexByte(s, ')')
	if open < 0 || shut < open {
		return process{}, false
	}
	f := strings.Fields(s[shut+1:]) // from field 3, state, on
	if len(f) < 20 {
		return process{}, false
	}
	user, err1 := strconv.ParseInt(f[11], 10, 64)
	sys, err2 := strconv.ParseInt(f[12], 10, 64)
	start, err3 := strconv.ParseInt(f[19], 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || min(user, sys) < 0 || max(user, sys) > math.MaxInt64/4 {
		return process{}, false
	}
	name := oneLine(s[open+1 : min(shut, open+64)]) // processes choose their names
	return process{name, user + sys, start}, true
}

// cpuUsers returns the programs that used CPUs between two readings, busiest first, and the CPUs used by
// process self. Processes of one name count as one program, such as a compiler.
func cpuUsers(before, after map[int]process, window time.Duration, self int) (others []usage, own float64) {
	sum := map[string]float64{}
	for pid, p := range after {
		ticks := p.ticks
		if q, known := before[pid]; known && q.start == p.start {
			ticks -= q.ticks
		}
		cpus := float64(max(ticks, 0)) * float64(tick) / float64(window)
		if pid == self {
			own = cpus
		} else if cpus > 0 {
			sum[p.name] += cpus
		}
	}
	for name, cpus := range sum {
		others = append(others, usage{name, cpus})
	}
	slices.SortFunc(others, func(a, b usage) int {
		return cmp.Or(cmp.Compare(b.cpus, a.cpus), cmp.Compare(a.name, b.name))
	})
	return others, own
}
