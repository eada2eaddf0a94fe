package gather

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/why"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Looked says which instruments a result has of a benchmark on both sides.
type Looked struct {
	Notes, Allocations, Instructions, Samples, Waits bool
}

// Missing returns the profilers of those that are not there, cheapest first.
func (l Looked) Missing() (out []string) {
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
	result.CodeStarved, result.CodeWaited, result.CodeAway, result.CodeQuota, result.CodeCrowded, result.CodeSteal, result.CodeNotAlone, result.CodeUnlikeConditions,
	result.CodeEnvironment, result.CodeNotInterleaved,
}

// Of returns what a result knows of a comparison of times, and which instruments were used.
func Of(res *result.Result, c *result.Comparison) (*why.Evidence, Looked) {
	g := &gatherer{res: res, c: c, e: &why.Evidence{}}
	g.times()
	g.environment()
	g.code()
	g.instructions()
	g.samples()
	g.allocations()
	g.notes()
	g.waits()
	return g.e, g.looked
}

type gatherer struct {
	res    *result.Result
	c      *result.Comparison
	e      *why.Evidence
	looked Looked
	done   executed
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

// both returns the benchmark of both sides, and false if one has not what is asked for.
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
	g.e.CPU = g.e.Wall // where samples do not say it
	for _, reason := range c.Reasons {
		if slices.Contains(machineReasons, reason) && !c.Trusted {
			g.e.Machine = "the verdict is not trusted: " + g.textOf(reason)
			return
		}
	}
}

// environment takes the variables in which the sides differ.
func (g *gatherer) environment() {
	if g.res.Run == nil {
		return
	}
	var of [2]map[string]string
	for i, name := range []string{g.c.Base, g.c.Side} {
		of[i] = map[string]string{}
		for _, s := range g.res.Run.Sides {
			if s.Name != name {
				continue
			}
			for _, kv := range s.Setenv {
				k, v, _ := strings.Cut(kv, "=")
				of[i][k] = v
			}
		}
	}
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
	if slices.Contains(g.c.Reasons, result.CodeSameCode) || g.c.Verdict == string(stat.Identical) {
		g.e.SameCode = true
	}
}

// kinds of functions by the part of the instructions.
var kinds = map[string]why.Kind{
	record.PartOwn: why.Own, record.PartAllocation: why.Allocator, record.PartGC: why.Allocator, record.PartScheduler: why.Scheduler,
}

// instructions takes counts by function and line.
func (g *gatherer) instructions() {
	i := slices.IndexFunc(g.res.Counted, func(x result.CountedInstructions) bool {
		return x.Pkg == g.c.Pkg && x.Name == g.c.Name && x.Procs == g.c.Procs && x.Base == g.c.Base && x.Side == g.c.Side
	})
	if i < 0 {
		return
	}
	g.looked.Instructions, g.e.Counted = true, true
	for _, f := range g.res.Counted[i].Functions {
		x := why.Function{Symbol: f.Name, Kind: cmp.Or(kinds[f.Part], why.Helper), Instructions: [2]float64{float64(f.Old), float64(f.New)}}
		for _, l := range f.Lines {
			x.Lines = append(x.Lines, why.Line{
				Place:        [2]why.Place{{Func: f.Name, File: l.File, Line: l.OldLine}, {Func: f.Name, File: l.File, Line: l.NewLine}},
				Instructions: [2]float64{float64(l.Old), float64(l.New)},
			})
		}
		g.e.Functions = append(g.e.Functions, x)
	}
	for side, name := range []string{g.c.Base, g.c.Side} {
		b := g.side(name, func(b *result.Benchmark) bool { return b.Instructions != nil })
		if b == nil {
			continue
		}
		for _, f := range b.Instructions.Functions {
			for _, l := range f.Lines {
				g.done.add(side, f.Name, l.File, l.Line)
			}
		}
	}
}

// areas of functions by that of a listing.
var areas = map[string]why.Kind{record.AreaGC: why.Allocator, record.AreaAllocator: why.Allocator, record.AreaScheduler: why.Scheduler, record.AreaKernel: why.Kernel}

// samples takes in which functions the time was.
func (g *gatherer) samples() {
	found, cpu := [2]bool{}, [2][]float64{}
	at := map[string]int{}
	for i := range g.e.Functions {
		at[g.e.Functions[i].Symbol] = i
	}
	for _, p := range g.res.Listings {
		side := slices.Index([]string{g.c.Base, g.c.Side}, p.Side)
		if side < 0 || p.Pkg != g.c.Pkg || p.Name != g.c.Name || p.Procs != g.c.Procs {
			continue
		}
		found[side] = true
		for _, fork := range p.Forks {
			if x := cpuTime(fork); x > 0 {
				cpu[side] = append(cpu[side], x)
			}
			for _, f := range fork.Funcs {
				i, ok := at[f.Name]
				if !ok {
					i = len(g.e.Functions)
					at[f.Name] = i
					g.e.Functions = append(g.e.Functions, why.Function{Symbol: f.Name, Kind: kindOf(f)})
				}
				g.e.Functions[i].Samples[side] += float64(f.Samples[0])
				g.e.Functions[i].Place[side] = why.Place{Func: f.Name, File: f.File, Line: f.Line}
				g.e.Samples[side] += f.Samples[0]
				for _, l := range f.Lines {
					g.done.add(side, f.Name, l.File, l.Line)
				}
			}
		}
	}
	if g.looked.Samples = found[0] && found[1]; !g.looked.Samples {
		g.e.Samples = [2]int64{}
	} else if len(cpu[0]) > 0 && len(cpu[1]) > 0 {
		g.e.CPU = [2]why.Measure{meanOf(cpu[0]), meanOf(cpu[1])}
	}
}

