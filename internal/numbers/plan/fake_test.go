package plan

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/record"
)

// bench is a simulated benchmark.
type bench struct {
	cost  func(n int64) time.Duration // wall time of an iteration of n operations
	timed func(n int64) time.Duration // of which the benchmark's timer sees this; nil: all
	start time.Duration               // of the process, and set-up before the first iteration
	hangs bool
	fail  func(r Request, run int) bool // of its run-th fork, from 1
}

// lab runs simulated benchmarks by their names. It must be used in a bubble of
// synctest: time passes by sleeping.
type lab struct {
	benches map[string]*bench
	runs    []Request
	each    map[string]int
	over    time.Duration // what tare adds to each fork
}

func newLab(benches map[string]*bench) *lab {
	return &lab{benches: benches, each: map[string]int{}, over: ForkOverhead}
}

// cases are one case for each name.
func cases(names ...string) []*record.Case {
	var out []*record.Case
	for i, n := range names {
		out = append(out, &record.Case{ID: i + 1, Name: n, Mode: record.ModeN})
	}
	return out
}

func (l *lab) run(ctx context.Context, r Request) (*Outcome, error) {
	b := l.benches[r.Case.Name]
	l.runs = append(l.runs, r)
	l.each[r.Case.Name]++
	o := &Outcome{Fork: record.Fork{Case: r.Case.ID, Round: r.Round, Purpose: r.Purpose, State: record.StateOK}}
	n, err := strconv.ParseInt(strings.TrimSuffix(r.Benchtime, "x"), 10, 64)
	if err != nil {
		n = 1
	}
	iteration := b.cost(n)
	wall := b.start + time.Duration(r.Count)*iteration
	if r.Timeout > 0 && (wall > r.Timeout || b.hangs) {
		wall, o.Fork.State = r.Timeout, record.StateTimeout
	}
	select {
	case <-ctx.Done():
		o.Fork.State = record.StatePartial
	case <-time.After(wall + l.over):
	}
	o.Fork.Wall = int64(wall)
	if o.Fork.State != record.StateOK {
		return o, nil
	}
	if b.fail != nil && b.fail(r, l.each[r.Case.Name]) {
		o.Fork.State, o.Fork.Why = record.StateFailed, "bad luck"
		return o, nil
	}
	for i := range r.Count {
		x := &record.Sample{Iter: i + 1, Phase: record.PhaseMeasure, Wall: int64(iteration), CPU: max(1, int64(iteration)), Delay: 1, Ns: max(1, int64(iteration)), Ops: n}
		if b.timed != nil {
			x.Ns = int64(b.timed(n))
		}
		if i < r.Warmup {
			x.Phase = record.PhaseWarmup
		}
		o.Samples = append(o.Samples, x)
	}
	return o, nil
}

// linear costs the same for each operation, and something for each iteration.
func linear(perOp float64, fixed time.Duration) func(int64) time.Duration {
	return func(n int64) time.Duration { return fixed + time.Duration(perOp*float64(n)) }
}

// bubble runs a test in fake time.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// config is the usual plan: 20 × (1+2) × 50ms.
func config() record.Config {
	return record.Config{Forks: 20, Warmup: 1, Iterations: 2, Time: 50 * time.Millisecond, Order: Interleaved, Confidence: 0.95}
}

// ran are the forks of a purpose as "name/round".
func (l *lab) ran(purpose string) []string {
	var out []string
	for _, r := range l.runs {
		if r.Purpose == purpose {
			out = append(out, fmt.Sprintf("%s/%d", r.Case.Name, r.Round))
		}
	}
	return out
}
