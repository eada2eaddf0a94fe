package perfevent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// eventSpec is an event to open, identified by the kernel's type and config.
type eventSpec struct {
	name     string // without the part after the colon
	typ      uint32
	config   uint64
	precise  int  // 0 to 3, or mostPrecise for the highest available
	userOnly bool // as requested
}

// Types of events; see perf_event_open(2).
const (
	typeHardware = 0
	typeSoftware = 1
	typeCache    = 3
	typeRaw      = 4
)

const maxPrecision = -1

// Software events that count CPU time.
const (
	cpuClock  = 0
	taskClock = 1
)

// namedEvents returns the events that have generic names. Whether a machine has one is known when it is opened.
func namedEvents() map[string]eventSpec {
	of := func(typ uint32, names ...string) map[string]eventSpec {
		m := map[string]eventSpec{}
		for i, n := range names {
			m[n] = eventSpec{name: n, typ: typ, config: uint64(i)}
		}
		return m
	}
	all := of(typeHardware, "cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
		"bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles")
	for n, k := range of(typeSoftware, "cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
		"minor-faults", "major-faults", "alignment-faults") {
		all[n] = k
	}
	const read, miss = 0 << 8, 1 << 16
	for i, n := range []string{"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB"} {
		all[n+"-loads"] = eventSpec{name: n + "-loads", typ: typeCache, config: uint64(i) | read}
		all[n+"-load-misses"] = eventSpec{name: n + "-load-misses", typ: typeCache, config: uint64(i) | read | miss}
	}
	return all
}

// parseEvent parses the name of an event and the modifiers after its colon.
func parseEvent(s string) (eventSpec, error) {
	name, modifiers, colon := strings.Cut(s, ":")
	all := namedEvents()
	k, ok := all[name]
	if !ok {
		hex, isRaw := strings.CutPrefix(name, "r")
		number, err := strconv.ParseUint(hex, 16, 64)
		if !isRaw || err != nil {
			names := make([]string, 0, len(all))
			for n := range all {
				names = append(names, n)
			}
			slices.Sort(names)
			return k, fmt.Errorf("perfevent: no event %q; known: %s, and rHEX", s, strings.Join(names, ", "))
		}
		k = eventSpec{name: name, typ: typeRaw, config: number}
	}
	for _, m := range modifiers {
		switch {
		case m == 'u' && !k.userOnly:
			k.userOnly = true
		case m == 'P' && k.precise == 0:
			k.precise = maxPrecision
		case m == 'p' && k.precise >= 0 && k.precise < 3:
			k.precise++
		default:
			return k, fmt.Errorf("perfevent: %q: unknown modifier %q; known: u, p, pp, ppp, P", s, modifiers)
		}
	}
	if colon && modifiers == "" {
		return k, fmt.Errorf("perfevent: %q has no modifier after its colon", s)
	}
	return k, nil
}

// candidates returns the candidates for each event, best first.
func candidates(events []string) ([][]eventSpec, error) {
	if len(events) == 0 {
		cycles, clock := namedEvents()["cycles"], namedEvents()["cpu-clock"]
		cycles.precise = maxPrecision
		return [][]eventSpec{slices.Concat(cycles.candidates(), clock.candidates())}, nil
	}
	if len(events) > MaxEvents {
		return nil, fmt.Errorf("perfevent: %d events, at most %d", len(events), MaxEvents)
	}
	var out [][]eventSpec
	seen := map[string]bool{}
	for _, e := range events {
		k, err := parseEvent(e)
		if err != nil {
			return nil, err
		}
		if seen[e] {
			return nil, fmt.Errorf("perfevent: event %q is given twice", e)
		}
		seen[e] = true
		out = append(out, k.candidates())
	}
	return out, nil
}

// MaxEvents is the maximum number of events of a Config.
const MaxEvents = 8

// candidates returns the event with all its degrees of precision, highest first, each with and without the kernel.
func (k eventSpec) candidates() []eventSpec {
	degrees := []int{k.precise}
	if k.precise == maxPrecision {
		degrees = []int{3, 2, 1, 0}
	}
	if k.typ == typeSoftware {
		degrees = []int{0} // software events have no precision
	}
	var out []eventSpec
	for _, d := range degrees {
		k.precise = d
		if !k.userOnly {
			out = append(out, k)
		}
		user := k
		user.userOnly = true
		out = append(out, user)
	}
	return out
}

// String returns the name in perf's notation: cycles:ppp, cpu-clock:u.
func (k eventSpec) String() string {
	s := strings.Repeat("p", max(k.precise, 0))
	if k.userOnly {
		s += "u"
	}
	if s == "" {
		return k.name
	}
	return k.name + ":" + s
}

// isClock reports whether the event counts CPU time in ns.
func (k eventSpec) isClock() bool {
	return k.typ == typeSoftware && (k.config == cpuClock || k.config == taskClock)
}