// cpuTime returns the CPU time of an operation in ns, by the samples of a fork; 0 if it is not known.
func cpuTime(a *record.Asm) float64 {
	if a.Ops == 0 || len(a.Events) == 0 {
		return 0
	}
	e := &a.Events[0]
	return float64(e.Samples) * e.Period / float64(a.Ops)
}

// meanOf returns the mean of the forks, with its standard error; of one fork the error is not known, and 2 % is taken.
func meanOf(xs []float64) why.Measure {
	sum, square := 0.0, 0.0
	n := float64(len(xs))
	for _, x := range xs {
		sum += x
	}
	m := sum / n
	for _, x := range xs {
		square += (x - m) * (x - m)
	}
	if n < 2 {
		const usual = 0.02
		return why.Measure{Value: m, Err: usual * m}
	}
	return why.Measure{Value: m, Err: math.Sqrt(square / (n - 1) / n)}
}

// kindOf returns what a function of a listing is for.
func kindOf(f record.AsmFunc) why.Kind {
	switch {
	case areas[f.Area] != "":
		return areas[f.Area]
	case strings.HasPrefix(f.Name, "runtime."):
		return why.Helper
	}
	return why.Own
}

// allocations takes the sites that differ.
func (g *gatherer) allocations() {
	old, new, ok := g.both(func(b *result.Benchmark) bool { return b.Allocs != nil })
	if !ok {
		return
	}
	g.looked.Allocations = true
	for _, c := range (result.AllocPair{Old: old, New: new}).Changes() {
		g.e.Sites = append(g.e.Sites, why.Site{
			Place: [2]why.Place{{Func: c.Func, File: c.File, Line: c.OldLine}, {Func: c.Func, File: c.File, Line: c.NewLine}}, Type: c.Type,
			Growth:  c.Type == growing,
			Objects: [2]float64{float64(c.Old.Objects), float64(c.New.Objects)}, Bytes: [2]float64{float64(c.Old.Bytes), float64(c.New.Bytes)},
		})
	}
}

// growing is the type of what runtime.growslice allocates, which does not know it.
const growing = "slice without pointers"

// causes of waiting by those of the record.
var waitCauses = map[string]why.WaitCause{
	record.WaitLock: why.Lock, record.WaitSend: why.Channel, record.WaitReceive: why.Channel, record.WaitSelect: why.Select, record.WaitNetwork: why.Network,
	record.WaitSleep: why.Sleep, record.WaitGC: why.GCAssist, record.WaitSyscall: why.Syscall, record.WaitCond: why.Lock, record.WaitWaitGroup: why.Channel,
}

// waits takes the sites at which goroutines waited longer, or less long.
func (g *gatherer) waits() {
	old, new, ok := g.both(func(b *result.Benchmark) bool { return b.Waits != nil })
	if !ok {
		return
	}
	g.looked.Waits = true
	g.e.Running = [2]why.Measure{{Value: float64(old.Waits.OwnRunning)}, {Value: float64(new.Waits.OwnRunning)}}
	_, sites := attached.WaitDifferences(old.Waits, new.Waits)
	for _, s := range sites {
		cause, known := waitCauses[s.Cause]
		if !known || !(s.P < 0.01) {
			continue
		}
		// A difference that is significant at P is so many standard errors away from none.
		err := math.Abs(s.Delta()) / max(math.Sqrt2*math.Erfinv(1-s.P), 1)
		place := func(p record.WaitPlace) why.Place { return why.Place{Func: p.Func, File: p.File, Line: p.Line} }
		g.e.Waits = append(g.e.Waits, why.Wait{
			Cause: cause, Own: ownWait(old.Waits, new.Waits, s.Cause), Place: place(s.At), Holder: place(s.By), Time: [2]why.Measure{{Value: float64(s.Old)}, {Value: float64(s.New), Err: err}},
		})
	}
}

// ownWait reports whether what changed of a cause is the waiting of the benchmark's own goroutine.
func ownWait(old, new *attached.Waits, cause string) bool {
	const nearly = 0.9
	of := func(w *attached.Waits) (all, own float64) {
		for _, c := range w.Causes {
			if c.Cause == cause {
				return float64(c.Time), float64(c.Own)
			}
		}
		return 0, 0
	}
	all0, own0 := of(old)
	all1, own1 := of(new)
	return math.Abs(own1-own0) >= nearly*math.Abs(all1-all0)
}
