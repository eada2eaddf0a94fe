package alloc

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// randomCounts has n operations that allocate as a seed says, and what does not depend on n.
func randomCounts(r *rand.Rand, n int64, sites int) *counts {
	c := &counts{}
	shape := rand.New(rand.NewPCG(7, uint64(sites))) // the same for all n
	for i := range sites {
		c.Frames = append(c.Frames, frame{fmt.Sprintf("p.f%d", i), "p/f.go", i})
	}
	c.Frames = append(c.Frames, frame{"runtime.newobject", "malloc.go", 1}, frame{"testing.(*B).runN", "benchmark.go", 2})
	for range 3 * sites {
		s := stack{Type: "t", Size: 16 * shape.Int64N(20), Frames: []int{sites, shape.IntN(sites), shape.IntN(sites), sites + 1}}
		s.Objects = n*shape.Int64N(4) + r.Int64N(3)
		if s.Objects > 0 {
			c.Stacks = append(c.Stacks, s)
			c.Objects, c.Bytes = c.Objects+s.Objects, c.Bytes+s.Objects*s.Size
		}
	}
	lost := r.Int64N(3) // not at any stack
	c.Objects, c.Bytes = c.Objects+lost, c.Bytes+lost*48
	return c
}

// TestAllocsAddUp: whatever was counted, the parts add up to what package testing counts.
func TestAllocsAddUp(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		sites := 1 + r.IntN(150)
		lo, hi := randomCounts(r, 100, sites), randomCounts(r, 400, sites)
		for _, a := range []*record.Allocs{allocs(hi, lo, 300), allocs(hi, nil, 400)} {
			if err := a.Validate(); err != nil {
				t.Fatal(err)
			}
			if len(a.Sites) > maxSites {
				t.Errorf("%d sites", len(a.Sites))
			}
			for _, s := range a.Sites {
				if s.Objects == 0 || s.Bytes != s.Objects*s.Size || !strings.HasPrefix(s.Func, "p.f") {
					t.Errorf("%+v", s)
				}
			}
		}
	}
}

// TestSlope: what does not depend on the number of operations is in no difference.
func TestSlope(t *testing.T) {
	f := []frame{{"runtime.newobject", "", 1}, {"p.f", "f.go", 7}, {"p.once", "f.go", 9}, {"p.Benchmark", "b.go", 3}, {"testing.(*B).runN", "", 2}}
	window := func(ops int64) *counts {
		return &counts{Objects: 3*ops + 50, Bytes: 96*ops + 5000, Frames: f, Stacks: []stack{
			{"T", 32, 3 * ops, []int{0, 1, 3, 4}}, {"U", 100, 50, []int{0, 2, 3, 4}},
		}}
	}
	got := allocs(window(400), window(100), 300)
	want := []record.AllocSite{{Func: "p.f", File: "f.go", Line: 7, Type: "T", Size: 32, Path: []string{"p.Benchmark"}, AllocCount: record.AllocCount{Objects: 900, Bytes: 28800}}}
	if len(got.Sites) != 1 || fmt.Sprint(got.Sites) != fmt.Sprint(want) || got.Unseen != (record.AllocCount{}) || got.Objects != 900 {
		t.Errorf("%+v", got)
	}
}

// TestSiteOf: the site is the innermost function outside of the runtime, and of stacks inside it the innermost that does more
// than allocate.
func TestSiteOf(t *testing.T) {
	for _, c := range []struct {
		stack     []string
		site, via string
	}{
		{[]string{"runtime.mallocgc", "runtime.newobject", "p.f", "p.g"}, "p.f", "runtime.newobject"},
		{[]string{"runtime.mallocgc", "internal/runtime/maps.newTable", "runtime.mapassign_fast64", "p.f"}, "p.f", "runtime.mapassign_fast64"},
		{[]string{"runtime.mallocgc", "runtime.newobject", "runtime.allocm", "runtime.mstart"}, "runtime.allocm", ""},
		{[]string{"runtime.mallocgc"}, "", ""},
		{nil, "", ""},
	} {
		x, s := &counts{}, &stack{}
		for i, name := range c.stack {
			x.Frames, s.Frames = append(x.Frames, frame{Func: name}), append(s.Frames, i)
		}
		at, via := x.siteOf(s)
		site := ""
		if at < len(s.Frames) {
			site = x.Frames[at].Func
		}
		if site != c.site || via != c.via {
			t.Errorf("%q: site %q by %q, want %q by %q", c.stack, site, via, c.site, c.via)
		}
	}
}

