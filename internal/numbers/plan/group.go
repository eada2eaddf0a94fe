package plan

import (
	"context"
	"fmt"
	"time"

	"github.com/tarebench/tare/record"
)

// A group is some sub-benchmarks of one function that are measured by one process: see [record.Case].Group. The plan
// still counts a fork of each; the fork that comes first in a round runs the process, and the others take theirs from it.

// When sub-benchmarks share a process.
const (
	dearFactor = 5           // times the members' iterations that the set-up of their forks must take
	dearTime   = time.Minute // that the set-up of all forks must take, or the budget if that is less
)

// sameProcess reports whether two cases are of one group on one side.
func sameProcess(a, b *record.Case) bool {
	return a.Group != "" && a.Group == b.Group && a.Pkg == b.Pkg && a.Side == b.Side && a.Procs == b.Procs
}

// Members returns the cases that share the processes of c, c among them, in the order of the plan; nil if it has its own.
func (p *Plan) Members(c *record.Case) []*record.Case {
	var out []*record.Case
	for _, x := range p.Cases {
		if sameProcess(x, c) {
			out = append(out, x)
		}
	}
	return out
}

// processTime returns the expected duration of a process that measures c, and its group.
func (p *Plan) processTime(c *record.Case) time.Duration {
	if c.Group == "" {
		return time.Duration(c.Wall)
	}
	var d time.Duration
	for _, x := range p.Members(c) {
		d += time.Duration(x.Wall)
	}
	return d
}

// Sharing is what is known of sub-benchmarks of one function before they are calibrated.
type Sharing struct {
	Members int
	Setup   time.Duration // of the function around them
	Own     time.Duration // of a fork of each, without Setup, summed
}

// Shares returns what the members of a function come to. own are their single operations at discovery.
func (p *Plan) Shares(setup time.Duration, own []time.Duration) Sharing {
	s := Sharing{Members: len(own), Setup: setup}
	for _, d := range own {
		s.Own += time.Duration(p.Count()) * max(p.Config.Time, d)
	}
	return s
}

// IsDear reports whether the sub-benchmarks of a function are to share a process, because set-up repeated in each of their
// forks would dwarf what they measure and take longer than a minute or the budget.
func (p *Plan) IsDear(s Sharing) bool {
	limit := dearTime
	if b := p.Config.Budget; b > 0 {
		limit = min(limit, b)
	}
	all := time.Duration(s.Members) * s.Setup
	return s.Members > 1 && all >= dearFactor*s.Own && time.Duration(p.Config.Forks)*all > limit
}

// Share makes cases of one function on one side a group. wall is the expected duration of a process of all of them; own
// are the members' shares of it, in any unit. A N that was asked for is kept; else testing chooses it.
func (p *Plan) Share(cases []*record.Case, group string, wall time.Duration, own []time.Duration) {
	var sum time.Duration
	for _, d := range own {
		sum += d
	}
	for i, c := range cases {
		c.Group, c.Calibration, c.Iterations, c.Time, c.Long = group, nil, 0, 0, ""
		if p.Config.Benchtime == "" {
			c.Mode, c.N = record.ModeTime, 0
		}
		if p.Config.ShortIterations {
			c.Long = LongShared
		}
		c.Wall = max(1, int64(wall)/int64(len(cases)))
		if sum > 0 {
			c.Wall = max(1, int64(float64(wall)*float64(own[i])/float64(sum)))
		}
	}
}

// RunTogether runs cases of one function in one process, as a fork that counts would. It returns their outcomes in the
// order of cases. limit is the timeout unless Config has one; it is at least MinTimeout.
func (p *Plan) RunTogether(ctx context.Context, run Runner, cases []*record.Case, limit time.Duration) ([]*Outcome, error) {
	r := p.trial(cases[0], limit)
	r.Group, r.With = cases, cases[1:]
	r.Count, r.Warmup = p.Count(), p.Config.Warmup
	r.Benchtime = p.Config.Time.String()
	if p.Config.Benchtime != "" {
		r.Benchtime = p.Config.Benchtime
	}
	out, err := run(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(out.Others) != len(cases)-1 {
		return nil, fmt.Errorf("plan: a process of %d benchmarks has %d outcomes", len(cases), 1+len(out.Others))
	}
	return append([]*Outcome{out}, out.Others...), nil
}

// RunOnce runs one case alone for one operation.
func (p *Plan) RunOnce(ctx context.Context, run Runner, c *record.Case, limit time.Duration) (*Outcome, error) {
	return run(ctx, p.trial(c, limit))
}

func (p *Plan) trial(c *record.Case, limit time.Duration) Request {
	r := Request{Case: c, Purpose: record.PurposePilot, Benchtime: "1x", Count: 1, Timeout: p.Config.Timeout}
	if r.Timeout == 0 {
		r.Timeout = max(MinTimeout, limit)
	}
	return r
}

// shared holds the outcomes of processes that ran a group, until the forks that they are come in the order of the round.
type shared struct {
	due  []*record.Case // whose forks come in this pass and have not been run
	outs map[sharedKey]*Outcome
}

type sharedKey struct{ caseID, round int }

// next begins a pass over cases, of which those that run is true for get a fork.
func (s *shared) next(cases []*record.Case, run func(*record.Case) bool) {
	s.due, s.outs = nil, map[sharedKey]*Outcome{}
	for _, c := range cases {
		if c.Group != "" && run(c) {
			s.due = append(s.due, c)
		}
	}
}

// has reports whether the fork of a case has been run with another's.
func (s *shared) has(c *record.Case, round int) bool { return s.outs[sharedKey{c.ID, round}] != nil }

// process returns the outcome of a fork: of one that was run with another's, or of a new process.
func (m *measuring) process(ctx context.Context, r Request) (*Outcome, error) {
	if len(r.Group) == 0 {
		return m.run(ctx, r)
	}
	s, k := &m.shared, sharedKey{r.Case.ID, r.Round}
	if out := s.outs[k]; out != nil {
		delete(s.outs, k)
		return out, nil
	}
	var rest []*record.Case
	for _, x := range s.due {
		switch {
		case x == r.Case:
		case sameProcess(x, r.Case):
			r.With = append(r.With, x)
		default:
			rest = append(rest, x)
		}
	}
	s.due = rest
	out, err := m.run(ctx, r)
	if err != nil {
		return nil, err
	}
	for i, o := range out.Others {
		s.outs[sharedKey{r.With[i].ID, r.Round}] = o
	}
	return out, nil
}
