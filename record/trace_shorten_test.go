package record

import "testing"

// TestShorten: what is left is a trace, and functions keep what is known of them.
func TestShorten(t *testing.T) {
	whole := Trace{Mode: TraceExact, Clock: TraceCycles, Tick: 1, Calls: 40, Funcs: []TraceFunc{{Name: "f", Calls: 40, Timed: 40}}}
	for i := range 40 {
		whole.Tree = append(whole.Tree, TraceCall{Parent: i - 1 - i%3, Calls: 1})
		whole.Path = append(whole.Path, TraceStep{Begin: float64(i)})
	}
	if err := whole.Validate(); err != nil {
		t.Fatal(err)
	}
	short := whole
	for n := 0; short.Shorten(); n++ {
		if err := short.Validate(); err != nil || int64(len(short.Path))+short.PathMore != 40 || short.Calls != 40 {
			t.Fatalf("after %d times: %v: %+v", n, err, short)
		}
		if n > 20 {
			t.Fatal("it does not end")
		}
	}
	if len(short.Tree)+len(short.Path) != 0 || len(whole.Tree) != 40 || len(whole.Path) != 40 || whole.Tree[39].Parent != 38 {
		t.Errorf("%d and %d are left, of %d and %d", len(short.Tree), len(short.Path), len(whole.Tree), len(whole.Path))
	}
}
