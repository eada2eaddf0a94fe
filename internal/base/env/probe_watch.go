package env

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

const (
	highSteal    = 0.005 // share of all CPU time; one tick of two CPUs in a second
	highOtherCPU = 0.10  // CPUs
	highLoad     = 0.5   // threads per CPU
	highIOWait   = 0.05  // share of all CPU time
	adviceQuiet  = "wait until it is quieter, or end what runs"
)

// stealFinding reports the CPU time that the hypervisor stole.
func stealFinding(observed observation, hypervisor string) Finding {
	if observed.cpuErr != nil {
		return notAvailable("steal", "%v", observed.cpuErr)
	}
	if hypervisor == "" && observed.cpu.Steal == 0 {
		return ok("steal", "none in %s", units.Span(float64(observed.window)))
	}
	share := ratio(observed.cpu.Steal, observed.cpu.Total())
	text := fmt.Sprintf("%s of the last %s went to neighbours", units.PercentTo(share, 1), units.Span(float64(observed.window)))
	if share > highSteal {
		return warn("steal", "expect wider intervals; measure at a quieter time", "%s", text)
	}
	return ok("steal", "%s", text)
}

// loadFinding reports the load average of the last minute.
func (h host) loadFinding() Finding {
	load, err := h.load()
	if err != nil {
		return notAvailable("load", "%s", reason(err))
	}
	c := h.cpus()
	text := fmt.Sprintf("load average %s on %s", units.Fixed(load, 2), units.Plural(c.usable, "CPU"))
	if load >= highLoad*float64(c.usable) {
		return warn("load", adviceQuiet, "%s", text)
	}
	return ok("load", "%s", text)
}

// processesFinding names the other programs that were running. CPU use without a visible process, in a
// container or of short-lived processes, is named as such.
func processesFinding(observed observation) Finding {
	if observed.procErr != nil {
		return notAvailable("processes", "%v", observed.procErr)
	}
	others := 0.0
	var named []string
	for _, u := range observed.others {
		others += u.cpus
		if u.cpus >= 0.01 && len(named) < 3 {
			named = append(named, u.name+" "+units.PercentTo(u.cpus, 0))
		}
	}
	unseen := 0.0
	if observed.cpuErr == nil {
		unseen = observed.busyCPUs() - others - observed.own
	}
	if unseen >= highOtherCPU {
		named = append(named, "ended or invisible here "+units.PercentTo(unseen, 0))
	} else {
		unseen = 0
	}
	if len(named) == 0 {
		return ok("processes", "no other above 1 %% of a CPU in %s", units.Span(float64(observed.window)))
	}
	text := strings.Join(named, ", ") + " of a CPU in " + units.Span(float64(observed.window))
	if others+unseen >= highOtherCPU {
		return warn("processes", adviceQuiet, "%s", text)
	}
	return ok("processes", "%s", text)
}

// diskFinding reports how long CPUs were idle while waiting for a disk.
func diskFinding(observed observation) Finding {
	if observed.cpuErr != nil {
		return notAvailable("disk", "%v", observed.cpuErr)
	}
	share := ratio(observed.cpu.IOWait, observed.cpu.Total())
	text := fmt.Sprintf("%s of the last %s spent waiting for it", units.PercentTo(share, 1), units.Span(float64(observed.window)))
	if share > highIOWait {
		return warn("disk", adviceQuiet, "%s", text)
	}
	return ok("disk", "%s", text)
}
