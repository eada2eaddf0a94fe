package gather

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Profiled says which instruments a result has of a benchmark on both sides.
type Profiled struct {
	Notes, Allocations, Instructions, Samples, Waits bool
}

// Missing returns the profilers of those that are not there, cheapest first.
func (l Profiled) Missing() (out []string) {
	for _, x := range []struct {
		name string
		have bool
	}{{"compiler", l.Notes}, {"alloc", l.Allocations}, {"instructions", l.Instructions}, {"asm", l.Samples}, {"sched", l.Waits}} {
		if !x.have {
			out = append(out, x.name)
		}
	}
	return out
}

// machineReasons are reasons against trust that are the machine's, or the measuring's.
var machineReasons = []string{
	diagnosis.Starved, diagnosis.ThreadsWaited, diagnosis.ProcessorsLost, diagnosis.Quota, diagnosis.Crowded, diagnosis.Steal, diagnosis.NotAlone, diagnosis.UnlikeConditions,
	diagnosis.Environment, diagnosis.NotInterleaved,
}

// takenReasons are those of machineReasons that say that others took time: how much is known.
var takenReasons = []string{diagnosis.Starved, diagnosis.ThreadsWaited, diagnosis.ProcessorsLost, diagnosis.Crowded, diagnosis.Steal, diagnosis.NotAlone}

// farBeyondLoss reports whether what others took of both sides' time is known, and is far less than the difference.
func (g *gatherer) farBeyondLoss() bool {
	const times = 5
	lost := 0.0
	for _, name := range []string{g.c.Base, g.c.Side} {
		b := g.side(name, func(b *result.Benchmark) bool { return b.Lost != nil })
		if b == nil {
			return false
		}
		lost = max(lost, float64(*b.Lost))
	}
	return lost < 0.5 && math.Abs(math.Log(float64(g.c.Ratio))) > -times*math.Log(1-lost)
}

// Of returns what a result knows of a comparison of times, and which instruments were used.
func Of(res *result.Result, c *result.Comparison) (*why.Evidence, Profiled) {
	g := &gatherer{res: res, c: c, e: &why.Evidence{}}
	g.times()
	g.environment()
	g.code()
	g.instructions()
	g.samples()
	g.allocations()
	g.notes()
	g.sameLines()
	g.waits()
	return g.e, g.profiled
}

type gatherer struct {
	res      *result.Result
	c        *result.Comparison
	e        *why.Evidence
	profiled Profiled
	done     executed
}

// side returns the benchmark of a side; nil if it has none.
func (g *gatherer) side(name string, has func(*result.Benchmark) bool) *result.Benchmark {
	for i := range g.res.Results {
		if r := &g.res.Results[i]; r.Pkg == g.c.Pkg && r.Name == g.c.Name && r.Procs == g.c.Procs && r.Side == name && has(r) {
			return r
		}
	}
	return nil
}

// both returns a benchmark on both sides. It returns false unless both sides have what is asked for.
func (g *gatherer) both(has func(*result.Benchmark) bool) (old, new *result.Benchmark, ok bool) {
	old, new = g.side(g.c.Base, has), g.side(g.c.Side, has)
	return old, new, old != nil && new != nil
}

// times takes the times of both sides. The error of their ratio is that of its interval.
func (g *gatherer) times() {
	c := g.c
	old, new := float64(c.Old), float64(c.New)
	err := new * math.Log(float64(c.Hi)/float64(c.Lo)) / (2 * 1.96)
	g.e.Wall = [2]why.Measure{{Value: old}, {Value: old * float64(c.Ratio), Err: cmp.Or(err, 0)}}
	for side, m := range g.e.Wall {
		g.e.CPU[side] = why.Measure{Value: m.Value * g.cores(side), Err: m.Err * g.cores(side)}
	}
	if c.Verdict == string(stat.Undecided) {
		g.e.Machine = "the difference is undecided, as the forks spread too much or are too few"
		return
	}
	for _, reason := range c.Reasons {
		if !slices.Contains(machineReasons, reason) || c.Trusted {
			continue
		}
		text := "the verdict is not trusted: " + g.textOf(reason)
		if slices.Contains(takenReasons, reason) && g.farBeyondLoss() {
			g.e.MachineNote = text + "; that is far less than the difference"
			continue
		}
		g.e.Machine = text
		return
	}
}

// cores returns how many processors the timed forks of a side kept busy; 1 if that is not known.
func (g *gatherer) cores(side int) float64 {
	b := g.side([]string{g.c.Base, g.c.Side}[side], func(b *result.Benchmark) bool { return b.Cores > 0 })
	if b == nil {
		return 1
	}
	return b.Cores
}

// environment takes the variables in which the sides differ, and whether their sources do.
func (g *gatherer) environment() {
	if g.res.Run == nil {
		return
	}
	var of [2]map[string]string
	var sides [2]record.Side
	for i, name := range []string{g.c.Base, g.c.Side} {
		of[i] = map[string]string{}
		for _, s := range g.res.Run.Sides {
			if s.Name != name {
				continue
			}
			sides[i] = s
			for _, kv := range s.Setenv {
				k, v, _ := strings.Cut(kv, "=")
				of[i][k] = v
			}
		}
	}
	a, b := sides[0], sides[1]
	g.e.SameText = a.Name != "" && b.Name != "" && a.Dir == b.Dir && a.Ref == b.Ref && a.Revision == b.Revision && a.Dirty == b.Dirty
	g.sideFlags(a, b)
	names := slices.Sorted(maps.Keys(of[0]))
	for _, k := range slices.Sorted(maps.Keys(of[1])) {
		if _, ok := of[0][k]; !ok {
			names = append(names, k)
		}
	}
	for _, k := range names {
		if of[0][k] != of[1][k] {
			g.e.Settings = append(g.e.Settings, why.Setting{Name: k, Old: cmp.Or(of[0][k], "unset"), New: cmp.Or(of[1][k], "unset")})
		}
	}
}

// sideFlags takes the build flags of one side alone.
func (g *gatherer) sideFlags(a, b record.Side) {
	byName := func(flags []string) map[string]string {
		out := map[string]string{}
		for _, f := range flags {
			name, value, _ := strings.Cut(f, "=")
			out["-"+strings.TrimLeft(name, "-")] = cmp.Or(value, "true")
		}
		return out
	}
	old, new := byName(a.Flags), byName(b.Flags)
	all := maps.Clone(old)
	maps.Copy(all, new)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if old[name] != new[name] {
			g.e.Settings = append(g.e.Settings, why.Setting{Name: name, Old: old[name], New: new[name]})
		}
	}
}

// textOf returns the text of a warning by its code.
func (g *gatherer) textOf(code string) string {
	for _, list := range [][]result.Warning{g.c.Warnings, g.res.Warnings} {
		for _, w := range list {
			if w.Code == code {
				return w.Text
			}
		}
	}
	return code
}

// code takes whether the machine code of the benchmark is the same on both sides.
func (g *gatherer) code() {
	if slices.Contains(g.c.Reasons, diagnosis.SameCode) || g.c.Verdict == string(stat.Identical) {
		g.e.SameCode = true
	}
}
