package cli_test

import (
	"encoding/json"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdSums holds a listing in JSON to its promise: every sample is in exactly one
// element of each list.
func cmdSums(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "sums FILE")
	type counted struct {
		Name    string
		Func    string
		Samples int64
	}
	var l struct {
		Samples int64
		Regions []struct {
			counted
			Insns []counted
		}
		Functions, Symbols, Areas []counted
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &l))
	if l.Samples < 1 {
		ts.Fatalf("no samples")
	}
	sum := func(what string, list []counted, want int64) {
		n := int64(0)
		for _, x := range list {
			n += x.Samples
		}
		if n != want {
			ts.Fatalf("%s add up to %d, want %d", what, n, want)
		}
	}
	var regions []counted
	for _, r := range l.Regions {
		regions = append(regions, r.counted)
		if len(r.Insns) > 0 {
			sum("instructions of "+r.Func, r.Insns, r.Samples)
		}
	}
	sum("regions", regions, l.Samples)
	sum("functions", l.Functions, l.Samples)
	sum("symbols", l.Symbols, l.Samples)
	sum("areas", l.Areas, l.Samples)
}
