package trace

import (
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// TestWarnings: lost calls, and a window that is known only roughly, have warnings.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		trace record.Trace
		want  string
	}{
		{record.Trace{Window: record.AsmMarks}, ""},
		{record.Trace{Window: record.AsmMarks, Lost: 3}, diagnosis.Lost},
		{record.Trace{Window: record.AsmRough}, diagnosis.Window},
	} {
		r, err := result(&c.trace)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, l := range r.Lines[1:] {
			got += l.(*record.Warn).Code
		}
		if a, ok := r.Lines[0].(*record.Attach); !ok || a.Name != record.AttachTrace || got != c.want {
			t.Errorf("%+v: %q, want %q", c.trace, got, c.want)
		}
	}
}

func TestIsTest(t *testing.T) {
	for name, want := range map[string]bool{
		"TestMain": true, "TestX": true, "Test": true, "Test_x": true, "Testify": false, "BenchmarkX": true, "Benchmarking": false,
		"FuzzX": true, "ExampleT_M": true, "Example": true, "test": false, "F": false, "TestÄ": true, "Testä": false,
	} {
		if got := isTest(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
