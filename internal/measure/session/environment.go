package session

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/record"
)

// NewRun returns the head of a record: version, start and machine. goVersion is
// that of the toolchain that built what is measured.
func NewRun(start time.Time, goVersion string) record.Run {
	return record.Run{
		Version: record.Version, Tare: Version(), Start: start, Mono: clock.Now() - int64(time.Since(start)),
		Env: Machine(env.Describe(), goVersion),
	}
}

// Machine returns what records say of a machine.
func Machine(m env.Machine, goVersion string) record.Env {
	return record.Env{
		OS: m.OS, Arch: m.Arch, Kernel: m.Kernel, CPU: m.CPU, Cores: m.Cores, Memory: m.Memory, Go: goVersion,
		GOMAXPROCS: m.GOMAXPROCS, GOGC: m.GOGC, GOMEMLIMIT: m.GOMEMLIMIT, ClockSource: m.ClockSource, Virtual: m.Virtual(),
	}
}

// Environ returns our environment with settings K=V added. Of several settings
// of one name the last counts.
func Environ(settings ...string) []string { return LastOfEach(append(os.Environ(), settings...)) }

// LastOfEach returns the last setting K=V of each name.
func LastOfEach(env []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, kv := range slices.Backward(env) {
		k, _, _ := strings.Cut(kv, "=")
		if !seen[k] {
			seen[k] = true
			out = append(out, kv)
		}
	}
	slices.Reverse(out)
	return out
}

// Overhead measures what happens on the machine while a run lasts.
type Overhead struct {
	start  time.Time
	before env.CPUTimes
	own    time.Duration // our CPU time at the start
	err    error
}

// StartOverhead begins to measure.
func StartOverhead() *Overhead {
	o := &Overhead{start: time.Now(), own: env.OwnCPU()}
	o.before, o.err = env.ReadCPU()
	return o
}

// Line returns the line of the record: wall time and stolen time since the
// start. What this machine cannot tell stays zero.
func (o *Overhead) Line() *record.Overhead { return o.LineOf(0) }

// LineOf is Line for a run that measures processes: also how many CPUs all
// others used. cpu is the CPU time of the measured processes, and of what is
// started with them. Our own is subtracted, too.
func (o *Overhead) LineOf(cpu time.Duration) *record.Overhead {
	t := &record.Overhead{Wall: int64(time.Since(o.start))}
	after, err := env.ReadCPU()
	if err != nil || o.err != nil {
		return t
	}
	_, t.Steal = env.Steal(o.before, after)
	busy := after.Sub(o.before).Busy()
	// A kernel that shows zeros (gVisor) knows nothing.
	if own := cpu + env.OwnCPU() - o.own; cpu > 0 && busy > 0 {
		others := max(0, float64(busy-own)/float64(t.Wall))
		t.Others = &others
	}
	return t
}

// Prioritize gives what is measured priority over other programs, unless it is not wanted or the kernel does not decide by
// sessions. It returns what was done, for the record; "" for nothing. That the system refuses is no error: most users may
// not.
func Prioritize(unwanted bool, prioritize func() (done string, err error)) string {
	if unwanted || env.Autogroup() != nil {
		return ""
	}
	done, err := prioritize()
	if err != nil {
		return ""
	}
	return done
}
