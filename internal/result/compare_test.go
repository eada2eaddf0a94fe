package result

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// sided builds a record of two sides by hand.
type sided struct {
	*Builder
	rng   *rand.Rand
	forks int
}

func newSided(config record.Config, names ...string) *sided {
	s := &sided{Builder: NewBuilder(), rng: rand.New(rand.NewPCG(7, 7))}
	run := &record.Run{Version: record.Version, Config: config}
	for i, n := range names {
		run.Sides = append(run.Sides, record.Side{Name: n})
		s.Add(&record.Bin{ID: i + 1, Pkg: "p", Side: n, SHA256: fmt.Sprint("sha of ", n)})
	}
	s.Add(run)
	return s
}

// add gives a benchmark n forks on one side, around a value with a relative
// spread.
func (s *sided) add(side, name, unit string, n int, value, spread float64) {
	bin := 1 + slices.Index(s.sides(), side)
	c := &record.Case{ID: len(s.cases) + 1, Pkg: "p", Name: name, Side: side, Bin: bin, Procs: 1, Mode: record.ModeN}
	s.Add(c)
	for range n {
		s.forks++
		x := value * math.Exp(spread*s.rng.NormFloat64())
		v := record.Values{{Unit: unit, Value: x}}
		s.Add(&record.Sample{Fork: s.forks, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: v})
		s.Add(&record.Fork{ID: s.forks, Case: c.ID, Bin: bin, Round: s.forks, Purpose: record.PurposeTiming, State: record.StateOK})
	}
}

func only(t *testing.T, s *Result) Comparison {
	t.Helper()
	if len(s.Comparisons) != 1 {
		t.Fatalf("%d comparisons", len(s.Comparisons))
	}
	return s.Comparisons[0]
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		unit     string
		n        int
		old, new float64
		spread   float64
		want     stat.Verdict
	}{
		{"ns/op", 20, 100, 120, 0.02, stat.Slower},
		{"ns/op", 20, 100, 80, 0.02, stat.Faster},
		{"MB/s", 20, 100, 80, 0.02, stat.Slower},
		{"op/s", 20, 100, 120, 0.02, stat.Faster},
		{"ns/op", 20, 100, 100, 0.005, stat.Equivalent},
		{"ns/op", 20, 100, 103, 0.2, stat.Undecided},
		{"B/op", 6, 64, 64, 0, stat.Same},
		{"allocs/op", 6, 2, 3, 0, stat.More},
		{"allocs/op", 6, 3, 2, 0, stat.Less},
	} {
		s := newSided(record.Config{}, "old", "new")
		s.add("old", "X", c.unit, c.n, c.old, c.spread)
		s.add("new", "X", c.unit, c.n, c.new, c.spread)
		got := only(t, s.Result())
		if got.Verdict != string(c.want) {
			t.Errorf("%s %v → %v ± %v: %s, want %s", c.unit, c.old, c.new, c.spread, got.Verdict, c.want)
		}
		if !got.Trusted {
			t.Errorf("%s %v → %v: not trusted: %v", c.unit, c.old, c.new, got.Reasons)
		}
		if math.IsNaN(float64(got.P)) || math.IsNaN(float64(got.AdjustedP)) {
			t.Errorf("%s %v → %v: p is %v, adjusted %v", c.unit, c.old, c.new, got.P, got.AdjustedP)
		}
		worse, least := got.Worse()
		if (c.want == stat.Slower || c.want == stat.More) && (worse <= 1 || least <= 1 || least > worse) {
			t.Errorf("%s %v → %v: worse by %v, at least %v", c.unit, c.old, c.new, worse, least)
		}
	}
}

func TestIdenticalBinaries(t *testing.T) {
	s := newSided(record.Config{}, "old", "new")
	s.bins[2].SHA256, s.bins[1].Files, s.bins[2].Files = s.bins[1].SHA256, "f", "f"
	s.add("old", "X", "ns/op", 20, 100, 0.02)
	s.Add(&record.Case{ID: 2, Pkg: "p", Name: "X", Side: "new", Bin: 2, Procs: 1}) // not measured
	c := only(t, s.Result())
	if c.Verdict != string(stat.Identical) || c.Ratio != 1 || !c.Trusted {
		t.Errorf("%+v", c)
	}
	// The same binary in another environment is another thing to measure.
	s.run.Sides[1].Setenv = []string{"GOGC=off"}
	if cs := s.Result().Comparisons; len(cs) != 0 {
		t.Errorf("compared with nothing: %+v", cs)
	}
	for what, change := range map[string]func(){
		"other files":     func() { s.bins[2].Files = "g" },
		"files not known": func() { s.bins[1].Files, s.bins[2].Files = "", "" },
		"secrets": func() {
			s.run.Sides[0].Setenv, s.run.Sides[1].Setenv = []string{"A_TOKEN=***"}, []string{"A_TOKEN=***"}
		},
	} {
		s.run.Sides[0].Setenv, s.run.Sides[1].Setenv, s.bins[1].Files, s.bins[2].Files = nil, nil, "f", "f"
		change()
		res := s.Result()
		if len(res.Comparisons) != 0 || len(res.Lost) != 1 {
			t.Errorf("%s: compared with nothing: %+v, %+v", what, res.Comparisons, res.Lost)
		}
	}
}

