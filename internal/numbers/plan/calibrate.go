package plan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/numbers/calibration"
	"github.com/tarebench/tare/record"
)

// Parameters of the calibration.
const (
	calibrationCount = 5                      // iterations of a calibration fork: the first includes the start of the process
	briefCount       = 3                      // iterations of a calibration fork if an operation is longer than the target or the budget is short
	checkForks       = 18                     // forks of all cases together that estimate the duration of a fork
	maxCheckForks    = 8                      // forks of one case
	checkTime        = 500 * time.Millisecond // total duration after which a case needs no more of them
	forkStart        = 8 * time.Millisecond   // expected time to start and end a process
)

// Failure is a case that failed during calibration.
type Failure struct {
	Case *record.Case
	Fork record.Fork
}

// searched reports whether the N of a case is to be searched.
func (p *Plan) searched(c *record.Case) bool {
	return c.Group == "" && c.Mode == record.ModeN && p.Config.Benchtime == "" && !c.SingleShot
}

// Calibrate finds N of a case whose N is not fixed, and the expected wall time of a fork of any case. A case that fails
// is returned as a Failure. The error means that no more forks can be run.
//
// N is searched until one iteration takes Config.Time alone, including stopped timers and set-up; see [calibration.Search].
func (p *Plan) Calibrate(ctx context.Context, run Runner, c *record.Case) (*Failure, error) {
	run = p.observed(run)
	if !p.searched(c) {
		samples, f, err := p.measureForks(ctx, run, c)
		if f == nil && err == nil {
			p.shorten(c, samples)
		}
		return f, err
	}
	s := calibration.New(p.Config.Time)
	s.Brief = p.Brief
	var last *Outcome
	for n, found := int64(1), false; !found; {
		c.N = n
		out, f, err := runWithRetry(ctx, run, p.calibrationFork(c))
		switch {
		case err != nil:
			return nil, err
		case f != nil && f.Fork.State == record.StateTimeout && n > 1:
			n, found = s.TimedOut(n)
			continue
		case f != nil:
			return f, nil
		case len(out.Samples) < 2:
			return nil, fmt.Errorf("plan: a good fork of %s has %d samples", c.Name, len(out.Samples))
		}
		last = out
		n, found = s.Next(n, calibration.Iterations(out.Samples))
		if !found && p.isOverdue() {
			p.Guess(c, nil)
			c.Wall = max(c.Wall, out.Fork.Wall)
			return nil, nil
		}
	}
	r := s.Result()
	p.adopt(c, r)
	c.Wall = p.expectedWall(last, r)
	p.shorten(c, last.Samples[1:])
	return nil, p.doubled(ctx, run, c, r)
}

// adopt takes over what a search has found.
func (p *Plan) adopt(c *record.Case, r calibration.Result) {
	c.N = r.N
	c.Calibration = &record.Calibration{
		Target: int64(p.Config.Time), Time: int64(min(r.Time, math.MaxInt64/2)), Untimed: int64(r.Untimed),
		Fixed: int64(r.Baseline.Untimed), Limit: int64(r.Baseline.Limit), Lost: r.Lost, Forks: r.Forks, Brief: p.Brief, Looks: r.Seen,
	}
}

// calibrationFork returns the request of a fork that examines the N of a case.
func (p *Plan) calibrationFork(c *record.Case) Request {
	r := p.request(c, 0, record.PurposePilot)
	r.Count, r.Warmup = calibrationCount, 1
	if p.Brief || p.FirstWall[c.ID] > p.Config.Time && c.N == 1 {
		r.Count = briefCount
	}
	return r
}

// expectedWall returns the expected wall time of a fork, in ns, by the last calibration fork: its start and end, and
// iterations in proportion to N.
func (p *Plan) expectedWall(out *Outcome, r calibration.Result) int64 {
	var sum, rest float64
	for _, s := range out.Samples {
		sum += float64(s.Wall)
	}
	for _, s := range out.Samples[1:] {
		rest += float64(s.Wall)
	}
	iteration := rest / float64(len(out.Samples)-1)
	ends := float64(out.Fork.Wall) - sum + max(0, float64(out.Samples[0].Wall)-iteration)
	if n := out.Samples[0].Ops; n > 0 {
		iteration *= float64(r.N) / float64(n)
	}
	return int64(min(max(0, ends)+float64(p.Count())*iteration, math.MaxInt64/2))
}

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

// measureForks sets the expected wall time of a case's fork to the mean of some whole forks. It returns their
// iterations, without the first of each, which includes the start of the process.
func (p *Plan) measureForks(ctx context.Context, run Runner, c *record.Case) (samples []*record.Sample, f *Failure, err error) {
	most := min(maxCheckForks, max(1, checkForks/max(1, len(p.Cases))))
	if p.Brief {
		most = 1
	}
	var sum, n int64
	for range most {
		out, f, err := runWithRetry(ctx, run, p.request(c, 0, record.PurposePilot))
		if f != nil || err != nil {
			return nil, f, err
		}
		samples = append(samples, out.Samples[min(1, len(out.Samples)):]...)
		sum += out.Fork.Wall
		n++
		if time.Duration(sum) > checkTime || p.isOverdue() {
			break
		}
	}
	c.Wall = sum / n
	return samples, nil, nil
}

// CalibrationTime returns about how long the calibration of some cases takes on a quiet machine: five short forks and two
// at iterations of the target time, or some whole forks; less where it is brief.
func (p *Plan) CalibrationTime(cases []*record.Case) time.Duration {
	return p.calibrationTime(cases, p.Brief)
}

func (p *Plan) calibrationTime(cases []*record.Case, brief bool) time.Duration {
	var d time.Duration
	for i, c := range cases {
		if c.Group != "" {
			continue // is not calibrated
		}
		iteration := max(p.Config.Time, p.FirstWall[c.ID])
		forkStart := forkStart + p.Setup[c.ID]
		like := slices.ContainsFunc(cases[:i], func(x *record.Case) bool { return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs == c.Procs })
		switch {
		case !p.searched(c) || like:
			fork := forkStart + time.Duration(p.Count())*iteration
			if brief {
				d += fork
				continue
			}
			d += min(max(fork, checkTime), time.Duration(max(1, checkForks/len(cases)))*fork)
		case brief && iteration > p.Config.Time:
			d += forkStart + briefCount*iteration
		case brief:
			d += briefCount*iteration + 5*forkStart
		case iteration > p.Config.Time:
			d += 2 * (forkStart + briefCount*iteration)
			if iteration <= maxDoubled {
				d += forkStart + 3*doubledCount*iteration // testing does one operation before the two
			}
		default:
			d += 2*(forkStart+calibrationCount*iteration) + 5*forkStart
		}
	}
	return d
}

// RoundGuess returns about how long a round takes, before the cases are calibrated.
func (p *Plan) RoundGuess() time.Duration {
	var d time.Duration
	for _, c := range p.Cases {
		d += p.forkGuess(c)
	}
	return d
}

// forkGuess returns about how long a fork of a case takes, also before it is calibrated.
func (p *Plan) forkGuess(c *record.Case) time.Duration {
	forkStart := forkStart + p.Setup[c.ID]
	switch iteration := max(p.Config.Time, p.FirstWall[c.ID]); {
	case c.Wall > 0:
		return forkTime(c)
	case c.SingleShot:
		return forkStart + p.FirstWall[c.ID]
	default:
		return forkStart + time.Duration(p.Count())*iteration
	}
}
