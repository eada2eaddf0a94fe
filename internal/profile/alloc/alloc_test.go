package alloc_test

import (
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/profile/alloc"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/record"
)

func open(t *testing.T) *proftest.Subjects {
	t.Helper()
	if toolchain.Allocs.Supports(runtime.GOOS, runtime.GOARCH) != nil {
		t.Skip("the runtime cannot count here")
	}
	s := proftest.Open(t, alloc.Profiler(), *toolchain.Alloc())
	s.Iterations = 3
	return s
}

// attached returns what a fork attached.
func attached(t *testing.T, f *proftest.Fork) (a *record.Allocs, p *profile.Profile) {
	t.Helper()
	for _, l := range f.Lines {
		x, ok := l.(*record.Attach)
		if !ok {
			continue
		}
		var err error
		switch x.Name {
		case record.AttachAllocs:
			a = new(record.Allocs)
			if err = json.Unmarshal(x.Data, a); err == nil {
				err = a.Validate()
			}
		case record.AttachAllocsProfile:
			p, err = profile.ParseData(x.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if a == nil || p == nil {
		t.Fatalf("no attachment; warnings: %s", f.Warnings())
	}
	return a, p
}

// perOp returns the objects of an operation that a function allocates of a type, and their bytes.
func perOp(a *record.Allocs, fn, typ string) (objects, bytes float64) {
	for _, s := range a.Sites {
		if strings.HasSuffix(s.Func, fn) && (typ == "" || s.Type == typ) {
			objects += float64(s.Objects) / float64(a.Ops)
			bytes += float64(s.Bytes) / float64(a.Ops)
		}
	}
	return objects, bytes
}

// TestSites: objects of known number, size, type and place are counted, to the object.
func TestSites(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		name, fn, typ  string
		objects, bytes float64 // of an operation
	}{
		{"Tiny", "BenchmarkTiny", "uint8", 1, 1},
		{"TinyLoop", "BenchmarkTinyLoop", "uint8", 1, 1},
		{"Closure", "adder", "closure", 1, 24},
		{"Generic", "boxed[...]", "[4]int64", 1, 32},
		{"Generic", "boxed[...]", "struct { subjects.next *subjects.node; subjects.prev *subjects.node }", 1, 16},
		{"Sub/one", "BenchmarkSub.func1", "[64]uint8", 1, 64},
		{"Sub/two", "BenchmarkSub.func2", "[64]uint8", 1, 64},
		{"Sub/two", "BenchmarkSub.func2", "subjects.node", 1, 16},
		{"Parallel", "BenchmarkParallel.func1", "subjects.node", 1, 16},
		{"Profiles", "BenchmarkProfiles", "[64]uint8", 1, 64},
		{"Window", "BenchmarkWindow", "[64]uint8", 1, 64},
		{"Window", "BenchmarkWindow", "[]uint8", 0, 0}, // once in each window
		{"Window", "setup", "", 0, 0},
	} {
		a, p := attached(t, s.Fork(record.Case{Name: c.name}, "1600x"))
		objects, bytes := perOp(a, c.fn, c.typ)
		if objects != c.objects || math.Abs(bytes-c.bytes) > 0.02 {
			t.Errorf("%s: %s allocates %v objects of type %s, %v bytes, want %v, %v\n%+v", c.name, c.fn, objects, c.typ, bytes, c.objects, c.bytes, a)
		}
		if a.Windows != 2 || a.Unseen != (record.AllocCount{}) {
			t.Errorf("%s: %d windows, unseen %+v", c.name, a.Windows, a.Unseen)
		}
		if len(p.Sample) == 0 {
			t.Errorf("%s: the profile is empty", c.name)
		}
	}
}

// TestNothing: a benchmark that allocates nothing has no site, whatever the runtime allocates for itself.
func TestNothing(t *testing.T) {
	a, _ := attached(t, open(t).Fork(record.Case{Name: "Nothing"}, "1000x"))
	for _, s := range a.Sites {
		if !strings.HasPrefix(s.Func, "runtime.") {
			t.Errorf("%+v", s)
		}
	}
	if a.Unseen != (record.AllocCount{}) {
		t.Errorf("unseen %+v", a.Unseen)
	}
}

// TestMap: the parts of a map that grows are one type, and all that the function allocates. What the runtime allocates for
// a thread that it starts meanwhile, or in the empty windows that are subtracted, is not the function's.
func TestMap(t *testing.T) {
	a, _ := attached(t, open(t).Fork(record.Case{Name: "Map"}, "1600x"))
	objects, bytes := perOp(a, "BenchmarkMap", "map")
	all, _ := perOp(a, "BenchmarkMap", "")
	if objects < 5 || objects > all || objects < 0.99*all || bytes < 100*16 || a.Unseen != (record.AllocCount{}) {
		t.Errorf("%v objects of %v, %v bytes\n%+v", objects, all, bytes, a)
	}
}

// TestManyStacks: with more stacks than the table has room for, those that come late are shorter, and none is lost.
func TestManyStacks(t *testing.T) {
	const ops = 4
	a, _ := attached(t, open(t).Fork(record.Case{Name: "Recursive"}, "4x"))
	objects, _ := perOp(a, ".deep", "subjects.node")
	if objects != 40_000 || a.Ops != ops || a.Windows != 1 || a.Unseen != (record.AllocCount{}) {
		t.Errorf("%v objects\n%+v", objects, a)
	}
}

// TestFigures: the figures of a fork are those of its attachment, in its last iteration alone. Figures that counting
// disturbs are dropped.
func TestFigures(t *testing.T) {
	s := open(t)
	for _, iterations := range []int{1, 3} {
		s.Iterations = iterations
		f := s.Fork(record.Case{Name: "Sub/two"}, "1600x")
		if len(f.Samples) != iterations {
			t.Fatalf("%d samples", len(f.Samples))
		}
		a, _ := attached(t, f)
		if want := min(2, iterations); a.Windows != want {
			t.Errorf("%d windows of %d iterations", a.Windows, iterations)
		}
		for i, x := range f.Samples {
			objects, has := x.V.Get(alloc.UnitObjects)
			if has != (i == iterations-1) || has && math.Abs(objects-2) > 0.02 {
				t.Errorf("iteration %d of %d: %+v", i+1, iterations, x.V)
			}
			if _, has := x.V.Get("ns/op"); has {
				t.Errorf("a time: %+v", x.V)
			}
		}
	}
}
