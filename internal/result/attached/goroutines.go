package attached

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Goroutines says which goroutines ran while a benchmark was measured: medians over
// the forks that were traced. See [record.Goroutines] for what the figures are.
type Goroutines struct {
	Forks  int         `json:"forks"`
	Traced stat.Number `json:"traced"` // share of the windows that is in the traces, the least

	// CPUShare is the CPU time of the process, by the kernel, over the running time of
	// all goroutines, the tracer's included: what to multiply running times by for an
	// estimate of CPU time. 0 if it is not known.
	CPUShare stat.Number `json:"cpu_share,omitempty"`

	Groups []GoroutineGroup `json:"groups"` // the most running time first
}

// GoroutineGroup are the goroutines that began in one function.
type GoroutineGroup struct {
	Func       string      `json:"func"`           // "" for all that are not listed
	Count      stat.Number `json:"count"`          // goroutines of a fork
	Running    stat.Number `json:"running_ns/op"`  // of all of them, on a P
	RunningMin stat.Number `json:"running_min_ns"` // of one of them, over all measured windows of a fork
	RunningAvg stat.Number `json:"running_avg_ns"` // mean of one of them
	RunningMax stat.Number `json:"running_max_ns"` // maximum of one of them
	Slices     stat.Number `json:"slices/op"`      // stretches of running
	Runnable   stat.Number `json:"runnable_ns/op"` // waiting for a P
	Blocked    stat.Number `json:"blocked_ns/op"`  // waiting for something else
	Syscall    stat.Number `json:"syscall_ns/op"`  // in system calls
}

// CheckGoroutines refuses what cannot be.
func CheckGoroutines(g *record.Goroutines) error {
	if g.Ops < 1 || g.Traced <= 0 || g.Traced > 1 {
		return fmt.Errorf("%d operations, of which %g were traced", g.Ops, g.Traced)
	}
	return nil
}

// MedianGoroutines returns what the traced forks come to, nil if there are none. A
// group that a fork does not list counts as 0 there.
func MedianGoroutines(traced []*record.Goroutines) *Goroutines {
	if len(traced) == 0 {
		return nil
	}
	out := &Goroutines{Forks: len(traced), Traced: 1, Groups: []GoroutineGroup{}}
	var shares []float64
	var names []string
	for _, g := range traced {
		out.Traced = min(out.Traced, stat.Number(g.Traced))
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
	if len(shares) > 0 {
		out.CPUShare = stat.Number(stat.Median(shares))
	}
	for _, name := range names {
		out.Groups = append(out.Groups, medianGroup(traced, name))
	}
	slices.SortStableFunc(out.Groups, func(x, y GoroutineGroup) int {
		if x.Func == "" || y.Func == "" { // what is not listed comes last
			return cmp.Compare(y.Func, x.Func)
		}
		return cmp.Or(cmp.Compare(y.Running, x.Running), cmp.Compare(x.Func, y.Func))
	})
	return out
}

func medianGroup(traced []*record.Goroutines, name string) GoroutineGroup {
	median := func(of func(g *record.Goroutines, x *record.GoroutineGroup) float64) stat.Number {
		var xs []float64
		for _, g := range traced {
			v := 0.0
			for i := range g.Groups {
				if g.Groups[i].Func == name {
					v = of(g, &g.Groups[i])
				}
			}
			xs = append(xs, v)
		}
		return stat.Number(stat.Median(xs))
	}
	perOp := func(of func(*record.GoroutineGroup) int64) stat.Number {
		return median(func(g *record.Goroutines, x *record.GoroutineGroup) float64 {
			return float64(of(x)) / g.Traced / float64(g.Ops)
		})
	}
	one := func(of func(*record.GoroutineGroup) float64) stat.Number {
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
