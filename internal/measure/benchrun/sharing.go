package benchrun

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/record"
)

// Sub-benchmarks of one function share a process in each round where the set-up of
// that function would take most of the run, or where some fail alone. It is decided
// before the calibration, or when a case fails in it, for all sides alike.

// sharing is what is known of sub-benchmarks that may share a process.
type sharing struct {
	off   bool
	own   map[int]time.Duration // what the timer saw of the first operation, by case ID; the wall time if it saw nothing
	sends map[int]bool          // cases of package bench, which send their samples: a process does not say whose
	why   map[int]string        // of the cases that share one
	tried map[function][]trial
}

// function is a benchmark function with its sub-benchmarks, on all sides.
type function struct {
	pkg, name string
	procs     int
}

// trial is how one case fared in a process with its siblings.
type trial struct {
	c    *record.Case
	ok   bool
	wall time.Duration
}

// notableSetup is the shortest set-up that an estimate takes into account.
const notableSetup = 100 * time.Millisecond

func functionOf(c *record.Case) function {
	name, _, _ := strings.Cut(c.Name, "/")
	return function{c.Pkg, name, c.Procs}
}

// see takes a benchmark that was found.
func (s *sharing) see(c *record.Case, x fork.Discovered) {
	if s.own == nil {
		*s = sharing{off: s.off, own: map[int]time.Duration{}, sends: map[int]bool{}, why: map[int]string{}, tried: map[function][]trial{}}
	}
	s.own[c.ID], s.sends[c.ID] = x.Wall, x.Announcement != nil
	if ns, ok := x.V.Get("ns/op"); ok && ns >= 0 && ns < float64(x.Wall) {
		s.own[c.ID] = time.Duration(ns)
	}
}

// siblings returns the cases of a function on one side that one process could run, nil if it could not.
func (c *Calibrated) siblings(x *record.Case) []*record.Case {
	var out []*record.Case
	var names []string
	for _, y := range c.Plan.Cases {
		lost := slices.ContainsFunc(c.Lost, func(l plan.Failure) bool { return l.Case == y })
		if functionOf(y) != functionOf(x) || y.Side != x.Side || lost {
			continue
		}
		if c.sharing.sends[y.ID] || y.Group != "" || !strings.Contains(y.Name, "/") {
			return nil
		}
		out, names = append(out, y), append(names, y.Name)
	}
	if c.sharing.off || len(out) < 2 || !fork.CanShare(names) {
		return nil
	}
	return out
}

// shareDear has the sub-benchmarks of functions whose set-up dwarfs them share processes.
func (c *Calibrated) shareDear(ctx context.Context) error {
	seen := map[function]bool{}
	for _, x := range c.Plan.Cases {
		if seen[functionOf(x)] {
			continue
		}
		seen[functionOf(x)] = true
		cases := c.siblings(x)
		if cases == nil {
			continue
		}
		if err := c.shareIfDear(ctx, cases); err != nil {
			return err
		}
	}
	return nil
}

// shareIfDear has the sub-benchmarks of one function share processes, or their forks be expected to repeat its set-up.
func (c *Calibrated) shareIfDear(ctx context.Context, cases []*record.Case) error {
	setup, before := c.setup(cases)
	if !c.Plan.IsDear(c.shares(setup, cases)) {
		if before >= setup/2 {
			c.repeatSetup(cases, setup, setup)
		}
		return nil
	}
	common, err := c.commonSetup(ctx, setup, cases)
	if err != nil {
		return err
	}
	spares := time.Duration(len(cases)) * common
	if spares >= setup-common && c.Plan.IsDear(c.shares(common, cases)) {
		c.shareSetup(cases, common, setup)
	} else {
		c.repeatSetup(cases, common, before)
	}
	return nil
}

// repeatSetup has forks of each case be expected to repeat the common set-up. before is what the first took for its
// share.
func (c *Calibrated) repeatSetup(cases []*record.Case, common, before time.Duration) {
	if common < notableSetup {
		return
	}
	whole := before >= common
	for i, y := range cases {
		c.Plan.Setup[y.ID] = common
		switch own := c.sharing.own[y.ID]; {
		case whole:
			c.Plan.FirstWall[y.ID] = own
		case i == 0:
			c.Plan.FirstWall[y.ID] = max(own, c.firstWall[y.ID]-common)
		}
	}
}

func (c *Calibrated) shares(setup time.Duration, cases []*record.Case) plan.Sharing {
	return c.Plan.Shares(setup, c.owns(cases))
}

func (c *Calibrated) owns(cases []*record.Case) []time.Duration {
	var own []time.Duration
	for _, x := range cases {
		own = append(own, c.sharing.own[x.ID])
	}
	return own
}

