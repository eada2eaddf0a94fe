package result

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// TestPairRenamed: names are paired one to one, and only where nothing else may be meant.
func TestPairRenamed(t *testing.T) {
	for _, c := range []struct{ lost, born, want string }{
		{"Work", "Work2", "Work→Work2"},
		{"Work", "Other", "Work→Other"}, // the only ones
		{"Work", "Work/a", ""},          // another number of elements
		{"Work/size=10", "Work/size=100", ""},
		{"Work/10", "Work/100", ""},
		{"Work/kind=map", "Work/kind=list", ""},
		{"Work/size=10", "Work/n=10", "Work/size=10→Work/n=10"},
		{"Work/small", "Work/tiny", "Work/small→Work/tiny"},
		{"Work/size=10", "Work2/size=10", "Work/size=10→Work2/size=10"},
		{"Work/size=10", "Work2/size=20", ""},
		{"Work Sort", "Work2 Sort2", "Sort→Sort2 Work→Work2"},
		{"Work Sort", "Work2 Other", "Work→Work2"},
		{"Work Sort", "Work2 Work3", ""}, // two are as similar
		{"Work1 Work2", "Work3", ""},
		{"Get Sort", "Set Other", ""}, // one letter of three
		{"Encode", "Encode2 Sort", "Encode→Encode2"},
		{"Work/a Work/b", "Work2/b Work2/a", "Work/a→Work2/a Work/b→Work2/b"},
		{"", "Work", ""},
		{"Work", "", ""},
	} {
		lost, born := casesOf(c.lost), casesOf(c.born)
		if got := pairsText(lost, born, PairRenamed(lost, born)); got != c.want {
			t.Errorf("%s, then %s: %q, want %q", c.lost, c.born, got, c.want)
		}
	}
	other := casesOf("Work2")
	other[0].Pkg = "q"
	if got := PairRenamed(casesOf("Work"), other); got[0] != -1 {
		t.Error("paired with another package")
	}
}

func casesOf(names string) (out []*record.Case) {
	for _, name := range strings.Fields(names) {
		out = append(out, &record.Case{Pkg: "p", Name: name, Procs: 1})
	}
	return out
}

