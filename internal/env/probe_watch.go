package env

import (
	"fmt"
	"strings"
)

const (
	muchSteal = 0.005 // share of all CPU time; one tick of two CPUs in a second
	muchOther = 0.10  // CPUs
	muchLoad  = 0.5   // threads per CPU
	muchWait  = 0.05  // share of all CPU time
	quiet     = "wait until it is quieter, or end what runs"
)

// stealFinding tells what the hypervisor took away.
func stealFinding(seen observation, hypervisor string) Finding {
	if seen.cpuErr != nil {
		return na("steal", "%v", seen.cpuErr)
	}
	if hypervisor == "" && seen.cpu.Steal == 0 {
		return ok("steal", "none in %s", span(seen.window))
	}
	share := ratio(seen.cpu.Steal, seen.cpu.Total())
	text := fmt.Sprintf("%s of the last %s went to neighbours", percent(share), span(seen.window))
	if share > muchSteal {
		return warn("steal", "expect wider intervals; measure at a quieter time", "%s", text)
	}
	return ok("steal", "%s", text)
}

// loadFinding tells how much wanted to run during the last minute.
func (h host) loadFinding() Finding {
	load, err := h.load()
	if err != nil {
		return na("load", "%s", because(err))
	}
	c := h.cpus()
	text := fmt.Sprintf("load average %.2f on %s", load, count(c.usable, "CPU"))
	if load >= muchLoad*float64(c.usable) {
		return warn("load", quiet, "%s", text)
	}
	return ok("load", "%s", text)
}

// processesFinding names who else was running. What is busy without a visible
// process is named as such: in a container, or short-lived.
func processesFinding(seen observation) Finding {
	if seen.procErr != nil {
		return na("processes", "%v", seen.procErr)
	}
	others := 0.0
	var named []string
	for _, u := range seen.others {
		others += u.cpus
		if u.cpus >= 0.01 && len(named) < 3 {
			named = append(named, fmt.Sprintf("%s %.0f %%", u.name, 100*u.cpus))
		}
	}
	unseen := 0.0
	if seen.cpuErr == nil {
		unseen = seen.busyCPUs() - others - seen.own
	}
	if unseen >= muchOther {
		named = append(named, fmt.Sprintf("ended or invisible here %.0f %%", 100*unseen))
	} else {
		unseen = 0
	}
	if len(named) == 0 {
		return ok("processes", "no other above 1 %% of a CPU in %s", span(seen.window))
	}
	text := strings.Join(named, ", ") + " of a CPU in " + span(seen.window)
	if others+unseen >= muchOther {
		return warn("processes", quiet, "%s", text)
	}
	return ok("processes", "%s", text)
}

// diskFinding tells how long CPUs were idle because a disk had not answered.
func diskFinding(seen observation) Finding {
	if seen.cpuErr != nil {
		return na("disk", "%v", seen.cpuErr)
	}
	share := ratio(seen.cpu.IOWait, seen.cpu.Total())
	text := fmt.Sprintf("%s of the last %s spent waiting for it", percent(share), span(seen.window))
	if share > muchWait {
		return warn("disk", quiet, "%s", text)
	}
	return ok("disk", "%s", text)
}
