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
		want kind
		err  string
	}{
		{"cycles", kind{name: "cycles"}, ""},
		{"cycles:P", kind{name: "cycles", precise: mostPrecise}, ""},
		{"cycles:ppu", kind{name: "cycles", precise: 2, userOnly: true}, ""},
		{"instructions:u", kind{name: "instructions", config: 1, userOnly: true}, ""},
		{"branch-misses", kind{name: "branch-misses", config: 5}, ""},
		{"cpu-clock", kind{name: "cpu-clock", typ: typeSoftware}, ""},
		{"major-faults", kind{name: "major-faults", typ: typeSoftware, config: 6}, ""},
		{"LLC-load-misses", kind{name: "LLC-load-misses", typ: typeCache, config: 0x10002}, ""},
		{"dTLB-loads", kind{name: "dTLB-loads", typ: typeCache, config: 3}, ""},
		{"r1A8", kind{name: "r1A8", typ: typeRaw, config: 0x1a8}, ""},
		{"r", kind{}, `no event "r"`},
		{"cycle", kind{}, "there are L1-dcache-load-misses"},
		{"", kind{}, `no event ""`},
		{"cycles:", kind{}, "ends with its colon"},
		{"cycles:k", kind{}, `"k" is none of`},
		{"cycles:pppp", kind{}, "is none of"},
		{"cycles:uu", kind{}, "is none of"},
		{"cycles:Pp", kind{}, "is none of"},
	} {
		k, err := parseKind(c.name)
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

// TestEventsTwice: events must differ, or their samples could not be told apart.
func TestEventsTwice(t *testing.T) {
	for _, events := range [][]string{{"cycles", "cycles"}, slices.Repeat([]string{"cycles"}, MostEvents+1), {"nothing"}} {
		if _, err := ladders(events); err == nil {
			t.Errorf("%q passed", events)
		}
	}
}

// TestClimb: what a kernel says decides on which rung a ladder holds, and what is told.
func TestClimb(t *testing.T) {
	refuses := func(err error, names ...string) func(kind) error {
		return func(k kind) error {
			if slices.Contains(names, k.String()) {
				return err
			}
			return nil
		}
	}
	virtual := func(k kind) error {
		if k.typ == typeHardware {
			return syscall.ENOENT
		}
		return nil
	}
	strict := func(k kind) error {
		switch {
		case k.typ == typeHardware:
			return syscall.ENOENT
		case !k.userOnly:
			return syscall.EACCES
		}
		return nil
	}
	never := func(err error) func(kind) error { return func(kind) error { return err } }
	for _, c := range []struct {
		what    string
		events  []string
		try     func(kind) error
		want    string
		passed  string // all, one after the other
		err     error
		tries   int
		errText string
	}{
		{"a good machine", nil, never(nil), "cycles:ppp", "", nil, 1, ""},
		{"less precise", nil, refuses(syscall.EOPNOTSUPP, "cycles:ppp", "cycles:pp"), "cycles:p", "cycles:ppp, cycles:pp: this processor cannot (operation not supported)", nil, 3, ""},
		{"no kernel", nil, refuses(syscall.EACCES, "cycles:ppp"), "cycles:pppu", "cycles:ppp: kernel.perf_event_paranoid forbids it (permission denied)", nil, 2, ""},
		{"virtual", nil, virtual, "cpu-clock", "cycles:ppp, cycles:pp, cycles:p, cycles: this machine has no such counter, as most virtual ones (no such file or directory)", nil, 5, ""},
		{"virtual and strict", nil, strict, "cpu-clock:u", "cycles:ppp, cycles:pp, cycles:p, cycles: this machine has no such counter, as most virtual ones (no such file or directory)" +
			"; cpu-clock: kernel.perf_event_paranoid forbids it (permission denied)", nil, 6, ""},
		{"a container", nil, never(syscall.EPERM), "", "", syscall.EPERM, 10, "forbidden, as in most containers"},
		{"no perf events", nil, never(syscall.ENOSYS), "", "", syscall.ENOSYS, 5, "this kernel has no perf events"},
		{"gone", nil, never(syscall.ESRCH), "", "", syscall.ESRCH, 1, "no such process"},
		{"many files", nil, never(syscall.EMFILE), "", "", syscall.EMFILE, 1, "too many open files"},
		{"asked for", []string{"cycles:u"}, virtual, "", "", syscall.ENOENT, 1, "cycles:u: this machine has no such counter"},
		{"as precise as asked for", []string{"cycles:pp"}, refuses(syscall.EOPNOTSUPP, "cycles:pp"), "", "", syscall.EOPNOTSUPP, 1, "cycles:pp"},
	} {
		rungs, err := ladders(c.events)
		if err != nil {
			t.Fatal(err)
		}
		tries := 0
		k, passed, err := climb(rungs[0], func(k kind) error { tries++; return c.try(k) })
		if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || err != nil && !strings.Contains(err.Error(), c.errText) {
			t.Errorf("%s: %v, want %v", c.what, err, c.err)
		}
		if err == nil && k.String() != c.want {
			t.Errorf("%s: %s, want %s", c.what, k, c.want)
		}
		if got := strings.Join(passed, "; "); err == nil && got != c.passed {
			t.Errorf("%s: passed over %q, want %q", c.what, got, c.passed)
		}
		if tries != c.tries {
			t.Errorf("%s: %d tries, want %d", c.what, tries, c.tries)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{{Frequency: -1}, {Pages: 3}, {Pages: 4}, {Pages: 1 << 17}, {Delay: -1}, {Length: -1}, {Events: []string{"x"}}} {
		if _, _, err := c.prepared(); err == nil {
			t.Errorf("%+v passed", c)
		}
	}
	c, ladders, err := Config{}.prepared()
	if err != nil || c.Frequency != 997 || c.Pages != 256 || len(ladders) != 1 {
		t.Errorf("%+v, %v, %v", c, ladders, err)
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
