package env

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
)

// An event is what perf_event shall count.
type event int

const (
	cycles   event = iota // the processor's own counter
	cpuClock              // the kernel's timer; works in virtual machines
)

// perfFinding tries the events that sampling profilers need. Settings alone do not show what a container or a
// hypervisor forbids.
func (h host) perfFinding(hypervisor string) Finding {
	paranoid, limit := h.paranoid()
	userOnly, err := h.perf(cycles)
	if err == nil {
		return ok("perf_event", "hardware counters%s", scope(userOnly, paranoid))
	}
	why := "the kernel offers none: " + err.Error()
	switch {
	case errors.Is(err, fs.ErrPermission):
		why = err.Error()
	case hypervisor != "":
		why = "virtual machine"
	}
	userOnly, err = h.perf(cpuClock)
	switch {
	case err == nil:
		return ok("perf_event", "software clock%s; no hardware counters (%s)", scope(userOnly, paranoid), why)
	case !errors.Is(err, fs.ErrPermission):
		return notAvailable("perf_event", "%v", err)
	case limit > 2:
		return warn("perf_event", "sudo sysctl kernel.perf_event_paranoid=2", "refused: %v (%s)", err, paranoid)
	}
	return warn("perf_event", "in a container: --cap-add PERFMON, and a seccomp profile that allows perf_event_open",
		"refused: %v (%s)", err, first(paranoid, "no perf_event_paranoid here"))
}

func scope(userOnly bool, paranoid string) string {
	if !userOnly {
		return ""
	}
	return fmt.Sprintf(", without the kernel's part (%s)", first(paranoid, "no permission"))
}

// paranoid returns the kernel's setting, 0 and "" if it has none.
func (h host) paranoid() (text string, level int64) {
	n, err := h.number("proc/sys/kernel/perf_event_paranoid")
	if err != nil {
		return "", 0
	}
	return "perf_event_paranoid " + strconv.FormatInt(n, 10), n
}
