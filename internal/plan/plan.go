package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tarebench/tare/record"
)

// Plan is what a bench run will do.
type Plan struct {
	Config record.Config
	Seed   record.Seed
	Cases  []*record.Case

	// FirstWall is the wall time of the first operation, seen at discovery, by case
	// ID; a missing one is unknown. It keeps the calibration from asking for too many
	// operations of a benchmark that stops its timer.
	FirstWall map[int]time.Duration

	// Profiles are the profilers that want forks of their own.
	Profiles []Profile

	// Done reports whether an earlier run has measured a fork; nil: none.
	Done func(caseID, round int) bool
	// ProfileDone is Done for the forks of a profiler.
	ProfileDone func(caseID, round int, purpose string) bool
	// Before is called before each fork that counts; nil: not.
	Before func(c *record.Case, p Progress)
	// After is called when a round is over; nil: not.
	After func(round int)
}

// Profile is a profiler that wants forks of its own: one of each case at the end
// of each of the first rounds.
type Profile struct {
	Purpose string
	Rounds  int
	Slow    int // times as long as a timed fork that one of these is expected to take; 0 is once
}

// Progress is how far a run is.
type Progress struct {
	Round, Rounds int
	Forks, Of     int           // forks done, forks planned
	Left          time.Duration // expected, corrected by what has passed
}

// Request asks a Runner for one fork.
type Request struct {
	Case      *record.Case
	Round     int
	Purpose   string
	Benchtime string
	Count     int // iterations, warm-up included
	Warmup    int
	Timeout   time.Duration
}

// Outcome is how a fork ended, and what it measured.
type Outcome struct {
	Fork    record.Fork
	Samples []*record.Sample
}

// A Runner runs one fork. Its error means that no more forks can be run.
type Runner func(context.Context, Request) (*Outcome, error)

// Count is the number of iterations of a fork.
func (p *Plan) Count() int { return p.Config.Warmup + p.Config.Iterations }

// Benchtime is the -benchtime of a case.
func (p *Plan) Benchtime(c *record.Case) string {
	if c.Mode == record.ModeTime && !c.SingleShot {
		return p.Config.Time.String()
	}
	return fmt.Sprintf("%dx", max(1, c.N))
}

// MinTimeout is the least wall time that a fork is given when no timeout was
// asked for.
const MinTimeout = time.Minute

// Timeout is the limit of a fork of c: the one asked for, or ten times what is
// expected and at least MinTimeout.
func (p *Plan) Timeout(c *record.Case) time.Duration {
	if p.Config.Timeout > 0 {
		return p.Config.Timeout
	}
	return max(MinTimeout, 10*time.Duration(c.Wall))
}

func (p *Plan) request(c *record.Case, round int, purpose string) Request {
	r := Request{
		Case: c, Round: round, Purpose: purpose, Benchtime: p.Benchtime(c),
		Count: p.Count(), Warmup: p.Config.Warmup, Timeout: p.Timeout(c),
	}
	if record.OfProfiler(purpose) && p.Config.Benchtime == "" {
		r.Benchtime = p.Config.Time.String() // a window, however long the set-up is
	}
	if c.SingleShot { // a process is cold only once
		r.Count, r.Warmup, r.Benchtime = 1, 0, "1x"
	}
	return r
}

// Order is the order of n cases in a round: a permutation drawn from the seed
// and the round alone, so that a run that is resumed, or repeated, has it again.
func Order(seed record.Seed, round, n int) []int {
	return rand.New(rand.NewPCG(uint64(seed), uint64(round))).Perm(n)
}

// PerFork is what tare itself is expected to add to each fork.
const PerFork = 2 * time.Millisecond

// expected is the expected time of a fork.
func expected(c *record.Case) time.Duration { return time.Duration(c.Wall) + PerFork }

// Estimate is the expected wall time of the forks that are to come.
func (p *Plan) Estimate() time.Duration {
	var d time.Duration
	for round := 1; round <= p.rounds(); round++ {
		for _, c := range p.Cases {
			if !p.done(c, round) {
				d += expected(c)
			}
			_, took := p.profilesLeft(c, round)
			d += took
		}
	}
	if b := p.Config.Budget; b > 0 {
		d = min(d, b)
	}
	return d
}

func (p *Plan) done(c *record.Case, round int) bool { return p.Done != nil && p.Done(c.ID, round) }

// rounds is the largest number of rounds that the plan may come to.
func (p *Plan) rounds() int {
	if analyses := p.analyses(); len(analyses) > 0 {
		return analyses[len(analyses)-1].Round
	}
	return p.Config.Forks
}
