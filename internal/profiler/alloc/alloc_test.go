package alloc_test

import (
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/profiler/alloc"
	"github.com/tarebench/tare/internal/profiler/proftest"
	"github.com/tarebench/tare/internal/toolchain"
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
