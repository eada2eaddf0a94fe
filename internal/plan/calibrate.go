package plan

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/record"
)

// Figures of the calibration.
const (
	costly     = 100 * time.Microsecond // an operation may take so long although its timer says less
	checkForks = 18                     // forks of all cases together by which the time of a fork is estimated
	checkMost  = 8                      // of one case
	checkTime  = 2 * time.Second        // or fewer, if they take so long
)

// Failure is a case that failed in the calibration.
type Failure struct {
	Case *record.Case
	Fork record.Fork
}

// Calibrate finds the N of a case whose N is not fixed, and in any case the expected
// wall time of its forks. firstNs is what one operation took when the benchmark
// was discovered, 0 if unknown. A case that fails is returned as a Failure; the
// error means that no more forks can be run.
//
// N is searched until one iteration lasts Config.Time, as the parent sees it:
// stopped timers and set-up included, see [search].
func (p *Plan) Calibrate(ctx context.Context, run Runner, c *record.Case, firstNs float64) (*Failure, error) {
	searched := c.Mode == record.ModeN && p.Config.Benchtime == "" && !c.SingleShot
	if searched {
		if f, err := p.findN(ctx, run, c, firstNs); f != nil || err != nil {
			return f, err
		}
	}
	quickest, f, err := p.expect(ctx, run, c)
	if f != nil || err != nil || !searched || quickest > p.Config.Time/3 {
		return f, err
	}
	// An interrupted fork looked like costly operations.
	if f, err := p.findN(ctx, run, c, float64(quickest)/float64(c.N)); f != nil || err != nil {
		return f, err
	}
	_, f, err = p.expect(ctx, run, c)
	return f, err
}

// findN searches even if the first operation took longer than an iteration
// should: it may have included work that is done only once.
func (p *Plan) findN(ctx context.Context, run Runner, c *record.Case, firstNs float64) (*Failure, error) {
	target := float64(p.Config.Time)
	s := search{target: target}
	c.N = firstN(target, max(firstNs, float64(p.FirstWall[c.ID])))
	for found := false; !found; {
		wall, f, err := p.iteration(ctx, run, c)
		switch {
		case err != nil:
			return nil, err
		case f != nil && f.Fork.State == record.StateTimeout && c.N > 1:
			c.N, found = s.tooMany(c.N)
		case f != nil:
			return f, nil
		default:
			c.N, found = s.next(c.N, wall)
		}
	}
	return nil, nil
}

// firstN returns the N to start with: what the time of the first operation
// suggests, but not more than fills an iteration if the operation is costly.
func firstN(target, firstNs float64) int64 {
	n := target / math.Max(firstNs, float64(costly))
	return max(1, int64(n))
}

// iteration runs a fork of three iterations and returns the wall time of the
// quicker of the last two. The first includes the start of the process, and an
// iteration that was interrupted would look like costly operations.
func (p *Plan) iteration(ctx context.Context, run Runner, c *record.Case) (float64, *Failure, error) {
	r := p.request(c, 0, record.PurposePilot)
	r.Count, r.Warmup = searchCount, 1
	out, f, err := twice(ctx, run, r)
	if f != nil || err != nil {
		return 0, f, err
	}
	if len(out.Samples) < searchCount {
		return 0, nil, fmt.Errorf("plan: a good fork of %s has %d samples", c.Name, len(out.Samples))
	}
	return float64(min(out.Samples[1].Wall, out.Samples[2].Wall)), nil, nil
}

// searchCount is the number of iterations of a fork that looks for N.
const searchCount = 3

// twice runs a fork, and again if it fails: one failure may be chance. A fork that
// took too long would do so again, so the caller has to ask for fewer operations.
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
		if out.Fork.State == record.StateTimeout && r.Case.N > 1 {
			break
		}
	}
	return nil, &Failure{r.Case, out.Fork}, nil
}

// expect runs whole forks and takes their mean wall time as the expected one. It
// returns the wall time of the quickest iteration but the first, which includes the
// start of the process.
func (p *Plan) expect(ctx context.Context, run Runner, c *record.Case) (quickest time.Duration, f *Failure, err error) {
	quickest = math.MaxInt64
	most := min(checkMost, max(1, checkForks/max(1, len(p.Cases))))
	var sum, n int64
	for range most {
		out, f, err := twice(ctx, run, p.request(c, 0, record.PurposePilot))
		if f != nil || err != nil {
			return 0, f, err
		}
		for _, s := range out.Samples[min(1, len(out.Samples)):] {
			quickest = min(quickest, time.Duration(s.Wall))
		}
		sum += out.Fork.Wall
		n++
		if time.Duration(sum) > checkTime {
			break
		}
	}
	c.Wall = sum / n
	return quickest, nil, nil
}
