package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestProfiles: profilers have forks of their own in the first rounds, after
// those that are timed; what was done before is not done again, a profiler whose
// forks fail is given up, and the plan knows what all that takes.
func TestProfiles(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		p.Profiles = []Profile{{Purpose: "mem", Rounds: 4}, {Purpose: "asm", Rounds: 1}}
		p.ProfileDone = func(id, round int, purpose string) bool { return id == 1 && round == 1 && purpose == "mem" }
		l.benches["b"].fail = func(r Request, _ int) bool { return r.Purpose == "mem" }
		estimate, start := p.Estimate(), time.Now()
		var last Progress
		p.Before = func(_ *record.Case, now Progress) { last = now }
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		if got := l.ran("mem"); len(got) != 3+3+4 || slices.Contains(got, "a/1") || slices.Contains(got, "b/4") {
			t.Errorf("mem: %s", got)
		}
		if got := l.ran("asm"); len(got) != 3 {
			t.Errorf("asm: %s", got)
		}
		if got := l.ran(record.PurposeTiming); len(got) != 60 {
			t.Errorf("%d timing forks", len(got))
		}
		const b = 2*second + ForkOverhead // the fourth fork for mem was planned, and not run
		if took := time.Since(start); took != estimate-b {
			t.Errorf("took %s of %s", took, estimate)
		}
		if last.Done+1 != last.Total || last.Total != 73 {
			t.Errorf("progress %+v", last)
		}
		for i, r := range l.runs { // within a round
			if i > 0 && r.Round == l.runs[i-1].Round && r.Purpose == record.PurposeTiming && l.runs[i-1].Purpose != record.PurposeTiming {
				t.Errorf("%s of round %d was timed after a profiler's fork", r.Case.Name, r.Round)
			}
		}
	})
}

// TestProfilesSlow: the plan knows of profilers whose forks take longer.
func TestProfilesSlow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		before := p.Estimate()
		p.Profiles = []Profile{{Purpose: "slow", Rounds: 2, Slowdown: 7}}
		more := 2 * 3 * ForkOverhead
		for _, c := range p.Cases {
			more += 2 * 7 * time.Duration(c.Wall)
		}
		if got := p.Estimate() - before; got != more {
			t.Errorf("%s more, want %s", got, more)
		}
		var first, last Progress
		p.Before = func(_ *record.Case, now Progress) {
			if first.Total == 0 {
				first = now
			}
			last = now
		}
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		if first.Remaining != before+more || last.Remaining > 10*second {
			t.Errorf("left: %s at first, want %s, and %s at last", first.Remaining, before+more, last.Remaining)
		}
	})
}
