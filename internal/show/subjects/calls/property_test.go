package calls

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// TestRandom: whatever a program called, figures add up, all looks agree with each
// other, and none breaks its form.
func TestRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range 100 {
		recursive := i%2 == 0
		tr := random(rng, recursive)
		cfg := Config{Top: rng.IntN(12) - 1, Depth: rng.IntN(6) - 1, Steps: rng.IntN(30) - 1, Share: []float64{0, -1, 0.1}[rng.IntN(3)]}
		c := mustNew(t, tr, cfg)
		checkTree(t, c)
		checkProfile(t, c, !recursive)
		checkEvents(t, c)
		checkJSON(t, c)
		o := Options{Title: strings.Repeat("title ", rng.IntN(20)), Width: rng.IntN(160), UTF8: rng.IntN(2) == 0, Color: rng.IntN(2) == 0, Verbose: rng.IntN(2) == 0}
		x, err := NewContrast(c, wall(), seenAt(10e6), Runs{})
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, textOf(t, x, o), o)
		text := textOf(t, c, o)
		checkLines(t, text, o)
		if again := textOf(t, mustNew(t, tr, cfg), o); again != text {
			t.Error("the same record has two texts")
		}
		if t.Failed() {
			data, _ := json.Marshal(tr)
			t.Fatalf("seed %d, round %d: config %+v, options %+v\n%s", seed, i, cfg, o, data)
		}
	}
}

// near allows for rounding of sums of whole ns.
func near(a, b float64) bool { return math.Abs(a-b) <= 1000+1e-9*math.Abs(a) }

// checkTree: what elements with the same parent took is no more than what it took, and
// what is at the roots is all that functions took themselves.
func checkTree(t *testing.T, c *Calls) {
	t.Helper()
	var self float64
	for i := range c.t.Funcs {
		self += c.t.Funcs[i].Self
	}
	if !near(c.all, self) {
		t.Errorf("%g ns in the tree, %g in functions themselves", c.all, self)
	}
	for i, kids := range c.kids {
		var sum float64
		for _, k := range kids {
			sum += c.time[k]
		}
		if sum > c.time[i]+1000 {
			t.Errorf("element %d took %g ns, what it called %g", i, c.time[i], sum)
		}
	}
}

// checkProfile: samples add up to the figures of functions.
func checkProfile(t *testing.T, c *Calls, cum bool) {
	t.Helper()
	p := c.Profile()
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	flat, total := map[string][4]int64{}, map[string]int64{}
	for _, s := range p.Sample {
		leaf := s.Location[0].Line[0].Function.Name
		v := flat[leaf]
		for i := range s.Value {
			v[i] += s.Value[i]
		}
		flat[leaf] = v
		once := map[string]bool{}
		for _, l := range s.Location {
			if name := l.Line[0].Function.Name; !once[name] {
				once[name] = true
				total[name] += s.Value[2]
			}
		}
	}
	for i := range c.t.Funcs {
		f := &c.t.Funcs[i]
		v := flat[f.Name]
		if v[0] != f.Calls || !near(float64(v[1]), f.Total) || !near(float64(v[2]), f.Self) || !near(float64(v[3]), f.CorrectedSelf) {
			t.Errorf("%s: samples have %d, want %d calls, %g ns in all, %g and %g itself", f.Name, v, f.Calls, f.Total, f.Self, f.CorrectedSelf)
		}
		if cum && !near(float64(total[f.Name]), f.Total) {
			t.Errorf("%s: stacks have %d ns, want its total of %g", f.Name, total[f.Name], f.Total)
		}
	}
}

