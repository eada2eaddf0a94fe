package calls

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/record"
)

// wall is how a program was sampled every 10 ms by the clock.
func wall() *record.Sampled {
	return &record.Sampled{
		Program: "watched", Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmWhole,
		Interval: 10e6, Samples: 107, Goroutines: 1, Wall: 1.07e9, SampleCost: 21e3, MaxSampleCost: 90e3, Cost: 0.0021,
		Limitations: []string{"goroutines of the runtime itself"},
	}
}

// sampled makes a profile of stacks, the outermost first, and the ns that each was seen.
func sampled(kind string, stacks map[string]int64) *pprof.Profile {
	p := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: record.TypeSamples, Unit: "count"}, {Type: kind, Unit: "nanoseconds"}}}
	at := map[string]*pprof.Location{}
	for stack, ns := range stacks {
		s := &pprof.Sample{Value: []int64{max(1, ns/10e6), ns}}
		for name := range strings.SplitSeq(stack, ";") {
			if at[name] == nil {
				f := &pprof.Function{ID: uint64(len(at) + 1), Name: name}
				p.Function = append(p.Function, f)
				at[name] = &pprof.Location{ID: f.ID, Line: []pprof.Line{{Function: f}}}
				p.Location = append(p.Location, at[name])
			}
			s.Location = append([]*pprof.Location{at[name]}, s.Location...)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// seenAt is what looks at examples/watched see: not the calls of 1 ms.
func seenAt(interval int64) *pprof.Profile {
	nine := func(name string, looks int64) (string, int64) {
		return "main.main;main.run;main.nine;main.(*Demo)." + name + ";time.Sleep", looks * interval
	}
	stacks := map[string]int64{"main.main;main.run;main.mass;main.(*Demo).Nothing": interval, "main.main;main.run;main.mass": 16 * interval}
	for name, looks := range map[string]int64{"Sleep100": 29, "Sleep500": 50, "Sleep50": 9} {
		stack, ns := nine(name, looks)
		stacks[stack] = ns
	}
	return sampled(record.TypeWall, stacks)
}

func contrastOf(t testing.TB, tr *record.Trace, s *record.Sampled, p *pprof.Profile) *Contrast {
	t.Helper()
	x, err := NewContrast(mustNew(t, tr, Config{}), s, p, Runs{Plain: 1074 * time.Millisecond, Traced: 4240 * time.Millisecond, Sampled: 1077 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestGoldenContrast: the article's table.
func TestGoldenContrast(t *testing.T) {
	cpu := wall()
	cpu.Mode, cpu.Source, cpu.Limitations = record.SampledCPU, record.SampledRuntime, nil
	onCPU := sampled(record.TypeCPU, map[string]int64{"main.main;main.run;main.mass": 16e7, "runtime.mcall": 1e7})
	for _, c := range []struct {
		name string
		x    *Contrast
		o    Options
	}{
		{"contrast", contrastOf(t, watched(t), wall(), seenAt(10e6)), Options{UTF8: true}},
		{"contrast.60.ascii", contrastOf(t, watched(t), wall(), seenAt(10e6)), Options{Width: 60}},
		{"contrast.cpu", contrastOf(t, watched(t), cpu, onCPU), Options{UTF8: true, Title: "by CPU time"}},
		{"contrast.counted", contrastOf(t, counted(), wall(), seenAt(10e6)), Options{UTF8: true}},
		{"contrast.every", contrastOf(t, every(), wall(), sampled(record.TypeWall, nil)), Options{UTF8: true}},
	} {
		text := textOf(t, c.x, c.o)
		checkLines(t, text, c.o)
		compareGolden(t, c.name+".txt", []byte(text))
	}
	data, err := json.Marshal(contrastOf(t, watched(t), wall(), seenAt(10e6)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", " "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	compareGolden(t, "contrast.out.json", b.Bytes())
}

// TestContrastIdle: what else waits does not make main's time less certain, with what is known of
// the looks and without.
func TestContrastIdle(t *testing.T) {
	const ms = 1e6
	one := func(name string, ns float64) record.TraceFunc {
		return record.TraceFunc{Name: name, Calls: 1, Timed: 1, Total: ns, Corrected: ns, Mean: ns, Max: ns}
	}
	tr := &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.4, Ended: true, Calls: 2, Funcs: []record.TraceFunc{one("main", 1000*ms), one("nap", 300*ms)}}
	p := sampled(record.TypeWall, map[string]int64{"main;nap": 300 * ms, "main": 700 * ms, "idle": 200_000 * ms})
	s := wall()
	s.Samples, s.Wall, s.Goroutines = 100, 1000*ms, 201
	for _, known := range [][]record.SampledError{nil, {{Name: "main"}, {Name: "nap", Self: 45 * ms, Total: 45 * ms}, {Name: "idle"}}} {
		s.Errors = known
		x := contrastOf(t, tr, s, p)
		for i, want := range []float64{5 * ms, 45.8 * ms} { // of main its edges: half an interval
			if got := x.Functions[i]; math.Abs(got.Error-want) > 1*ms || got.Finding != Agree {
				t.Errorf("%+v, want an error of %g", got, want)
			}
		}
		text := textOf(t, x, Options{UTF8: true, Width: 60})
		if !strings.Contains(text, "shares are of the time of all goroutines, 201 s") {
			t.Error(text)
		}
		if known != nil {
			compareGolden(t, "contrast.idle.txt", []byte(text))
		}
	}
}

// TestFindings: what both figures mean together.
func TestFindings(t *testing.T) {
	const ms = 1e6
	for _, c := range []struct {
		name                    string
		calls                   int64
		total, corrected, sight float64
		mode                    string
		want                    Finding
	}{
		{"short", 3, 3.3 * ms, 3.3 * ms, 0, record.SampledWall, Missed},
		{"seen by luck", 3, 3.3 * ms, 3.3 * ms, 10 * ms, record.SampledWall, Agree},
		{"as long", 3, 303 * ms, 303 * ms, 285 * ms, record.SampledWall, Agree},
		{"not there", 3, 303 * ms, 303 * ms, 0, record.SampledWall, Unseen},
		{"edges of one call", 1, 104 * ms, 104 * ms, 140 * ms, record.SampledWall, Agree},
		{"few of another run", 1, 104 * ms, 104 * ms, 250 * ms, record.SampledWall, Differ},
		{"another run", 3, 303 * ms, 303 * ms, 900 * ms, record.SampledWall, Differ},
		{"many short", 1e6, 800 * ms, 800 * ms, 810 * ms, record.SampledWall, Agree},
		{"probes", 1e8, 4500 * ms, 2700 * ms, 2600 * ms, record.SampledWall, Distorted},
		{"nothing but probes", 1e8, 4500 * ms, 30 * ms, 40 * ms, record.SampledWall, Distorted},
		{"sleeps", 3, 303 * ms, 303 * ms, 0, record.SampledCPU, Waits},
		{"sleeps half", 30, 3000 * ms, 3000 * ms, 1500 * ms, record.SampledCPU, Waits},
		{"runs", 30, 3000 * ms, 3000 * ms, 2950 * ms, record.SampledCPU, Agree},
		{"open", 1, 0, 0, 100 * ms, record.SampledWall, Untimed},
	} {
		f := record.TraceFunc{Name: "f", Calls: c.calls, Timed: c.calls, Total: c.total, Corrected: c.corrected, Mean: c.total / float64(c.calls)}
		f.Max, f.Dominated = c.total, c.corrected < 0.2*c.total
		if c.total == 0 {
			f.Timed, f.Max, f.Open, f.Dominated = 0, 0, 1, false
		}
		s, kind := wall(), record.TypeWall
		if s.Mode = c.mode; c.mode == record.SampledCPU {
			kind = record.TypeCPU
		}
		p := sampled(kind, map[string]int64{"main;f": int64(c.sight), "main": 1e9})
		x := contrastOf(t, &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.4, Ended: true, Calls: c.calls, Funcs: []record.TraceFunc{f}}, s, p)
		if got := x.Functions[0]; got.Finding != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.name, got.Finding, c.want, got)
		}
		if len(x.Others) != 1 || x.Others[0].Name != "main" {
			t.Errorf("%s: others %+v", c.name, x.Others)
		}
	}
}

// TestFindingsRecursive: calls that are made during others of the function are no further
// chances to be seen.
func TestFindingsRecursive(t *testing.T) {
	f := record.TraceFunc{Name: "even", Calls: 501, Timed: 501, Total: 1.5e5, Corrected: 1.2e5, Self: 1e5, Mean: 57e3, Max: 1.5e5}
	p := sampled(record.TypeWall, map[string]int64{"main": 1e9})
	x := contrastOf(t, &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.4, Ended: true, Calls: 501, Funcs: []record.TraceFunc{f}}, wall(), p)
	if got := x.Functions[0]; got.Finding != Missed || got.Any > 0.03 {
		t.Errorf("%+v", got)
	}
}

// TestChance: looks at a fixed interval see calls as often, and are as far off, as is said.
func TestChance(t *testing.T) {
	const interval, rounds = 10e6, 4000
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		calls  int64
		length float64
	}{{1, 1e6}, {3, 1.1e6}, {40, 2e5}, {3, 104e6}, {7, 6e6}, {1, 501e6}} {
		any, squares := 0, 0.0
		for range rounds {
			looks := 0
			for range c.calls {
				begin := rng.Float64() * interval
				looks += int(math.Floor((begin + c.length) / interval))
			}
			if looks > 0 {
				any++
			}
			off := float64(looks)*interval - float64(c.calls)*c.length
			squares += off * off
		}
		total := c.length * float64(c.calls)
		f := record.TraceFunc{Name: "f", Calls: c.calls, Timed: c.calls, Total: total, Corrected: total, Mean: c.length, Max: c.length}
		x := contrastOf(t, &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Calls: c.calls, Funcs: []record.TraceFunc{f}}, wall(), sampled(record.TypeWall, nil))
		got := x.Functions[0]
		if share := float64(any) / rounds; math.Abs(share-got.Any) > 0.03 {
			t.Errorf("%d calls of %g ns: seen %.3f, said %.3f", c.calls, c.length, share, got.Any)
		}
		if sd := math.Sqrt(squares / rounds); got.Error < 0.95*sd || got.Error > 0.5*interval*math.Sqrt(float64(c.calls))+1 {
			t.Errorf("%d calls of %g ns: off by %.3g, said %.3g", c.calls, c.length, sd, got.Error)
		}
	}
}

