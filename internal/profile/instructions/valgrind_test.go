package instructions_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/profile/instructions"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

func open(t *testing.T) *proftest.Subjects {
	t.Helper()
	if err := instructions.Profiler().Available(); err != nil {
		if _, missing := exec.LookPath("valgrind"); missing != nil && os.Getenv("TARE_REQUIRE_SERVERS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return proftest.Open(t, instructions.Profiler())
}

// TestProportion: twice the work is twice the instructions, whatever the set-up, and
// however N is found and looped over.
func TestProportion(t *testing.T) {
	s := open(t)
	once := s.Fork(record.Case{Name: "Once", Mode: record.ModeN, N: 10_000}, "").Get(instructions.Unit)
	if once < 3000 || once > 20_000 {
		t.Fatalf("%v instructions for a loop of 1000", once)
	}
	for _, c := range []struct {
		of    record.Case
		times float64
		off   float64
	}{
		{record.Case{Name: "Twice", Mode: record.ModeN, N: 10_000}, 2, 0.01},
		{record.Case{Name: "Loop", Mode: record.ModeN, N: 10_000}, 1, 0.01},
		{record.Case{Name: "Parallel", Mode: record.ModeTime}, 1, 0.03}, // with what dealing out takes, and fewer operations
	} {
		if c.of.Name == "Parallel" && !testutil.Long() { // five more processes
			continue
		}
		f := s.Fork(c.of, "")
		f.Within(instructions.Unit, c.times*once*(1-c.off), c.times*once*(1+c.off))
		if reported := strings.Contains(f.Warnings(), diagnosis.Serialised); reported != (c.of.Mode == record.ModeTime) {
			t.Errorf("%s: warnings %q", c.of.Name, f.Warnings())
		}
	}
}

// TestNoSlope: if a benchmark runs another number of operations than requested, there is no result, and a warning says
// why.
func TestNoSlope(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		of   record.Case
		want string
	}{
		{record.Case{Name: "Stubborn", Mode: record.ModeN, N: 100}, "does not follow b.N"},
		{record.Case{Name: "Once", Mode: record.ModeN, N: 1, SingleShot: true}, "one cold operation"},
	} {
		f := s.Fork(c.of, "")
		if f.Has(instructions.Unit) {
			t.Errorf("%s: %v", c.of.Name, f.Get(instructions.Unit))
		}
		if got := f.Warnings(); !strings.Contains(got, "not-available: instructions: not available: ") || !strings.Contains(got, c.want) {
			t.Errorf("%s: warnings %q", c.of.Name, got)
		}
	}
}

// TestByLine: the rows add up to the figure, the loop is found at its line, with its share by the count of its steps, and so
// is a function that was inlined, below the symbol that it was inlined into.
func TestByLine(t *testing.T) {
	s := open(t)
	f := s.Fork(record.Case{Name: "Inlined", Mode: record.ModeN, N: 10_000}, "")
	var x *record.Instructions
	for _, l := range f.Lines {
		if a, ok := l.(*record.Attach); ok && a.Name == record.AttachInstructions {
			x = &record.Instructions{}
			if err := json.Unmarshal(a.Data, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	if x == nil {
		t.Fatal("no instructions by line")
	}
	if err := x.Validate(); err != nil { // functions and rest add up to the total
		t.Error(err)
	}
	if perOp := float64(x.Total) / float64(x.Ops); perOp != f.Get(instructions.Unit) {
		t.Errorf("%v instructions per operation by line, the figure is %v", perOp, f.Get(instructions.Unit))
	}
	source, err := os.ReadFile(filepath.Join("testdata", "subjects", "subjects_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	marked := 1 + slices.IndexFunc(strings.Split(string(source), "\n"), func(l string) bool { return strings.Contains(l, "// the inlined line") })
	for _, fn := range x.Functions {
		for _, l := range fn.Lines {
			if l.Line == marked && filepath.Base(x.Files[l.File]) == "subjects_test.go" {
				steps := float64(l.Count) / float64(x.Ops) / 1000
				if !strings.HasSuffix(fn.Name, ".inlining") || fn.Part != record.PartOwn || steps < 1 || steps > 10 {
					t.Errorf("%s, part %s: %v instructions in each of 1000 calls", fn.Name, fn.Part, steps)
				}
				return
			}
		}
	}
	t.Errorf("line %d is in no function", marked)
}

// TestCannotRun: an instruction that valgrind does not know fails the fork, with the reason.
func TestCannotRun(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("AVX-512 is of amd64")
	}
	s := open(t)
	if got := s.Fails(record.Case{Name: "AVX512", Mode: record.ModeN, N: 10}, ""); !strings.Contains(got, "valgrind cannot run the AVX-512 instructions") {
		t.Errorf("failed for %q", got)
	}
}
