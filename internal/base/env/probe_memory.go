package env

import (
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

const lowMemory = 0.10 // share of the memory

// memoryFinding checks that there is enough memory and that none is being swapped. Swap space in use is
// harmless by itself: it may be days old.
func (h host) memoryFinding(observed observation) Finding {
	m, err := h.memInfo()
	if err != nil {
		if f := h.facts(); f.memory > 0 {
			return ok("memory", "%s", units.Bytes(f.memory))
		}
		return notAvailable("memory", "%s", reason(err))
	}
	text := units.Bytes(m.total)
	if m.available >= 0 {
		text += ", " + units.Bytes(m.available) + " available"
	}
	if l := h.limits(); l.memory > 0 && l.memory < m.total {
		text += ", limit " + units.Bytes(l.memory) + " (cgroup)"
	}
	if used := m.swapUsed(); used > 0 {
		text += ", " + units.Bytes(used) + " swapped out"
	}
	switch {
	case observed.swapped > 0:
		return warn("memory", "end what needs the memory", "%s, swapping right now (%s in %s)",
			text, units.Plural(int(observed.swapped), "page"), units.Span(float64(observed.window)))
	case m.available >= 0 && float64(m.available) < lowMemory*float64(m.total):
		return warn("memory", "end what needs the memory, before it is swapped", "%s", text)
	}
	return ok("memory", "%s", text)
}

// hugePagesFinding reports the setting of transparent huge pages. None is wrong, but with "always" resident
// memory grows in steps of 2 MiB.
func (h host) hugePagesFinding() Finding {
	const path = "sys/kernel/mm/transparent_hugepage/enabled"
	s, err := h.text(path)
	if err != nil {
		return notAvailable("huge pages", "%s", reason(err))
	}
	switch setting := bracketed(s); setting {
	case "always":
		return ok("huge pages", "always: resident memory grows in large steps")
	case "madvise", "never":
		return ok("huge pages", "%s", setting)
	}
	return notAvailable("huge pages", "/%s contains %s", path, quoted(s))
}

// bracketed returns "madvise" of "always [madvise] never".
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

// aslrFinding checks that each fork gets its own addresses. Without that all forks share one memory layout, a
// hidden constant in every result.
func (h host) aslrFinding() Finding {
	const path = "proc/sys/kernel/randomize_va_space"
	s, err := h.text(path)
	if err != nil {
		return notAvailable("aslr", "%s", reason(err))
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
	return notAvailable("aslr", "/%s contains %s", path, quoted(s))
}

// virtualFinding reports hypervisor and container.
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
		return warn("virtual", adviceRatios, "%s: neighbours share caches, memory and turbo unseen", where)
	}
	return ok("virtual", "%s", where)
}