// TestContrastRefused: parts that are missing or do not fit are named.
func TestContrastRefused(t *testing.T) {
	c := mustNew(t, counted(), Config{})
	bad := wall()
	bad.Mode = "x"
	for _, e := range []struct {
		c    *Calls
		s    *record.Sampled
		p    *pprof.Profile
		want string
	}{
		{nil, wall(), seenAt(1), "is missing"},
		{c, nil, seenAt(1), "is missing"},
		{c, wall(), nil, "is missing"},
		{c, bad, seenAt(1), `sampled by "x"`},
		{c, wall(), sampled(record.TypeCPU, nil), `no sample type "wall"`},
	} {
		if _, err := NewContrast(e.c, e.s, e.p, Runs{}); err == nil || !strings.Contains(err.Error(), e.want) {
			t.Errorf("%v, want %s", err, e.want)
		}
	}
}

func TestOrigin(t *testing.T) {
	for name, want := range map[string]string{
		"main.f": "main.f", "main.F[go.shape.int]": "main.F[...]", "main.F[...]": "main.F[...]",
		"main.(*G[go.shape.[]uint8]).Ptr":           "main.(*G[...]).Ptr",
		"main.F[go.shape.int,map[string]int].func1": "main.F[...].func1",
		"main.F[main.G[int]].G[int]":                "main.F[...].G[...]",
		"broken[x":                                  "broken[x", "a]b": "a]b", "": "",
	} {
		if got := origin(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
