package env

import (
	"strconv"
	"strings"
)

const scarceMemory = 0.10 // share of the memory

// memoryFinding looks whether there is enough memory, and whether it is being
// swapped. Swap space in use is no harm by itself: it may have been put there
// days ago.
func (h host) memoryFinding(seen observation) Finding {
	m, err := h.memInfo()
	if err != nil {
		if f := h.facts(); f.memory > 0 {
			return ok("memory", "%s", size(f.memory))
		}
		return na("memory", "%s", because(err))
	}
	text := size(m.total)
	if m.available >= 0 {
		text += ", " + size(m.available) + " available"
	}
	if l := h.limits(); l.memory > 0 && l.memory < m.total {
		text += ", limit " + size(l.memory) + " (cgroup)"
	}
	if used := m.swapUsed(); used > 0 {
		text += ", " + size(used) + " swapped out"
	}
	switch {
	case seen.swapped > 0:
		return warn("memory", "end what needs the memory", "%s, swapping right now (%s in %s)",
			text, count(int(seen.swapped), "page"), span(seen.window))
	case m.available >= 0 && float64(m.available) < scarceMemory*float64(m.total):
		return warn("memory", "end what needs the memory, before it is swapped", "%s", text)
	}
	return ok("memory", "%s", text)
}

// hugePagesFinding tells the setting of transparent huge pages. None of them is
// wrong, but with "always" resident memory grows in steps of 2 MiB.
func (h host) hugePagesFinding() Finding {
	const path = "sys/kernel/mm/transparent_hugepage/enabled"
	s, err := h.text(path)
	if err != nil {
		return na("huge pages", "%s", because(err))
	}
	switch setting := bracketed(s); setting {
	case "always":
		return ok("huge pages", "always: resident memory grows in large steps")
	case "madvise", "never":
		return ok("huge pages", "%s", setting)
	}
	return na("huge pages", "/%s contains %s", path, quoted(s))
}

// bracketed returns the chosen one of "always [madvise] never".
func bracketed(s string) string {
	_, s, ok1 := strings.Cut(s, "[")
	s, _, ok2 := strings.Cut(s, "]")
	if !ok1 || !ok2 {
		return ""
	}
	return s
}

// noRandomize is the bit of personality(2) that setarch -R sets.
const noRandomize = 0x0040000

// aslrFinding looks whether each fork gets addresses of its own. It should: the
// layout is part of what a fork is a draw of, and frozen it is a hidden constant.
func (h host) aslrFinding() Finding {
	const path = "proc/sys/kernel/randomize_va_space"
	s, err := h.text(path)
	if err != nil {
		return na("aslr", "%s", because(err))
	}
	if p, err := strconv.ParseUint(h.get("proc/self/personality"), 16, 64); err == nil && p&noRandomize != 0 {
		return warn("aslr", "run without setarch -R", "off for this process: all forks share one memory layout")
	}
	switch s {
	case "2":
		return ok("aslr", "on: every fork draws its own memory layout")
	case "1":
		return ok("aslr", "on except for the heap: every fork draws its own memory layout")
	case "0":
		return warn("aslr", "sudo sysctl kernel.randomize_va_space=2", "off: all forks share one memory layout")
	}
	return na("aslr", "/%s contains %s", path, quoted(s))
}

// virtualFinding says whose machine this really is.
func virtualFinding(hypervisor, container string) Finding {
	where := "no hypervisor"
	if hypervisor != "" {
		where = "virtual machine (" + hypervisor + ")"
	}
	if container != "" {
		where += ", container (" + container + ")"
	} else if hypervisor == "" {
		where += " or container seen"
	}
	if hypervisor != "" {
		return warn("virtual", ratios, "%s: neighbours share caches, memory and turbo unseen", where)
	}
	return ok("virtual", "%s", where)
}
