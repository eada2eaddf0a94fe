// Package memorymax keeps processes below a limit of memory, by a control group of the Linux kernel (cgroups(7), version 1
// or 2) where this user may create one. Elsewhere a limit only tells afterwards which process was above it.
package memorymax

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/units"
)

// Least is the smallest limit in bytes. The process that starts forks is below the limit, too, and needs some MiB.
const Least = 16 << 20

// PeakRSS is what [Limit.By] returns where there is no control group.
const PeakRSS = "peak RSS"

// Limit is a limit of memory for a process and those that it starts. A nil Limit is no limit.
type Limit struct {
	bytes int64
	group *group // nil: the limit is only checked
	kills int64  // processes of the group that the kernel has ended for lack of memory
}

// Open limits process pid, and those that it starts from now on, to a number of bytes together. If no control group can be
// created, it also returns why; the limit can then be checked, but not enforced.
func Open(bytes int64, pid int) (*Limit, error) {
	g, err := openGroup(bytes, pid)
	return &Limit{bytes: bytes, group: g}, err
}

// By returns what the limit rests on: "cgroup v2", "cgroup v1" or [PeakRSS]. Of nil it returns "".
func (l *Limit) By() string {
	switch {
	case l == nil:
		return ""
	case l.group == nil:
		return PeakRSS
	default:
		return l.group.version()
	}
}

// Exceeded is called after each process that was started, with its peak of resident memory in bytes. It returns why the
// process was above the limit, or "".
func (l *Limit) Exceeded(peak int64) string {
	switch {
	case l == nil:
		return ""
	case l.group == nil && peak > l.bytes:
		return fmt.Sprintf("its peak RSS was %s, more than --memory-max %s", size(peak), size(l.bytes))
	case l.group == nil:
		return ""
	}
	kills := l.group.kills()
	rose := kills > l.kills
	l.kills = kills
	if rose {
		return fmt.Sprintf("it needed more memory than --memory-max %s, and the kernel ended it (%s)", size(l.bytes), l.By())
	}
	return ""
}

// Close removes the control group. All processes must have ended.
func (l *Limit) Close() error {
	if l == nil || l.group == nil {
		return nil
	}
	return l.group.remove()
}

func size(bytes int64) string {
	s := units.ScaleOf("B", float64(bytes))
	return s.Number(float64(bytes), 3) + " " + s.Whole()
}
