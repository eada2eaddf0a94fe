package plan

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/record"
)

// Figures of the pilot.
const (
	growth     = 100                    // at most so much larger is the next N
	costly     = 100 * time.Microsecond // an operation may take so long although its timer says less
	fewCases   = 6                      // up to so many cases the estimate is the mean of several forks
	checkForks = 3
)

// Failure is a case that failed in the pilot.
type Failure struct {
	Case *record.Case
	Fork record.Fork
}

// Tune finds the N of a case whose N is not fixed, and in any case the expected
// wall time of its forks. firstNs is what one operation took when the benchmark
// was discovered, 0 if unknown. A case that fails is returned as a Failure; the
// error means that no more forks can be run.
//
// N grows at least twofold until one iteration lasts Config.Time, as the parent
// sees it: stopped timers and set-up included. Growing by what the last N took
// would be enough if all operations cost the same; since they may cost more
// later (a growing data structure), no step is larger than hundredfold and the
// last one is checked.
func (p *Plan) Tune(ctx context.Context, run Runner, c *record.Case, firstNs float64) (*Failure, error) {
	if c.Mode == record.ModeN && p.Config.Benchtime == "" {
		f, err := p.findN(ctx, run, c, firstNs)
		if f != nil || err != nil {
			return f, err
		}
	}
	return p.expect(ctx, run, c)
}

func (p *Plan) findN(ctx context.Context, run Runner, c *record.Case, firstNs float64) (*Failure, error) {
	target := float64(p.Config.Time)
	c.N = firstN(target, firstNs)
	if firstNs >= target {
		return nil, nil // a single operation is enough
	}
	for {
		wall, f, err := p.iteration(ctx, run, c)
		if f != nil || err != nil {
			return f, err
		}
		switch {
		case wall >= target && wall <= 2*target, wall > target && c.N == 1:
			return nil, nil
		case wall > 2*target: // operations became dearer than they had seemed
			c.N = max(1, int64(float64(c.N)*target/wall))
			return nil, nil
		case wall >= target/2:
			c.N = round3(float64(c.N) * target / wall)
			return nil, nil
		}
		step := math.Min(growth, math.Max(2, target/math.Max(wall, 1)))
		if float64(c.N)*step > math.MaxInt32*64 {
			return nil, nil // even an empty loop takes longer
		}
		c.N = round3(float64(c.N) * step)
	}
}

// firstN starts the search near what the first operation promises, but not
// beyond what would fill an iteration if the operation is costly.
func firstN(target, firstNs float64) int64 {
	n := target / math.Max(firstNs, float64(costly))
	return max(1, int64(n))
}

// round3 rounds up to three significant digits, so that N reads well.
func round3(x float64) int64 {
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(x))-2))
	return int64(math.Ceil(x/unit) * unit)
}

// iteration runs a fork of two iterations and returns the wall time of the
// second: the first includes the start of the process.
func (p *Plan) iteration(ctx context.Context, run Runner, c *record.Case) (float64, *Failure, error) {
	r := p.request(c, 0, record.PurposePilot)
	r.Count, r.Warmup = 2, 1
	out, f, err := twice(ctx, run, r)
	if f != nil || err != nil {
		return 0, f, err
	}
	if len(out.Samples) < 2 {
		return 0, nil, fmt.Errorf("plan: a good fork of %s has %d samples", c.Name, len(out.Samples))
	}
	return float64(out.Samples[1].Wall), nil, nil
}

// twice runs a fork, and again if it fails: one failure may be chance.
func twice(ctx context.Context, run Runner, r Request) (*Outcome, *Failure, error) {
	var out *Outcome
	for range 2 {
		var err error
		if out, err = run(ctx, r); err != nil {
			return nil, nil, err
		}
		if out.Fork.State == record.StateOK {
			return out, nil, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, context.Cause(ctx)
		}
	}
	return nil, &Failure{r.Case, out.Fork}, nil
}

// expect runs whole forks and takes their mean wall time as the expected one.
func (p *Plan) expect(ctx context.Context, run Runner, c *record.Case) (*Failure, error) {
	n := checkForks
	if len(p.Cases) > fewCases {
		n = 1
	}
	var sum int64
	for range n {
		out, f, err := twice(ctx, run, p.request(c, 0, record.PurposePilot))
		if f != nil || err != nil {
			return f, err
		}
		sum += out.Fork.Wall
	}
	c.Wall = sum / int64(n)
	return nil, nil
}
