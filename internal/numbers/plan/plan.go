package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tarebench/tare/record"
)

// Plan is the plan of a bench run.
type Plan struct {
	Config record.Config
	Seed   record.Seed
	Cases  []*record.Case

	// FirstWall is the wall time of the first operation at discovery, by case ID; missing if unknown. If it is longer
	// than an iteration should be, the calibration examines fewer iterations.
	FirstWall map[int]time.Duration

	// Setup is what a fork of a case alone spends on the set-up of the function around it, by case ID; missing if it is
	// small or unknown.
	Setup map[int]time.Duration

	// Replanned, if not nil, is called when the N of a case is replaced.
	Replanned Replanned

	// Began is when the budget began to count: before benchmarks were searched for. The zero value is the first fork that
	// counts.
	Began time.Time

	// Brief shortens the calibration, where Config.Budget would not be enough for the whole one: N is not confirmed.
	Brief bool

	// BudgetBinds has Config.Budget end the calibration: see [Plan.Guess] and [Plan.LeaveOut].
	BudgetBinds bool

	guessed          map[int]bool  // by case ID: see IsGuessed
	calibrationTally map[int]Tally // of the calibration's forks, by case ID

	// Profiles are the profilers that run forks of their own.
	Profiles []Profile

	// Done reports whether an earlier run has measured a fork. Nil means no.
	Done func(caseID, round int) bool
	// Tally returns the tally of an earlier run that is resumed. Nil means that there is none.
	Tally func(caseID int) Tally
	// ProfileDone is Done for the forks of a profiler.
	ProfileDone func(caseID, round int, purpose string) bool
	// Before, if not nil, is called before each fork that counts.
	Before func(c *record.Case, p Progress)
	// Waiting, if not nil, is called before a block of a spread run that is not due yet.
	Waiting func(block int, due time.Time)
	// BeforeRound, if not nil, is called before the forks of each round; in order Grouped for each case.
	BeforeRound func(round int)
	// After, if not nil, is called at the end of each round.
	After func(round int)
}

// Profile is a profiler that runs forks of its own: one of each case at the end of each of the first Rounds rounds.
type Profile struct {
	Purpose  string
	Rounds   int
	Slowdown int // expected duration relative to a timed fork; 0 means 1
}

// Progress is the progress of a run.
type Progress struct {
	Round, Rounds int
	Done, Total   int           // forks done, forks planned
	Remaining     time.Duration // expected remaining time, corrected by the time spent so far
}

// Request describes one fork for a Runner to run.
type Request struct {
	Case      *record.Case
	Group     []*record.Case // the cases that run in the process, Case among them; nil: Case alone
	With      []*record.Case // other cases of Group whose forks count
	Round     int
	Purpose   string
	Benchtime string
	Count     int // iterations, warm-up included
	Warmup    int
	Timeout   time.Duration
}

// Outcome is an ended fork and its samples.
type Outcome struct {
	Fork    record.Fork
	Samples []*record.Sample
	Others  []*Outcome // of Request.With, in its order
}

// A Runner runs one fork. Its error means that no more forks can be run.
type Runner func(context.Context, Request) (*Outcome, error)

// Count returns the number of iterations of a fork, warm-up included.
func (p *Plan) Count() int { return p.Config.Warmup + p.Config.Iterations }

// Benchtime returns the value of -benchtime for a case.
func (p *Plan) Benchtime(c *record.Case) string {
	if c.Mode == record.ModeTime && !c.SingleShot {
		return p.Config.Time.String()
	}
	return fmt.Sprintf("%dx", max(1, c.N))
}

// MinTimeout is the shortest timeout of a fork if Config has none.
const MinTimeout = time.Minute

// Timeout returns the timeout of a fork of c: Config.Timeout, or ten times the expected duration and at least
// MinTimeout.
func (p *Plan) Timeout(c *record.Case) time.Duration {
	if p.Config.Timeout > 0 {
		return p.Config.Timeout
	}
	return max(MinTimeout, 10*p.processTime(c))
}

func (p *Plan) request(c *record.Case, round int, purpose string) Request {
	r := Request{
		Case: c, Round: round, Purpose: purpose, Benchtime: p.Benchtime(c),
		Count: p.count(c), Warmup: p.Config.Warmup, Timeout: p.Timeout(c),
	}
	if !record.OfProfiler(purpose) {
		r.Group = p.Members(c)
	}
	if record.OfProfiler(purpose) && p.Config.Benchtime == "" {
		r.Benchtime, r.Count = p.Config.Time.String(), p.Count() // fills a window, however long the set-up takes
	}
	if c.SingleShot { // a process is cold only once
		r.Count, r.Warmup, r.Benchtime = 1, 0, "1x"
	}
	return r
}

// Order returns the order of n cases in a round. It depends only on the seed and the round, so that a resumed or
// repeated run has the same.
func Order(seed record.Seed, round, n int) []int {
	return rand.New(rand.NewPCG(uint64(seed), uint64(round))).Perm(n)
}

// ForkOverhead is the expected overhead of tare for each fork.
const ForkOverhead = 2 * time.Millisecond

// forkTime returns the expected duration of a fork.
func forkTime(c *record.Case) time.Duration { return time.Duration(c.Wall) + ForkOverhead }

// Estimate returns the expected wall time of the remaining forks. It includes repeats, if forks of the calibration waited
// too long for a processor.
func (p *Plan) Estimate() time.Duration {
	var d time.Duration
	for round := 1; round <= p.rounds(); round++ {
		for _, c := range p.Cases {
			if !p.done(c, round) {
				d += forkTime(c) + time.Duration(p.repeatRate(c)*float64(forkTime(c)))
			}
			_, took := p.remainingProfiles(c, round)
			d += took
		}
	}
	d = max(d, p.spread())
	if b := p.Config.Budget; b > 0 {
		d = min(d, max(b-p.spent(), p.roundTime()))
	}
	return d
}

// spent returns how much of the budget is spent.
func (p *Plan) spent() time.Duration {
	if p.Began.IsZero() {
		return 0
	}
	return time.Since(p.Began)
}

// roundTime returns the expected duration of the first round, which always runs.
func (p *Plan) roundTime() time.Duration {
	var d time.Duration
	for _, c := range p.Cases {
		d += forkTime(c)
	}
	return d
}

func (p *Plan) done(c *record.Case, round int) bool { return p.Done != nil && p.Done(c.ID, round) }

// rounds returns the maximum number of rounds.
func (p *Plan) rounds() int {
	if analyses := p.analyses(); len(analyses) > 0 {
		return analyses[len(analyses)-1].Round
	}
	return p.Config.Forks
}
