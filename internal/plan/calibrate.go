package plan

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/record"
)

// Parameters of the calibration.
const (
	costly        = 100 * time.Microsecond // possible duration of an operation whose timer shows less
	checkForks    = 18                     // forks of all cases together that estimate the duration of a fork
	maxCheckForks = 8                      // forks of one case
	checkTime     = 2 * time.Second        // total duration after which a case needs no more of them
)

// Failure is a case that failed during calibration.
type Failure struct {
	Case *record.Case
	Fork record.Fork
}

// Calibrate finds N of a case whose N is not fixed, and the expected wall time of a fork of any case. firstNs is the
// duration of one operation at discovery in ns, 0 if unknown. A case that fails is returned as a Failure. The error
// means that no more forks can be run.
//
// N is searched until one iteration takes Config.Time as the parent measures it, including stopped timers and
// set-up; see [search].
func (p *Plan) Calibrate(ctx context.Context, run Runner, c *record.Case, firstNs float64) (*Failure, error) {
	searched := c.Mode == record.ModeN && p.Config.Benchtime == "" && !c.SingleShot
	if searched {
		if f, err := p.findN(ctx, run, c, firstNs); f != nil || err != nil {
			return f, err
		}
	}
	quickest, f, err := p.measureForks(ctx, run, c)
	if f != nil || err != nil || !searched || quickest > p.Config.Time/3 {
		return f, err
	}
	// A fork was interrupted, which looked like slow operations: search again.
	if f, err := p.findN(ctx, run, c, float64(quickest)/float64(c.N)); f != nil || err != nil {
		return f, err
	}
	_, f, err = p.measureForks(ctx, run, c)
	return f, err
}

// findN searches N. It searches even if the first operation took longer than an iteration should, because that
// may have included work that is done once.
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
			c.N, found = s.timedOut(c.N)
		case f != nil:
			return f, nil
		default:
			c.N, found = s.next(c.N, wall)
		}
	}
	return nil, nil
}

// firstN returns the N to start with: the number of operations that fill an iteration, by the duration of the first
// one, or fewer if operations are costly.
func firstN(target, firstNs float64) int64 {
	n := target / math.Max(firstNs, float64(costly))
	return max(1, int64(n))
}

// iteration runs a fork of three iterations and returns the wall time of the shorter of the last two, in ns. The
// first includes the start of the process, and an interrupted one would look like slow operations.
func (p *Plan) iteration(ctx context.Context, run Runner, c *record.Case) (float64, *Failure, error) {
	r := p.request(c, 0, record.PurposePilot)
	r.Count, r.Warmup = searchCount, 1
	out, f, err := runWithRetry(ctx, run, r)
	if f != nil || err != nil {
		return 0, f, err
	}
	if len(out.Samples) < searchCount {
		return 0, nil, fmt.Errorf("plan: a good fork of %s has %d samples", c.Name, len(out.Samples))
	}
	return float64(min(out.Samples[1].Wall, out.Samples[2].Wall)), nil, nil
}

// searchCount is the number of iterations of a fork that searches N.
const searchCount = 3

// runWithRetry runs a fork, and again if it fails, since one failure may be chance. A fork that timed out is not
// repeated; the caller tries a smaller N.
func runWithRetry(ctx context.Context, run Runner, r Request) (*Outcome, *Failure, error) {
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

// measureForks sets the expected wall time of a case's fork to the mean of some whole forks. It returns the wall time
// of the shortest iteration, without the first, which includes the start of the process.
func (p *Plan) measureForks(ctx context.Context, run Runner, c *record.Case) (quickest time.Duration, f *Failure, err error) {
	quickest = math.MaxInt64
	most := min(maxCheckForks, max(1, checkForks/max(1, len(p.Cases))))
	var sum, n int64
	for range most {
		out, f, err := runWithRetry(ctx, run, p.request(c, 0, record.PurposePilot))
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