func TestOneSided(t *testing.T) {
	s := newSided(record.Config{}, "old", "new")
	s.add("old", "Gone", "ns/op", 8, 100, 0.02)
	s.add("old", "Both", "ns/op", 8, 100, 0.02)
	s.add("new", "Both", "ns/op", 8, 100, 0.02)
	s.add("new", "Born", "ns/op", 8, 100, 0.02)
	s.add("new", "Also", "ns/op", 8, 100, 0.02)
	sum := s.Result()
	if c := only(t, sum); c.Name != "Both" {
		t.Errorf("compared %s", c.Name)
	}
	var texts []string
	for _, w := range sum.Warnings {
		if w.Code == diagnosis.OneSide {
			texts = append(texts, w.Text)
		}
	}
	if got := strings.Join(texts, "; "); got != "old lacks Born, Also; new lacks Gone" {
		t.Errorf("%q", got)
	}
}

func TestCorrections(t *testing.T) {
	adjusted := func(correction string) []Comparison {
		s := newSided(record.Config{Correction: correction}, "old", "new")
		for i := range 20 {
			name := fmt.Sprint("X", i)
			s.add("old", name, "ns/op", 8, 100, 0.02)
			s.add("new", name, "ns/op", 8, 103, 0.02)
		}
		return s.Result().Comparisons
	}
	none, bh, holm := adjusted(NoCorrection), adjusted(BenjaminiHochberg), adjusted(Holm)
	for i := range none {
		if none[i].AdjustedP != none[i].P || bh[i].AdjustedP < none[i].P || holm[i].AdjustedP < bh[i].AdjustedP {
			t.Errorf("p %v: none %v, bh %v, holm %v", none[i].P, none[i].AdjustedP, bh[i].AdjustedP, holm[i].AdjustedP)
		}
	}
	// A table that was corrected one way is corrected anew for a gate.
	again := slices.Clone(bh)
	Correct(again, stat.Holm)
	for i := range again {
		if again[i].AdjustedP != holm[i].AdjustedP || again[i].Verdict != holm[i].Verdict {
			t.Errorf("corrected twice: %v %s, want %v %s", again[i].AdjustedP, again[i].Verdict, holm[i].AdjustedP, holm[i].Verdict)
		}
	}
}

