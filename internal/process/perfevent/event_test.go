package perfevent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestParseKind(t *testing.T) {
	for _, c := range []struct {
		name string
		want eventSpec
		err  string
	}{
		{"cycles", eventSpec{name: "cycles"}, ""},
		{"cycles:P", eventSpec{name: "cycles", precise: maxPrecision}, ""},
		{"cycles:ppu", eventSpec{name: "cycles", precise: 2, userOnly: true}, ""},
		{"instructions:u", eventSpec{name: "instructions", config: 1, userOnly: true}, ""},
		{"branch-misses", eventSpec{name: "branch-misses", config: 5}, ""},
		{"cpu-clock", eventSpec{name: "cpu-clock", typ: typeSoftware}, ""},
		{"major-faults", eventSpec{name: "major-faults", typ: typeSoftware, config: 6}, ""},
		{"LLC-load-misses", eventSpec{name: "LLC-load-misses", typ: typeCache, config: 0x10002}, ""},
		{"dTLB-loads", eventSpec{name: "dTLB-loads", typ: typeCache, config: 3}, ""},
		{"r1A8", eventSpec{name: "r1A8", typ: typeRaw, config: 0x1a8}, ""},
		{"r", eventSpec{}, `no event "r"`},
		{"cycle", eventSpec{}, "known: L1-dcache-load-misses"},
		{"", eventSpec{}, `no event ""`},
		{"cycles:", eventSpec{}, "no modifier after its colon"},
		{"cycles:k", eventSpec{}, `unknown modifier "k"`},
		{"cycles:pppp", eventSpec{}, "unknown modifier"},
		{"cycles:uu", eventSpec{}, "unknown modifier"},
		{"cycles:Pp", eventSpec{}, "unknown modifier"},
	} {
		k, err := parseEvent(c.name)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || k != c.want {
			t.Errorf("%q: %+v, %v, want %+v", c.name, k, err, c.want)
		}
	}
}

// TestEventsTwice: events must differ, or their samples could not be distinguished.
func TestEventsTwice(t *testing.T) {
	for _, events := range [][]string{{"cycles", "cycles"}, slices.Repeat([]string{"cycles"}, MaxEvents+1), {"nothing"}} {
		if _, err := candidates(events); err == nil {
			t.Errorf("%q rejected", events)
		}
	}
}

// TestClimb: the kernel's errors decide which event is used instead of another, and what is reported.
func TestClimb(t *testing.T) {
	refuses := func(err error, names ...string) func(eventSpec) error {
		return func(k eventSpec) error {
			if slices.Contains(names, k.String()) {
				return err
			}
			return nil
		}
	}
	virtual := func(k eventSpec) error {
		if k.typ == typeHardware {
			return syscall.ENOENT
		}
		return nil
	}
	strict := func(k eventSpec) error {
		switch {
		case k.typ == typeHardware:
			return syscall.ENOENT
		case !k.userOnly:
			return syscall.EACCES
		}
		return nil
	}
	never := func(err error) func(eventSpec) error { return func(eventSpec) error { return err } }
	for _, c := range []struct {
		what     string
		events   []string
		try      func(eventSpec) error
		want     string
		rejected string // all, one after the other
		err      error
		tries    int
		errText  string
	}{
		{"a good machine", nil, never(nil), "cycles:ppp", "", nil, 1, ""},
		{"less precise", nil, refuses(syscall.EOPNOTSUPP, "cycles:ppp", "cycles:pp"), "cycles:p", "cycles:ppp, cycles:pp: this processor does not support it (operation not supported)", nil, 3, ""},
		{"no kernel", nil, refuses(syscall.EACCES, "cycles:ppp"), "cycles:pppu", "cycles:ppp: kernel.perf_event_paranoid forbids it (permission denied)", nil, 2, ""},
		{"virtual", nil, virtual, "cpu-clock", "cycles:ppp, cycles:pp, cycles:p, cycles: this machine has no such counter, as most virtual machines (no such file or directory)", nil, 5, ""},
		{"virtual and strict", nil, strict, "cpu-clock:u", "cycles:ppp, cycles:pp, cycles:p, cycles: this machine has no such counter, as most virtual machines (no such file or directory)" +
			"; cpu-clock: kernel.perf_event_paranoid forbids it (permission denied)", nil, 6, ""},
		{"a container", nil, never(syscall.EPERM), "", "", syscall.EPERM, 10, "not permitted, as in most containers"},
		{"no perf events", nil, never(syscall.ENOSYS), "", "", syscall.ENOSYS, 5, "this kernel has no perf events"},
		{"gone", nil, never(syscall.ESRCH), "", "", syscall.ESRCH, 1, "no such process"},
		{"many files", nil, never(syscall.EMFILE), "", "", syscall.EMFILE, 1, "too many open files"},
		{"asked for", []string{"cycles:u"}, virtual, "", "", syscall.ENOENT, 1, "cycles:u: this machine has no such counter"},
		{"as precise as asked for", []string{"cycles:pp"}, refuses(syscall.EOPNOTSUPP, "cycles:pp"), "", "", syscall.EOPNOTSUPP, 1, "cycles:pp"},
	} {
		list, err := candidates(c.events)
		if err != nil {
			t.Fatal(err)
		}
		tries := 0
		k, rejected, err := openFirst(list[0], func(k eventSpec) error { tries++; return c.try(k) })
		if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || err != nil && !strings.Contains(err.Error(), c.errText) {
			t.Errorf("%s: %v, want %v", c.what, err, c.err)
		}
		if err == nil && k.String() != c.want {
			t.Errorf("%s: %s, want %s", c.what, k, c.want)
		}
		if got := strings.Join(rejected, "; "); err == nil && got != c.rejected {
			t.Errorf("%s: rejected over %q, want %q", c.what, got, c.rejected)
		}
		if tries != c.tries {
			t.Errorf("%s: %d tries, want %d", c.what, tries, c.tries)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{{Frequency: -1}, {Pages: 3}, {Pages: 4}, {Pages: 1 << 17}, {Delay: -1}, {Duration: -1}, {Events: []string{"x"}}} {
		if _, _, err := c.withDefaults(); err == nil {
			t.Errorf("%+v rejected", c)
		}
	}
	c, candidates, err := Config{}.withDefaults()
	if err != nil || c.Frequency != 997 || c.Pages != 256 || len(candidates) != 1 {
		t.Errorf("%+v, %v, %v", c, candidates, err)
	}
}

func TestParseCPUs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0\n", "[0]"}, {"0-3", "[0 1 2 3]"}, {"0-1,5,7-8\n", "[0 1 5 7 8]"},
		{"", "error"}, {"3-1", "error"}, {"a", "error"}, {"0-", "error"}, {"-1", "error"}, {"0-99999999", "error"}, {"0,,1", "error"},
	} {
		cpus, err := parseCPUs(c.text)
		got := fmt.Sprint(cpus)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%q: %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}
