package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarebench/tare/stat"
)

// TestRecorded: on recorded forks the rule of the verdict calls the same forks different no more often than it may, and
// finds changes more often than the U test does. Windows are few, so the limits are those that chance allows.
func TestRecorded(t *testing.T) {
	all, err := readRecorded()
	if err != nil {
		t.Fatal(err)
	}
	const windows, seed = 8, 7
	sums := map[string]*power{}
	counts := map[string]int{}
	for i, x := range all {
		p := x.call(windows, 20, rand.New(rand.NewPCG(seed, uint64(i))))
		s := sums[x.set]
		if s == nil {
			s = &power{}
			sums[x.set] = s
		}
		counts[x.set] += windows
		for k := range changes {
			s.u[k] += p.u[k]
			s.verdict[k] += p.verdict[k]
		}
		if e := stat.ClopperPearson(p.verdict[0], windows, 0.9999); e.Lo > 0.05 {
			t.Errorf("%s: the same forks are called different in %d of %d windows", x.name, p.verdict[0], windows)
		}
		if strings.Contains(x.name, "12.5 ms") && p.verdict[2] < windows/2 {
			t.Errorf("%s: 5 %% is called in %d of %d windows", x.name, p.verdict[2], windows)
		}
	}
	for set, s := range sums {
		n := counts[set]
		t.Logf("seed %d, %s: of %d windows the U test calls %v, the verdict %v", seed, set, n, s.u, s.verdict)
		if s.verdict[2] < s.u[2]-n/10 || set == "busy" && s.verdict[2] < s.u[2]*3/2 {
			t.Errorf("%s: 5 %% is called in %d of %d windows, by the U test in %d", set, s.verdict[2], n, s.u[2])
		}
		if s.opposed > n/50 {
			t.Errorf("%s: %d verdicts in the wrong direction", set, s.opposed)
		}
	}
}

// TestTheDocumentHasRecorded: the table of recorded forks in the document was printed by the command above it, for all
// recordings.
func TestTheDocumentHasRecorded(t *testing.T) {
	all, err := readRecorded()
	if err != nil {
		t.Fatal(err)
	}
	text := section(t, "What the verdict finds on recorded forks")
	commands := strings.Split(text, "`go -C lab run ./coverage ")[1:]
	if len(commands) != 2 {
		t.Fatalf("the document has %d commands, not 2", len(commands))
	}
	for i, args := range commands {
		args, _, _ = strings.Cut(args, "`")
		if c, err := parse(strings.Fields(args)); err != nil || c.savage != (i == 0) || c.undisturbed != (i == 1) {
			t.Errorf("%q: %+v, %v", args, c, err)
		}
	}
	for _, x := range all {
		if !strings.Contains(text, "| "+x.set+" | "+x.name+" |") {
			t.Errorf("the document's table has no row for %s, %s", x.set, x.name)
		}
	}
	for _, s := range shapes {
		if !strings.Contains(text, "| "+s.name+" | 40 |") {
			t.Errorf("the document's table has no row for %s", s.name)
		}
	}
}