// checkEvents: events are valid JSON, and calls of one lane are nested or do not overlap.
func checkEvents(t *testing.T, c *Calls) {
	t.Helper()
	var b bytes.Buffer
	if err := c.Events(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  float64
			Pid      int
			Tid      int64
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	ends := map[int64][]float64{}
	last := map[int64]float64{}
	calls := 0
	for _, e := range got.TraceEvents {
		if e.Ph == "M" {
			continue
		}
		calls++
		if e.Ts < last[e.Tid] || e.Dur < 0 {
			t.Errorf("%+v: before the one before it, at %g", e, last[e.Tid])
		}
		last[e.Tid] = e.Ts
		s := ends[e.Tid]
		const dust = 1e-4 // µs: what a float64 makes of decimal ns
		for len(s) > 0 && s[len(s)-1] <= e.Ts+dust {
			s = s[:len(s)-1]
		}
		switch {
		case e.Ph == "X" && len(s) > 0 && e.Ts+e.Dur > s[len(s)-1]+dust:
			t.Errorf("%+v: ends behind the one it is within, at %g", e, s[len(s)-1])
		case e.Ph == "X":
			s = append(s, e.Ts+e.Dur)
		case e.Ph == "B":
			s = append(s, math.Inf(1))
		}
		ends[e.Tid] = s
	}
	if calls != len(c.t.Path) {
		t.Errorf("%d events of %d steps", calls, len(c.t.Path))
	}
}

// checkJSON: all functions and steps are there, with the keys that scripts rely on.
func checkJSON(t *testing.T, c *Calls) {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Functions []map[string]any
		Path      []map[string]any
		Dropped   int64 `json:"path_dropped"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Functions) != len(c.t.Funcs) || len(got.Path) != len(c.t.Path) || got.Dropped != c.t.PathMore {
		t.Errorf("%d functions of %d, %d steps of %d, %d dropped of %d", len(got.Functions), len(c.t.Funcs), len(got.Path), len(c.t.Path), got.Dropped, c.t.PathMore)
	}
	for _, f := range got.Functions {
		keys := []string{"name", "calls", "probe_ns"}
		if timed, _ := f["timed"].(float64); c.timed() && timed > 0 {
			keys = append(keys, "total_ns", "self_ns", "min_ns", "max_ns", "corrected_total_ns")
		} else if _, ok := f["total_ns"]; ok {
			t.Errorf("%v has times, and no call was timed", f)
		}
		for _, k := range keys {
			if _, ok := f[k]; !ok {
				t.Errorf("%v has no %s", f, k)
			}
		}
	}
}

// TestAlign: the points and units of a column's cells are below each other.
func TestAlign(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		c := column{title: strings.Repeat("t", rng.IntN(20))}
		for range 1 + rng.IntN(6) {
			f := duration(math.Pow(10, rng.Float64()*13), 0)
			switch rng.IntN(5) {
			case 0:
				f = figure{}
			case 1:
				f = approx(f)
			case 2:
				f = less(100)
			}
			c.cells = append(c.cells, f)
		}
		text := newText(Options{UTF8: true})
		text.table("name", slices.Repeat([]row{{name: "row"}}, len(c.cells)), []column{c})
		var b strings.Builder
		if _, err := text.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(b.String(), "\n")
		point, unit := -1, -1
		for i, s := range got[:len(got)-1] {
			if i == 0 || c.cells[i-1].empty() {
				continue
			}
			f := c.cells[i-1]
			before, behind, ok := strings.Cut(s, f.whole+f.part)
			_, last, _ := strings.Cut(behind, f.unit)
			if at := termtext.Width(before) + termtext.Width(f.whole); !ok || point >= 0 && at != point {
				t.Errorf("the number of %q ends at %d, others at %d", s, at, point)
			} else {
				point = at
			}
			if at := termtext.Width(s) - termtext.Width(last) - termtext.Width(f.unit); f.unit != "" && unit >= 0 && at != unit {
				t.Errorf("the unit of %q is at %d, others at %d", s, at, unit)
			} else if f.unit != "" {
				unit = at
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, got)
		}
	}
}

// deep is a trace in which each function calls the next, n of them.
func deep(n int) *record.Trace {
	tr := &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles}
	for i := range n {
		tr.Funcs = append(tr.Funcs, record.TraceFunc{Name: "main.f" + strconv.Itoa(i), Calls: 1, Timed: 1, Total: 1e6, Self: 1, Corrected: 9e5, Min: 1e6, Max: 1e6, Mean: 1e6})
		tr.Tree = append(tr.Tree, record.TraceCall{Func: i, Parent: i - 1, Calls: 1, Timed: 1, Total: 1e6, Self: 1})
		tr.Path = append(tr.Path, record.TraceStep{Func: i, Goroutine: 1, Length: 1})
	}
	tr.Calls = int64(n)
	return tr
}

// TestDeep: no time is lost where stacks are cut.
func TestDeep(t *testing.T) {
	p := mustNew(t, deep(3000), Config{}).Profile()
	self, most := int64(0), 0
	for _, s := range p.Sample {
		self += s.Value[2]
		most = max(most, len(s.Location))
	}
	if self != 3000 || most != deepest {
		t.Errorf("%d ns in stacks of up to %d, want 3000 and %d", self, most, deepest)
	}
}

// TestCut: texts of a long path and a deep tree are still short.
func TestCut(t *testing.T) {
	tr := deep(3000)
	for _, c := range []struct {
		cfg         Config
		least, most int
	}{
		{Config{}, 30, 60},
		{Config{Depth: -1}, 35, 60},              // as deep as there is room for
		{Config{Top: -1, Steps: -1}, 3200, 3800}, // all
		{Config{Top: 2, Depth: 1, Steps: 1}, 10, 16},
	} {
		text := textOf(t, mustNew(t, tr, c.cfg), Options{UTF8: true})
		checkLines(t, text, Options{UTF8: true})
		if lines := strings.Count(text, "\n"); lines < c.least || lines > c.most {
			t.Errorf("%+v: %d lines, want %d to %d:\n%.3000s", c.cfg, lines, c.least, c.most, text)
		}
	}
}

// FuzzNew: a record from a damaged file is refused or shown.
func FuzzNew(f *testing.F) {
	for _, tr := range []*record.Trace{watched(f), mutual(), counted(), every(), hostile()} {
		data, err := json.Marshal(tr)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var tr record.Trace
		if json.Unmarshal(data, &tr) != nil {
			t.Skip()
		}
		c, err := New(&tr, Config{Top: -1, Depth: -1, Share: -1, Steps: -1})
		if err != nil {
			return
		}
		o := Options{UTF8: len(data)%2 == 0, Verbose: len(data)%3 == 0}
		checkLines(t, textOf(t, c, o), o)
		checkEvents(t, c)
		checkJSON(t, c)
		x, err := NewContrast(c, wall(), seenAt(10e6), Runs{})
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, textOf(t, x, o), o)
		if _, err := json.Marshal(x); err != nil {
			t.Error(err)
		}
		for _, write := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return c.Pprof(b) },
			func(b *bytes.Buffer) error { return c.Collapsed(b) },
		} {
			if err := write(&bytes.Buffer{}); err != nil {
				t.Error(err)
			}
		}
	})
}
