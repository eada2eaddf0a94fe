package result

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Goroutines says which goroutines ran while a benchmark was measured: medians over
// the forks that were traced. See [record.Goroutines] for what the figures are.
type Goroutines struct {
	Forks  int    `json:"forks"`
	Traced Number `json:"traced"` // share of the windows that is in the traces, the least

	// CPUShare is the CPU time of the process, by the kernel, over the running time of
	// all goroutines, the tracer's included: what to multiply running times by for an
	// estimate of CPU time. 0 if it is not known.
	CPUShare Number `json:"cpu_share,omitempty"`

	Groups []GoroutineGroup `json:"groups"` // the most running time first
}

// GoroutineGroup are the goroutines that began in one function.
type GoroutineGroup struct {
	Func       string `json:"func"`           // "" for all that are not listed
	Count      Number `json:"count"`          // goroutines of a fork
	Running    Number `json:"running_ns/op"`  // of all of them, on a P
	RunningMin Number `json:"running_min_ns"` // of one of them, over all measured windows of a fork
	RunningAvg Number `json:"running_avg_ns"` // likewise
	RunningMax Number `json:"running_max_ns"` // likewise
	Slices     Number `json:"slices/op"`      // stretches of running
	Runnable   Number `json:"runnable_ns/op"` // waiting for a P
	Blocked    Number `json:"blocked_ns/op"`  // waiting for something else
	Syscall    Number `json:"syscall_ns/op"`  // in system calls
}

// checkGoroutines refuses what cannot be.
func checkGoroutines(g *record.Goroutines) error {
	if g.Ops < 1 || g.Traced <= 0 || g.Traced > 1 {
		return fmt.Errorf("%d operations, of which %g were traced", g.Ops, g.Traced)
	}
	return nil
}

// goroutineTable returns what the traced forks of a case come to, nil if there are none. A
// group that a fork does not list counts as 0 there.
func (c *caseData) goroutineTable() *Goroutines {
	if len(c.goroutines) == 0 {
		return nil
	}
	out := &Goroutines{Forks: len(c.goroutines), Traced: 1, Groups: []GoroutineGroup{}}
	var shares []float64
	var names []string
	for _, g := range c.goroutines {
		out.Traced = min(out.Traced, Number(g.Traced))
		all := g.Tracer
		for _, x := range g.Groups {
			all += x.Running
			if !slices.Contains(names, x.Func) {
				names = append(names, x.Func)
			}
		}
		if g.CPU > 0 && all > 0 {
			shares = append(shares, float64(g.CPU)/float64(all))
		}
	}
	out.CPUShare = Number(medianOr0(shares))
	for _, name := range names {
		out.Groups = append(out.Groups, c.goroutineGroup(name))
	}
	sort.SliceStable(out.Groups, func(i, j int) bool {
		x, y := &out.Groups[i], &out.Groups[j]
		if x.Func == "" || y.Func == "" { // what is not listed comes last
			return y.Func < x.Func
		}
		return cmp.Or(cmp.Compare(y.Running, x.Running), cmp.Compare(x.Func, y.Func)) < 0
	})
	return out
}

func (c *caseData) goroutineGroup(name string) GoroutineGroup {
	median := func(of func(g *record.Goroutines, x *record.GoroutineGroup) float64) Number {
		var xs []float64
		for _, g := range c.goroutines {
			v := 0.0
			for i := range g.Groups {
				if g.Groups[i].Func == name {
					v = of(g, &g.Groups[i])
				}
			}
			xs = append(xs, v)
		}
		return Number(stat.Median(xs))
	}
	perOp := func(of func(*record.GoroutineGroup) int64) Number {
		return median(func(g *record.Goroutines, x *record.GoroutineGroup) float64 {
			return float64(of(x)) / g.Traced / float64(g.Ops)
		})
	}
	one := func(of func(*record.GoroutineGroup) float64) Number {
		return median(func(_ *record.Goroutines, x *record.GoroutineGroup) float64 { return of(x) })
	}
	return GoroutineGroup{
		Func:       name,
		Count:      one(func(x *record.GoroutineGroup) float64 { return float64(x.Count) }),
		Running:    perOp(func(x *record.GoroutineGroup) int64 { return x.Running }),
		RunningMin: one(func(x *record.GoroutineGroup) float64 { return float64(x.RunningMin) }),
		RunningAvg: one(func(x *record.GoroutineGroup) float64 { return float64(x.Running) / float64(max(1, x.Count)) }),
		RunningMax: one(func(x *record.GoroutineGroup) float64 { return float64(x.RunningMax) }),
		Slices:     perOp(func(x *record.GoroutineGroup) int64 { return x.Slices }),
		Runnable:   perOp(func(x *record.GoroutineGroup) int64 { return x.Runnable }),
		Blocked:    perOp(func(x *record.GoroutineGroup) int64 { return x.Blocked }),
		Syscall:    perOp(func(x *record.GoroutineGroup) int64 { return x.Syscall }),
	}
}