// writeCounts writes the counts of an iteration as the part in the process does.
func writeCounts(t *testing.T, dir string, iter int, c *counts) {
	t.Helper()
	text, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprint(iter, ".json")), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEnd: which windows are used, and what their figures are.
func TestEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name    string
		windows []profiler.Window
		files   []int
		ops     int64 // of the result
		want    int   // windows of the result
		err     string
	}{
		{"two", []profiler.Window{{Iter: 2, Ops: 100}, {Iter: 3, Ops: 1}, {Iter: 4, Ops: 400}}, []int{2, 4}, 300, 2, ""},
		{"one", []profiler.Window{{Iter: 2, Ops: 400}}, []int{2}, 400, 1, ""},
		{"too few operations", []profiler.Window{{Iter: 2, Ops: 2}, {Iter: 3, Ops: 8}}, []int{2, 3}, 8, 1, ""},
		{"the same number", []profiler.Window{{Iter: 2, Ops: 400}, {Iter: 3, Ops: 400}}, []int{2, 3}, 400, 1, ""},
		{"no file", []profiler.Window{{Iter: 2, Ops: 400}}, nil, 0, 0, "iteration 2 left no counts"},
		{"no first file", []profiler.Window{{Iter: 2, Ops: 100}, {Iter: 3, Ops: 400}}, []int{3}, 0, 0, "iteration 2 left no counts"},
		{"empty window", []profiler.Window{{Iter: 2}}, []int{2}, 0, 0, "empty"},
	} {
		t.Setenv("TMPDIR", t.TempDir())
		dir, err := tempdir.Dir(Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, iter := range c.files {
			i := slices.IndexFunc(c.windows, func(w profiler.Window) bool { return w.Iter == iter })
			writeCounts(t, dir.Path, iter, randomCounts(r, c.windows[i].Ops, 5))
		}
		res, err := (&session{dir}).End(c.windows)
		if _, gone := os.Stat(dir.Path); gone == nil {
			t.Errorf("%s: its directory is left behind", c.name)
		}
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || len(res.Lines) > 0 {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(c.name, err)
		}
		checkResult(t, c.name, res, len(c.windows), c.ops, c.want)
	}
}

func checkResult(t *testing.T, name string, res profiler.Result, of int, ops int64, windows int) {
	t.Helper()
	var a record.Allocs
	if err := json.Unmarshal(res.Lines[0].(*record.Attach).Data, &a); err != nil {
		t.Fatal(err)
	}
	if a.Ops != ops || a.Windows != windows || a.Validate() != nil {
		t.Errorf("%s: %+v", name, a)
	}
	v := res.Values[of-1]
	objects, _ := v.Get(UnitObjects)
	rest, _ := v.Get(UnitRestObjects)
	if len(res.Values) != of || len(v) != 4 || objects+rest-float64(a.Objects)/float64(ops) > 1e-9 {
		t.Errorf("%s: %v of %d objects in %d operations", name, res.Values, a.Objects, ops)
	}
	if p, err := profile.ParseData(res.Lines[1].(*record.Attach).Data); err != nil || len(p.Sample) == 0 {
		t.Errorf("%s: profile: %v", name, err)
	}
}

// FuzzReadCounts: what the process cannot have written is an error and nothing else.
func FuzzReadCounts(f *testing.F) {
	f.Add(`{"objects":3,"bytes":64,"stacks":[{"t":"int","s":16,"o":3,"f":[0,1]}],"frames":[{"n":"runtime.newobject"},{"n":"m.F"}]}`)
	f.Add(`{"stacks":[{"s":16,"o":3,"f":[7]}]}`)
	f.Add(`{"stacks":[{"s":-1,"o":3}]}`)
	f.Add(``)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "1.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := readCounts(dir, 1)
		if err != nil {
			return
		}
		allocs(c, c, 1)
		if _, err := c.pprof(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