// setup returns what cases took at discovery besides their operations, and how much of it before the first had a
// result.
func (c *Calibrated) setup(cases []*record.Case) (all, before time.Duration) {
	for i, x := range cases {
		d := c.firstWall[x.ID] - c.sharing.own[x.ID]
		all += d
		if i == 0 {
			before = d
		}
	}
	return all, before
}

// commonSetup measures the part of a set-up that is the function's and not its members', by one operation of one member
// alone: the one that was the cheapest at discovery. Every fork of a member alone repeats that part. It is zero if the
// member fails alone, which says nothing.
func (c *Calibrated) commonSetup(ctx context.Context, setup time.Duration, cases []*record.Case) (time.Duration, error) {
	x := slices.MinFunc(cases, func(a, b *record.Case) int { return cmp.Compare(c.firstWall[a.ID], c.firstWall[b.ID]) })
	c.Progress.Phase("looking at the set-up of %s%s", sideLabel(x.Side), functionOf(x).name)
	var limit time.Duration
	for _, y := range cases {
		limit += 3 * c.firstWall[y.ID]
	}
	out, err := c.Plan.RunOnce(ctx, c.run, x, limit)
	switch {
	case err != nil:
		return 0, err
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case out.Fork.State != record.StateOK && out.Fork.State != record.StateTimeout:
		return 0, nil
	}
	return min(setup, max(0, time.Duration(out.Fork.Wall)-c.firstWall[x.ID])), nil
}

// shareSetup makes a function's sub-benchmarks one group, because of its set-up: the part that is common to them, which
// forks of each would repeat, and all of it, which a process of all takes.
func (c *Calibrated) shareSetup(cases []*record.Case, common, setup time.Duration) {
	s := c.shares(setup, cases)
	forks := c.Plan.Config.Forks
	repeated := time.Duration(forks*len(cases)) * common
	why := fmt.Sprintf("set-up of about %s would be repeated in each of %d forks, about %s in all", seconds(common), forks*len(cases), seconds(repeated))
	wall := setup + s.Own + c.between(cases)
	c.group(cases, why, wall, c.iterating(cases))
	c.Progress.Note("%s%s: %s: its %d sub-benchmarks share one process in each round, about %s each", sideLabel(cases[0].Side), functionOf(cases[0]).name,
		why, len(cases), seconds(wall))
}

// between returns about how long package testing spends between the runs of members that share a process: it collects
// garbage before each run, of all that the function holds, and runs ever more operations until they take the time asked
// for. The median wait for a result at discovery, without the first, is taken for one such collection: results may
// arrive together, so that some waits are none.
func (c *Calibrated) between(cases []*record.Case) time.Duration {
	var waits []time.Duration
	var runs time.Duration
	for i, x := range cases {
		own := max(1, c.sharing.own[x.ID])
		if i > 0 {
			waits = append(waits, max(0, c.firstWall[x.ID]-own))
		}
		n := 1.0
		if t := c.Plan.Config.Time; own < t && c.Plan.Config.Benchtime == "" {
			n = 2 + math.Ceil(math.Log(float64(t)/float64(own))/math.Log(testingGrowth))
		}
		runs += time.Duration(c.Plan.Count())*time.Duration(n) - 1 // the first is in the set-up
	}
	slices.Sort(waits)
	return waits[(len(waits)-1)/2] * runs
}

// testingGrowth is how many times more operations package testing runs at most next.
const testingGrowth = 100

// iterating returns about how long the iterations of a fork of each case take.
func (c *Calibrated) iterating(cases []*record.Case) []time.Duration {
	var out []time.Duration
	for _, x := range cases {
		out = append(out, c.Plan.Shares(0, []time.Duration{c.sharing.own[x.ID]}).Own)
	}
	return out
}

// group has cases of one side share processes, and so the same benchmarks of other sides.
func (c *Calibrated) group(cases []*record.Case, why string, wall time.Duration, own []time.Duration) {
	for _, side := range c.sides {
		var same []*record.Case
		var walls []time.Duration
		for i, x := range cases {
			for _, y := range c.Plan.Cases {
				if y.Side == side.Name && sameBenchmark(x, y) && !slices.ContainsFunc(c.Lost, func(l plan.Failure) bool { return l.Case == y }) {
					same, walls = append(same, y), append(walls, own[i])
					c.sharing.why[y.ID] = why
				}
			}
		}
		if len(same) > 0 {
			c.Plan.Share(same, functionOf(cases[0]).name, wall, walls)
		}
	}
}
