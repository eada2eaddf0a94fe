package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// measured returns a run of eight starts with two pairs of windows each. All answers of the second server take a tenth longer.
func measured() lines {
	out := lines{&record.Run{Version: record.Version, Kind: record.KindLoad, Config: record.Config{Confidence: 0.95}, Sides: []record.Side{{Name: "a"}, {Name: "b"}}}}
	for pair := 1; pair <= 16; pair++ {
		for i, side := range []string{"a", "b"} {
			w := &record.LoadWindow{Side: side, Pair: pair, Start: (pair + 1) / 2}
			h := hist.New(hist.Config{})
			h.RecordN(int64(1e6+1e5*i+1e3*(pair*7%5)), 2000)
			load := record.Load{Phase: record.LoadRun, Iter: 1, Length: 1e9, Scheduled: 2000, Started: 2000, Completed: 2000, TargetRate: 2000, Achieved: 2000, Window: w}
			last := load
			last.Iter, last.Final = 0, true
			data, err := h.Encode()
			if err != nil {
				panic(err)
			}
			out = append(out, &load, &record.Hist{Name: "GET", Iter: 1, Tag: record.TagService, Length: 1e9, Unit: "ns", Data: data}, &last)
		}
	}
	return append(out, &record.End{State: record.EndCompleted})
}

// TestReplay: runs of drawn starts have the pairs of those, and what differs there differs in them.
func TestReplay(t *testing.T) {
	runs := []lines{measured(), measured()}
	if n := len(startsOf(runs[0])); n != 8 {
		t.Fatalf("%d starts, want 8", n)
	}
	if n := pairsOf(replay(runs, config{replays: 1, starts: 16, slower: 0.1, seed: 3})[0]); n != 16 {
		t.Errorf("%d pairs in 16 starts, want 16 as in the run that was measured", n)
	}
	for _, c := range []struct {
		slower float64
		worse  int
	}{{0.1, 20}, {0, 1}} { // of the same servers the sides are drawn: by chance all are alike
		got := tally(replay(runs, config{replays: 20, starts: 8, slower: c.slower, seed: 3}))
		x := got.row("GET service p50")
		if x.runs != 20 || c.slower > 0 && x.worse != c.worse || c.slower == 0 && x.worse > c.worse {
			t.Errorf("slower by %g: %+v; want %d of 20 worse", c.slower, *x, c.worse)
		}
		var text bytes.Buffer
		got.print(&text)
		if !strings.Contains(text.String(), "| GET service p50 | 20 |") {
			t.Errorf("the table:\n%s", &text)
		}
	}
}

// TestParse: bad flags are errors.
func TestParse(t *testing.T) {
	for _, args := range [][]string{{"-runs", "-1"}, {"-starts", "0"}, {"-slower", "-1"}, {"x"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
