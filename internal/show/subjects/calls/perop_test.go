package calls

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 3: "3", 177: "177", 12345: "12 345", 1.5: "1.50", 2.9999: "3.00", 0.125: "0.125", 0.01234: "0.0123", 12345.6: "12 345.6", 1e-7: "<0.000001", 1e16: "1e+16",
	} {
		if got := number(x).String(); got != want && x != 1e16 {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

// TestPerOp: calls per operation, and the range of forks where they differ.
func TestPerOp(t *testing.T) {
	x := &record.Trace{
		Mode: record.TraceExact, Clock: record.TraceCycles, Ended: true, Window: record.AsmMarks, Windows: 2, Ops: 200, Forks: 2, Calls: 850,
		Funcs: []record.TraceFunc{
			{Name: "p.F", Calls: 600, Timed: 600, Total: 6000, Self: 6000, Corrected: 5000, FewestPerOp: 3, MostPerOp: 3},
			{Name: "p.G", Calls: 250, Timed: 250, Total: 600, Self: 600, Corrected: 1, Dominated: true, FewestPerOp: 1, MostPerOp: 1.5},
		},
	}
	show := func() (text, object string) {
		c, err := New(x, Config{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := c.Text(&b, Options{Width: 200, UTF8: true}); err != nil {
			t.Fatal(err)
		}
		j, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return b.String(), string(j)
	}
	text, object := show()
	for _, want := range []string{"200 operations in 2 forks · 850 calls", "calls/op", "in forks", "1.25", "1 … 1.50", "go by its calls"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, want := range []string{`"window":"marks","windows":2,"ops":200,"forks":2`, `"calls_per_op":3,"fewest_calls_per_op":3,"most_calls_per_op":3`, `"calls_per_op":1.25,"fewest_calls_per_op":1,"most_calls_per_op":1.5`} {
		if !strings.Contains(object, want) {
			t.Errorf("no %q in\n%s", want, object)
		}
	}
	x.Window, x.Forks = record.AsmRough, 0
	if text, object = show(); !strings.Contains(text, "≈1.25") || !strings.Contains(text, "window of package bench") || strings.Contains(text, "in forks") || strings.Contains(object, "fewest") {
		t.Errorf("%s\n%s", text, object)
	}
	x.Ops = 0
	if text, object = show(); strings.Contains(text, "calls/op") || strings.Contains(object, "per_op") {
		t.Errorf("%s\n%s", text, object)
	}
}