func TestDistrust(t *testing.T) {
	reasons := func(change func(*sided), n int, oldSpread, newSpread float64) []string {
		s := newSided(record.Config{Confidence: 0.95}, "old", "new")
		s.add("old", "X", "ns/op", n, 100, oldSpread)
		s.add("new", "X", "ns/op", n, 110, newSpread)
		change(s)
		return only(t, s.Result()).Reasons
	}
	nothing := func(*sided) {}
	for _, c := range []struct {
		name   string
		change func(*sided)
		n      int
		spread float64
		want   string
	}{
		{"nothing", nothing, 20, 0.02, ""},
		{"few forks", nothing, 4, 0.02, diagnosis.FewForks},
		{"unequal spread", nothing, 20, 0.2, diagnosis.UnequalSpread},
		{"grouped", func(s *sided) { s.run.Config.Order = "grouped" }, 20, 0.02, diagnosis.NotInterleaved},
		{"steal", func(s *sided) { s.Add(&record.Overhead{Steal: 0.1}) }, 20, 0.02, diagnosis.Steal},
		{"flaky", func(s *sided) {
			s.Add(&record.Fork{ID: 999, Case: 2, Round: 3, Purpose: record.PurposeTiming, State: record.StateFailed, Why: "x"})
		}, 20, 0.02, diagnosis.Flaky},
	} {
		if got := strings.Join(reasons(c.change, c.n, 0.02, c.spread), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestImpossibleCounts: the comparison of a unit is not trusted if its own values are negative, and is trusted if
// only the values of another unit are.
func TestImpossibleCounts(t *testing.T) {
	for _, c := range []struct {
		bytes, ns float64
		want      string
	}{{64, 100, "true []"}, {-64, 100, "false [impossible]"}, {64, -100, "true []"}} {
		s := newSided(record.Config{Confidence: 0.95}, "old", "new")
		for i, side := range []string{"old", "new"} {
			s.Add(&record.Case{ID: i + 1, Pkg: "p", Name: "X", Side: side, Bin: i + 1, Procs: 1, Mode: record.ModeN})
			for range 8 {
				s.forks++
				s.Add(&record.Sample{Fork: s.forks, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: record.Values{{Unit: "ns/op", Value: c.ns}, {Unit: "B/op", Value: c.bytes * float64(i+1)}}})
				s.Add(&record.Fork{ID: s.forks, Case: i + 1, Bin: i + 1, Round: s.forks, Purpose: record.PurposeTiming, State: record.StateOK})
			}
		}
		row := s.Result().Comparisons[1]
		if got := fmt.Sprint(row.Trusted, row.Reasons); row.Unit != "B/op" || got != c.want {
			t.Errorf("%v B/op, %v ns/op: %s %s, want %s", c.bytes, c.ns, row.Unit, got, c.want)
		}
	}
}

func TestGeomean(t *testing.T) {
	s := newSided(record.Config{}, "old", "new")
	for i, f := range []float64{0.5, 2, 1} {
		name := fmt.Sprint("X", i)
		s.add("old", name, "ns/op", 8, 100, 0)
		s.add("new", name, "ns/op", 8, 100*f, 0)
	}
	g := s.Result().Geomeans
	if len(g) != 1 || math.Abs(float64(g[0].Ratio)-1) > 1e-9 || g[0].N != 3 || g[0].Lo >= g[0].Ratio || g[0].Hi <= g[0].Ratio {
		t.Errorf("%+v", g)
	}
}

// alone is a record of one side.
func alone(cpu string, value float64) *Builder {
	s := newSided(record.Config{Confidence: 0.95})
	s.run.Env.CPU = cpu
	s.Add(&record.Bin{ID: 1, Pkg: "p", SHA256: fmt.Sprint(value)})
	s.add("", "X", "ns/op", 20, value, 0.02)
	s.Add(&record.Warn{About: record.AboutCase, ID: 1, Code: "parallel-fixed-n", Text: "x"})
	return s.Builder
}

func TestAbsorb(t *testing.T) {
	b := NewBuilder()
	for _, x := range []struct {
		name string
		rec  *Builder
	}{{"a", alone("one", 100)}, {"b", alone("one", 120)}, {"c", alone("two", 100)}} {
		if err := b.Absorb(x.rec, x.name); err != nil {
			t.Fatal(err)
		}
	}
	sum := b.Result()
	if len(sum.Comparisons) != 2 {
		t.Fatalf("%d comparisons", len(sum.Comparisons))
	}
	first := sum.Comparisons[0]
	if first.Base != "a" || first.Side != "b" || first.Verdict != string(stat.Slower) || first.Trusted {
		t.Errorf("%+v", first)
	}
	for _, code := range []string{diagnosis.NotInterleaved, diagnosis.Environment, "parallel-fixed-n"} {
		if !slices.Contains(sum.Comparisons[1].Reasons, code) {
			t.Errorf("%s is not among %v", code, sum.Comparisons[1].Reasons)
		}
	}
	if err := NewBuilder().Absorb(newSided(record.Config{}, "x", "y").Builder, "z"); err == nil {
		t.Error("a record with sides was absorbed")
	}
}

func TestJudge(t *testing.T) {
	s := newSided(record.Config{Confidence: 0.95, Threshold: 0.03}, "old", "new")
	s.add("old", "X", "ns/op", 20, 100, 0.02)
	s.add("new", "X", "ns/op", 20, 106, 0.02)
	s.Add(&record.InterimAnalysis{Round: 20, Of: 4, Confidence: 0.9875})
	if v := only(t, s.Result()).Verdict; v != string(stat.Slower) {
		t.Fatalf("%s", v)
	}
	s.Judge(Judgement{})
	if c := s.Result().Confidence; c != 0.9875 {
		t.Errorf("what was spent on looks was forgotten: %v", c)
	}
	s.Judge(Judgement{Threshold: 0.2, Confidence: 0.99})
	sum := s.Result()
	if c := only(t, sum); c.Verdict != string(stat.Equivalent) || sum.Confidence != 0.99 {
		t.Errorf("%s at %v", c.Verdict, sum.Confidence)
	}
}

// TestVerdictWords: more memory is not slower, though it is tested like a time.
func TestVerdictWords(t *testing.T) {
	for unit, want := range map[string]stat.Verdict{
		"ns/op": stat.Slower, "cpu-ns/op": stat.Slower, "gc-pause-ns": stat.Slower, "MB/s": stat.Faster, "op/s": stat.Faster,
		"usedHeap_settled-B": stat.More, "VmHWM-B": stat.More, "page-faults/op": stat.More, "valgrind-instructions/op": stat.More, "B/op": stat.More,
	} {
		for _, grows := range []bool{true, false} {
			s := newSided(record.Config{}, "old", "new")
			old, new, want := 100.0, 150.0, want
			if !grows {
				old, new = new, old
				want = map[stat.Verdict]stat.Verdict{stat.Slower: stat.Faster, stat.Faster: stat.Slower, stat.More: stat.Less}[want]
			}
			s.add("old", "X", unit, 12, old, 0.02)
			s.add("new", "X", unit, 12, new, 0.02)
			if got := only(t, s.Result()).Verdict; got != string(want) {
				t.Errorf("%s from %v to %v is %s, want %s", unit, old, new, got, want)
			}
		}
	}
}
