package env

import (
	"errors"
	"strconv"
	"strings"
)

// Autogroup returns nil if the kernel shares processors between sessions, so that a session's autogroup priority decides;
// else it returns why not: there are no autogroups, or a control group of this process decides.
func Autogroup() error { return thisHost().autogroup() }

func (h host) autogroup() error {
	switch h.get("proc/sys/kernel/sched_autogroup_enabled") {
	case "1":
	case "0":
		return errors.New("autogroups are switched off (kernel.sched_autogroup_enabled)")
	default:
		return errors.New("the kernel has no autogroups")
	}
	groups := parseCgroup(h.get("proc/self/cgroup"))
	if group, v1 := groups.v1["cpu"]; v1 {
		if group != "/" {
			return errors.New("the CPU control group " + group + " decides")
		}
		return nil
	}
	for _, dir := range groups.dirs("cpu", parseMounts(h.get("proc/self/mountinfo"))) {
		if h.get(dir+"/cpu.weight") != "" { // the root has none
			return errors.New("the CPU control group /" + dir + " decides")
		}
	}
	return nil
}

// priorityFinding says whether forks get a higher priority than the programs of other sessions.
func (h host) priorityFinding() Finding {
	if err := h.autogroup(); err != nil {
		return notAvailable("priority", "forks have that of other programs: %v", err)
	}
	if !mayRaise(h.get("proc/self/status")) {
		return ok("priority", "forks are a session among others; with CAP_SYS_NICE they would come first (autogroup -20)")
	}
	return ok("priority", "forks come before other sessions (autogroup -20)")
}

// mayRaise reports whether /proc/self/status shows the capability CAP_SYS_NICE; see capabilities(7).
func mayRaise(status string) bool {
	const sysNice = 23
	for l := range strings.Lines(status) {
		if text, ok := strings.CutPrefix(l, "CapEff:"); ok {
			caps, err := strconv.ParseUint(strings.TrimSpace(text), 16, 64)
			return err == nil && caps>>sysNice&1 == 1
		}
	}
	return false
}
