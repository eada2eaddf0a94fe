package perfevent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// kind is an event to open: what the kernel knows by type and number.
type kind struct {
	name     string // as asked for, without what is behind the colon
	typ      uint32
	config   uint64
	precise  int  // 0 to 3; mostPrecise: as high as it goes
	userOnly bool // asked for
}

// Types of events, see perf_event_open(2).
const (
	typeHardware = 0
	typeSoftware = 1
	typeCache    = 3
	typeRaw      = 4
)

const mostPrecise = -1

// Clocks of CPU time among the software events.
const (
	cpuClock  = 0
	taskClock = 1
)

// named are the events that every machine has a word for. Which of them it can
// count it says when they are opened.
func named() map[string]kind {
	of := func(typ uint32, names ...string) map[string]kind {
		m := map[string]kind{}
		for i, n := range names {
			m[n] = kind{name: n, typ: typ, config: uint64(i)}
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
		all[n+"-loads"] = kind{name: n + "-loads", typ: typeCache, config: uint64(i) | read}
		all[n+"-load-misses"] = kind{name: n + "-load-misses", typ: typeCache, config: uint64(i) | read | miss}
	}
	return all
}

// parseKind understands a name and what is behind its colon.
func parseKind(s string) (kind, error) {
	name, modifiers, colon := strings.Cut(s, ":")
	all := named()
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
			return k, fmt.Errorf("perfevent: no event %q; there are %s, and rHEX", s, strings.Join(names, ", "))
		}
		k = kind{name: name, typ: typeRaw, config: number}
	}
	for _, m := range modifiers {
		switch {
		case m == 'u' && !k.userOnly:
			k.userOnly = true
		case m == 'P' && k.precise == 0:
			k.precise = mostPrecise
		case m == 'p' && k.precise >= 0 && k.precise < 3:
			k.precise++
		default:
			return k, fmt.Errorf("perfevent: %q: %q is none of u, p, pp, ppp and P", s, modifiers)
		}
	}
	if colon && modifiers == "" {
		return k, fmt.Errorf("perfevent: %q ends with its colon", s)
	}
	return k, nil
}

// ladders are what to try for each event, the best first.
func ladders(events []string) ([][]kind, error) {
	if len(events) == 0 {
		cycles, clock := named()["cycles"], named()["cpu-clock"]
		cycles.precise = mostPrecise
		return [][]kind{slices.Concat(cycles.rungs(), clock.rungs())}, nil
	}
	if len(events) > MostEvents {
		return nil, fmt.Errorf("perfevent: %d events, at most %d", len(events), MostEvents)
	}
	var out [][]kind
	seen := map[string]bool{}
	for _, e := range events {
		k, err := parseKind(e)
		if err != nil {
			return nil, err
		}
		if seen[e] {
			return nil, fmt.Errorf("perfevent: event %q twice", e)
		}
		seen[e] = true
		out = append(out, k.rungs())
	}
	return out, nil
}

// MostEvents is how many can be sampled at the same time.
const MostEvents = 8

// rungs are the degrees of precision, the highest first, each with and without the kernel.
func (k kind) rungs() []kind {
	degrees := []int{k.precise}
	if k.precise == mostPrecise {
		degrees = []int{3, 2, 1, 0}
	}
	if k.typ == typeSoftware {
		degrees = []int{0} // there is nothing to be precise about
	}
	var out []kind
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

// String is the name as perf has it: cycles:ppp, cpu-clock:u.
func (k kind) String() string {
	s := strings.Repeat("p", max(k.precise, 0))
	if k.userOnly {
		s += "u"
	}
	if s == "" {
		return k.name
	}
	return k.name + ":" + s
}

// clock reports whether the event is CPU time, in nanoseconds.
func (k kind) clock() bool {
	return k.typ == typeSoftware && (k.config == cpuClock || k.config == taskClock)
}
