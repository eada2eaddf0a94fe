package instructions_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/profiler/instructions"
	"github.com/tarebench/tare/internal/profiler/proftest"
	"github.com/tarebench/tare/internal/testutil"
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
		if told := strings.Contains(f.Warnings(), instructions.CodeSerialised); told != (c.of.Mode == record.ModeTime) {
			t.Errorf("%s: doubts %q", c.of.Name, f.Warnings())
		}
	}
}

// TestNoSlope: where operations are not what was asked for there is no figure, and why is told.
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
			t.Errorf("%s: doubts %q", c.of.Name, got)
		}
	}
}