func pairsText(lost, born []*record.Case, partners []int) string {
	var out []string
	for i, j := range partners {
		if j >= 0 {
			out = append(out, lost[i].Name+"→"+born[j].Name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestPairRenamedOrder: whatever the order of the benchmarks is, the pairs are the same, and no two have one partner.
// Many and long names take no time.
func TestPairRenamedOrder(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	word := func() string {
		b := make([]byte, 3+r.IntN(3))
		for i := range b {
			b[i] = "ab"[r.IntN(2)]
		}
		return "B" + string(b)
	}
	for range 200 {
		var names [2][]string
		for i := range names {
			for range 1 + r.IntN(6) {
				names[i] = append(names[i], word())
			}
			slices.Sort(names[i])
			names[i] = slices.Compact(names[i])
		}
		lost, born := casesOf(strings.Join(names[0], " ")), casesOf(strings.Join(names[1], " "))
		partners := PairRenamed(lost, born)
		want, taken := pairsText(lost, born, partners), map[int]bool{}
		for _, j := range partners {
			if j >= 0 && taken[j] {
				t.Fatalf("seed %d: %v, %v: %s", seed, names[0], names[1], want)
			}
			taken[j] = true
		}
		r.Shuffle(len(lost), func(i, j int) { lost[i], lost[j] = lost[j], lost[i] })
		r.Shuffle(len(born), func(i, j int) { born[i], born[j] = born[j], born[i] })
		if got := pairsText(lost, born, PairRenamed(lost, born)); got != want {
			t.Fatalf("seed %d: %v, %v: %s, in another order %s", seed, names[0], names[1], want, got)
		}
	}
	var lost, born []*record.Case
	for i := range 3000 {
		long := strings.Repeat("x", 10_000)
		lost = append(lost, &record.Case{Name: fmt.Sprintf("A%d%s", i, long)}, &record.Case{Name: fmt.Sprint("Lost", i)})
		born = append(born, &record.Case{Name: fmt.Sprintf("B%d%s", i, long)}, &record.Case{Name: fmt.Sprint("Born", i)})
	}
	PairRenamed(lost, born)
}

// lostText returns what is lost on a result, and the rows that are compared.
func lostText(s *Result) (out []string) {
	for _, l := range s.Lost {
		out = append(out, l.String())
	}
	for _, c := range s.Comparisons {
		out = append(out, c.Name)
	}
	return out
}

// TestLost: a benchmark of the base that the other side lacks or failed is lost; what the base lacks or failed, is not.
func TestLost(t *testing.T) {
	failing := func(s *sided, id int, side, name string) {
		s.Add(&record.Case{ID: id, Pkg: "p", Name: name, Side: side, Procs: 1})
		s.Add(&record.Fork{ID: 1000 + id, Case: id, Purpose: record.PurposeTiming, State: record.StateFailed, Why: "panic: x"})
	}
	for what, c := range map[string]struct {
		build func(*sided)
		want  []string
	}{
		"both":    {func(s *sided) { s.add("old", "A", "ns/op", 8, 100, 0.02); s.add("new", "A", "ns/op", 8, 100, 0.02) }, []string{"A"}},
		"removed": {func(s *sided) { s.add("old", "A", "ns/op", 8, 100, 0.02) }, []string{"A: new lacks it: it was removed, renamed, or skips itself"}},
		"not measured, because it is lost": {func(s *sided) { s.Add(&record.Case{ID: 1, Pkg: "p", Name: "A", Side: "old", Procs: 1}) },
			[]string{"A: new lacks it: it was removed, renamed, or skips itself"}},
		"why": {func(s *sided) {
			s.Add(&record.Case{ID: 1, Pkg: "p", Name: "A", Side: "old", Procs: 1})
			s.Add(&record.Warn{About: record.AboutCase, ID: 1, Code: diagnosis.Lost, Text: "other: x"})
			s.Add(&record.Warn{About: record.AboutCase, ID: 1, Code: diagnosis.Lost, Text: "new: it skips itself"})
		}, []string{"A: on new it skips itself"}},
		"new only":            {func(s *sided) { s.add("new", "A", "ns/op", 8, 100, 0.02) }, nil},
		"failing on the head": {func(s *sided) { s.add("old", "A", "ns/op", 8, 100, 0.02); failing(s, 9, "new", "A") }, []string{"A: failed on new: panic: x"}},
		"failing on the base": {func(s *sided) { failing(s, 9, "old", "A"); s.add("new", "A", "ns/op", 8, 100, 0.02) }, nil},
		"failing on both":     {func(s *sided) { failing(s, 8, "old", "A"); failing(s, 9, "new", "A") }, nil},
		"the whole binary fails": {func(s *sided) { s.add("old", "A", "ns/op", 8, 100, 0.02); failing(s, 9, "new", "TestMain") },
			[]string{"A: TestMain failed on new: panic: x"}},
		"a function fails before its sub-benchmarks": {func(s *sided) { s.add("old", "A/x", "ns/op", 8, 100, 0.02); failing(s, 9, "new", "A") },
			[]string{"A/x: A failed on new: panic: x"}},
		"another unit": {func(s *sided) { s.add("old", "A", "ns/op", 8, 100, 0.02); s.add("new", "A", "x/op", 8, 100, 0.02) },
			[]string{"A ns/op: new does not report ns/op"}},
		"not yet measured": {func(s *sided) {
			s.Add(&record.Case{ID: 1, Pkg: "p", Name: "A", Side: "old", Procs: 1})
			s.Add(&record.Case{ID: 2, Pkg: "p", Name: "A", Side: "new", Procs: 1})
		}, nil},
		"cut off": {func(s *sided) {
			s.add("old", "A", "ns/op", 8, 100, 0.02)
			s.Add(&record.Case{ID: 2, Pkg: "p", Name: "A", Side: "new", Procs: 1})
		}, []string{"A: new has no figures of it: the run is not complete"}},
		"renamed": {func(s *sided) {
			s.add("old", "Work", "ns/op", 8, 100, 0.02)
			s.add("new", "Work2", "ns/op", 8, 100, 0.02)
		},
			[]string{"Work: renamed to Work2?", "Work → Work2"}},
		"what failed under a new name": {func(s *sided) {
			s.add("old", "Work", "ns/op", 8, 100, 0.02)
			failing(s, 9, "new", "Work2")
			failing(s, 10, "new", "Other")
		}, []string{"Work: renamed to Work2? That failed on new: panic: x"}},
		"two packages": {func(s *sided) {
			s.add("old", "A", "ns/op", 8, 100, 0.02)
			s.Add(&record.Case{ID: 9, Pkg: "q", Name: "A", Side: "old", Procs: 1})
			s.Add(&record.Case{ID: 10, Pkg: "q", Name: "A", Side: "old", Procs: 2})
		}, []string{"p A: new lacks it: it was removed, renamed, or skips itself", "q A-1: new lacks it: it was removed, renamed, or skips itself",
			"q A-2: new lacks it: it was removed, renamed, or skips itself"}},
	} {
		s := newSided(record.Config{}, "old", "new")
		c.build(s)
		res := s.Result()
		if got := lostText(res); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if i := slices.IndexFunc(res.Warnings, func(w Warning) bool { return strings.HasPrefix(w.Text, "old lacks Work2") }); i >= 0 {
			t.Errorf("%s: %s, which looks renamed", what, res.Warnings[i].Text)
		}
	}
}

// TestRenamedRow: the pair has both names, is no part of the geometric mean, and the new name is not listed as one
// that the base lacks.
func TestRenamedRow(t *testing.T) {
	s := newSided(record.Config{}, "old", "new")
	s.add("old", "Work", "ns/op", 20, 100, 0.01)
	s.add("new", "Work2", "ns/op", 20, 300, 0.01)
	for _, name := range []string{"X", "Y"} {
		s.add("old", name, "ns/op", 20, 100, 0.01)
		s.add("new", name, "ns/op", 20, 100, 0.01)
	}
	res := s.Result()
	i := slices.IndexFunc(res.Comparisons, func(c Comparison) bool { return c.Renamed != nil })
	if i < 0 || *res.Comparisons[i].Renamed != (Renamed{"Work", "Work2"}) || res.Comparisons[i].Verdict != "slower" {
		t.Fatalf("%+v", res.Comparisons)
	}
	if len(res.Geomeans) != 1 || res.Geomeans[0].N != 2 {
		t.Errorf("%+v", res.Geomeans)
	}
	for _, w := range res.Warnings {
		if w.Code == diagnosis.OneSide && (w.Text != "new lacks Work" || !w.Listed) {
			t.Errorf("%+v", w)
		}
	}
}

// TestLostBySelection: what the flags of another run left out is not lost.
func TestLostBySelection(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*record.Config)
		want   string
	}{
		"the same":            {func(*record.Config) {}, "A B/x"},
		"--bench":             {func(c *record.Config) { c.Bench = "A|C" }, "A"},
		"--bench of a part":   {func(c *record.Config) { c.Bench = "B/y" }, ""},
		"--skip":              {func(c *record.Config) { c.Skip = "^BenchmarkA$" }, "B/x"},
		"--filter":            {func(c *record.Config) { c.Filter = ".name:B" }, "B/x"},
		"--gomaxprocs":        {func(c *record.Config) { c.CPU = []int{4} }, ""},
		"other packages":      {func(c *record.Config) { c.Packages = []string{"./q"} }, "A B/x"}, // it has measured this one
		"nothing of interest": {func(c *record.Config) { c.Forks = 3 }, "A B/x"},
	} {
		base := record.Config{Packages: []string{"."}, Bench: ".", CPU: []int{1}}
		head := base
		c.change(&head)
		all := NewBuilder()
		for i, names := range [][]string{{"A", "B/x", "Both"}, {"Both"}} {
			config := []record.Config{base, head}[i]
			one := newSided(config)
			for _, name := range names {
				one.add("", name, "ns/op", 8, 100, 0.02)
			}
			if err := all.Absorb(one.Builder, []string{"old", "new"}[i]); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, l := range all.Result().Lost {
			got = append(got, l.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
