package env

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

const cpuDir = "sys/devices/system/cpu/"

// governorFinding checks the processors' frequency governor.
func (h host) governorFinding() Finding {
	governors, n := h.distinct(cpuDir + "cpufreq/policy*/scaling_governor")
	if n == 0 {
		governors, n = h.distinct(cpuDir + "cpu[0-9]*/cpufreq/scaling_governor")
	}
	if n == 0 {
		return notAvailable("governor", "no cpufreq here")
	}
	text := strings.Join(governors, ", ")
	if driver := h.get(cpuDir + "cpufreq/policy0/scaling_driver"); driver != "" {
		text += " (" + oneLine(driver) + ")"
	}
	if text == "" || slices.ContainsFunc(governors, func(g string) bool { return g != "performance" }) {
		return warn("governor", "sudo cpupower frequency-set -g performance", "%s: the clock follows the load", text)
	}
	return ok("governor", "%s", text)
}

// distinct returns the different contents of the matching files, and the number of files.
func (h host) distinct(pattern string) (values []string, files int) {
	names, _ := fs.Glob(h.root, pattern)
	for _, name := range names {
		s := h.get(name)
		if s == "" {
			continue
		}
		files++
		if s = oneLine(s); !slices.Contains(values, s) && len(values) < 4 {
			values = append(values, s)
		}
	}
	return values, files
}

// turboFinding checks whether the processor may exceed its nominal frequency, which depends on heat and on
// other cores.
func (h host) turboFinding(hypervisor string) Finding {
	// Each switch with its values for turbo on and off.
	for _, sw := range []struct{ path, on, off string }{
		{cpuDir + "intel_pstate/no_turbo", "0", "1"},
		{cpuDir + "cpufreq/boost", "1", "0"},
		{cpuDir + "cpufreq/policy0/boost", "1", "0"},
	} {
		switch h.get(sw.path) {
		case sw.off:
			return ok("turbo", "off")
		case sw.on:
			return warn("turbo", fmt.Sprintf("echo %s | sudo tee /%s; or %s", sw.off, sw.path, adviceRatios),
				"on: the frequency depends on heat and on other cores")
		}
	}
	if hypervisor != "" {
		return warn("turbo", adviceRatios, "cannot be read in this machine")
	}
	return notAvailable("turbo", "no switch for it here")
}

// smtFinding checks whether two threads share a core.
func (h host) smtFinding(hypervisor string) Finding {
	observed := ""
	if hypervisor != "" {
		observed = ", as far as this guest sees"
	}
	switch s, err := h.text(cpuDir + "smt/active"); {
	case err != nil:
		return notAvailable("smt", "%s", reason(err))
	case s == "1":
		return ok("smt", "on: two busy threads may share one core%s", observed)
	case s == "0":
		return ok("smt", "off: one thread per core%s", observed)
	default:
		return notAvailable("smt", "/%ssmt/active contains %s", cpuDir, quoted(s))
	}
}

// limitFinding compares the CPUs of the machine with those that we may use.
func (h host) limitFinding() Finding {
	c, l := h.cpus(), h.limits()
	text := fmt.Sprintf("%d of %d CPUs usable", c.usable, c.online)
	if l.cpus > 0 {
		text += fmt.Sprintf(", quota %.3g CPUs (%s)", l.cpus, l.cpusBy)
	}
	switch {
	case l.cpus > 0 && l.cpus < float64(c.usable):
		return warn("cpu limit", fmt.Sprintf("threads beyond the quota are halted for the rest of each period; "+
			"stay below with --gomaxprocs %d, or raise it", max(1, int(l.cpus))), "%s", text)
	case c.usable < c.online:
		return ok("cpu limit", "%s (affinity or cpuset)", text)
	}
	return ok("cpu limit", "%s", text)
}

// numaFinding checks whether there are several memory nodes.
func (h host) numaFinding() Finding {
	s, err := h.text("sys/devices/system/node/online")
	if err != nil {
		return notAvailable("numa", "%s", reason(err))
	}
	nodes, err := parseCPUList(s) // the same format
	switch {
	case err != nil:
		return notAvailable("numa", "/sys/devices/system/node/online contains %s", quoted(s))
	case len(nodes) > 1:
		return warn("numa", "bind tare to one node: numactl --cpunodebind=0 --membind=0",
			"%d nodes: memory is near or far by chance", len(nodes))
	}
	return ok("numa", "one node")
}
