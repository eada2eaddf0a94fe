package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/conditions"
	"github.com/tarebench/tare/record"
)

// absorbedRun is what is kept of a record that became a side.
type absorbedRun struct {
	id         string // of the run; "": not known
	run        *record.Run
	conditions conditions.Conditions
	priority   string // of its forks
	steal      float64
	load       float64 // average over a minute at its start
}

// Absorb adds the cases of a record of another run as one more side. The first record of a comparison is absorbed
// into an empty Builder, whose configuration becomes that of the record. Absorb fails if the record has sides itself,
// or if a side already has the name.
func (b *Builder) Absorb(other *Builder, side string) error {
	if len(other.sides()) > 1 {
		return fmt.Errorf("the record has %d sides already", len(other.sides()))
	}
	if b.absorbed[side] != nil {
		return fmt.Errorf("a second record is called %s", side)
	}
	b.adoptRun(other, side)
	shift := 0
	for id := range b.bins {
		shift = max(shift, id)
	}
	for id, x := range other.bins {
		bin := *x
		bin.ID, bin.Side = id+shift, side
		b.bins[bin.ID] = &bin
		if c := other.compiled[id]; c != nil {
			b.compiled[bin.ID] = c
		}
		b.addEmptyLoops(&record.Overhead{Bins: []int{bin.ID}, EmptyLoops: other.emptyLoops[id]})
	}
	for _, c := range other.cases {
		moved := *c
		moved.line.ID, moved.line.Side, moved.named.side = len(b.cases)+1, side, side
		b.setName(&moved)
		moved.config = &b.absorbed[side].run.Config
		if moved.line.Bin != 0 {
			moved.line.Bin += shift
		}
		for _, w := range other.warns {
			if w.About == record.AboutCase && w.ID == c.line.ID {
				w.ID = moved.line.ID
				b.warns = append(b.warns, w)
			}
		}
		b.cases, b.added = append(b.cases, &moved), true
		b.byID[moved.line.ID] = &moved
	}
	for _, w := range other.warns {
		if w.About == record.AboutRun && !diagnosis.Of(w.Code).Derived {
			b.ofSides = append(b.ofSides, derivedWarning{Warn: w, side: side})
		}
	}
	b.tare.Steal = max(b.tare.Steal, other.tare.Steal)
	b.tare.Loop = max(b.tare.Loop, other.tare.Loop)
	return nil
}

// adoptRun takes the run line of the first record for the comparison. For a later record it adds a warning about
// each difference.
func (b *Builder) adoptRun(other *Builder, side string) {
	x := &absorbedRun{run: other.run, conditions: other.Conditions(), priority: other.tare.Priority, steal: other.tare.Steal, load: other.tare.Load}
	if x.run == nil {
		x.run = &record.Run{}
	} else if !x.run.Start.IsZero() {
		x.id = fmt.Sprint(x.run.Start.UnixNano(), x.run.Mono, x.run.Seed, record.KindOf(x.run))
	}
	if b.absorbed == nil {
		b.absorbed = map[string]*absorbedRun{}
	}
	if b.run == nil {
		first := *x.run
		first.Sides = nil
		first.Kind = record.KindOf(x.run)
		first.Command = nil
		b.run = &first
		b.end = &record.End{State: record.EndCompleted}
	} else {
		b.adoptLater(x, side)
	}
	b.archived, b.absorbed[side] = true, x
	b.run.Sides = append(b.run.Sides, record.Side{Name: side, Setenv: forkEnv(x.run), Deep: x.run.Config.Deep})
}

// adoptLater adds what follows from a later record for the comparison with the first.
func (b *Builder) adoptLater(x *absorbedRun, side string) {
	base := b.absorbed[b.run.Sides[0].Name]
	name := b.run.Sides[0].Name
	for _, s := range b.run.Sides {
		if b.absorbed[s.Name].id == x.id && x.id != "" {
			b.warnRun(diagnosis.Warn(diagnosis.SameRun, diagnosis.Facts{"base": s.Name, "side": side}))
			break
		}
	}
	if b.run.Kind != record.KindOf(x.run) {
		b.run.Kind = record.KindBench // what all of them can be read as
	}
	b.warnRun(diagnosis.Warn(diagnosis.NotInterleaved, nil))
	if b.run.Config.Test != x.run.Config.Test { // an old record, or a text: what all of them can be read as
		b.run.Config.Test = ""
	}
	for _, d := range differences(base, x) {
		b.warnLater(side, diagnosis.Warn(diagnosis.Environment, diagnosis.Facts{"side": side, "base": name, "difference": d}))
	}
	if d := x.conditions.Unlike(base.conditions); d != "" {
		b.warnLater(side, diagnosis.Warn(diagnosis.UnlikeConditions, diagnosis.Facts{"side": side, "base": name, "difference": d}))
	}
}

// warnLater adds a warning about the run of a side beside that of the first, which its text names.
func (b *Builder) warnLater(side string, w *record.Warn) {
	b.ofSides = append(b.ofSides, derivedWarning{Warn: *w, side: side, named: true})
}

// forkEnv returns the settings of a run that its forks see: by them the same binary
// is not the same thing.
func forkEnv(run *record.Run) []string {
	out := slices.Clone(run.Config.Setenv)
	for _, kv := range [][2]string{
		{"GOGC", cmp.Or(run.Config.GOGC, run.Env.GOGC)},
		{"GOMEMLIMIT", cmp.Or(run.Config.MemoryLimit, run.Env.GOMEMLIMIT)},
		{"arguments", strings.Join(run.Config.Args, " ")},
	} {
		if kv[1] != "" {
			out = append(out, kv[0]+"="+kv[1])
		}
	}
	return out
}

// warnRun adds a warning about the run once.
func (b *Builder) warnRun(w *record.Warn) {
	if !slices.ContainsFunc(b.warns, func(x record.Warn) bool { return same(&x, w) }) {
		b.warns = append(b.warns, *w)
	}
}

// known writes a setting, or that it is not known or not set.
func known(x any) string {
	switch s := fmt.Sprint(x); s {
	case "", "0", "0s":
		return "none"
	case "true":
		return "yes"
	case "false":
		return "no"
	default:
		return s
	}
}

// Differences names what of the environment or the plan of b is not as that of a: "CPU x against y". It returns nil
// unless both know their runs and are of one kind.
func Differences(a, b *Result) []string {
	if a.Run == nil || b.Run == nil || record.KindOf(a.Run) != record.KindOf(b.Run) {
		return nil
	}
	return differences(&absorbedRun{run: a.Run, priority: a.Tare.Priority}, &absorbedRun{run: b.Run, priority: b.Tare.Priority})
}

// differences names what of the environment or the plan differs.
func differences(x, y *absorbedRun) []string {
	a, b := x.run, y.run
	var out []string
	for _, d := range []struct {
		what string
		a, b any
	}{
		{"CPU", a.Env.CPU, b.Env.CPU},
		{"cores", a.Env.Cores, b.Env.Cores},
		{"system", a.Env.OS + "/" + a.Env.Arch, b.Env.OS + "/" + b.Env.Arch},
		{"kernel", a.Env.Kernel, b.Env.Kernel},
		{"toolchain", a.Env.Go, b.Env.Go},
		{"GOMAXPROCS", a.Env.GOMAXPROCS, b.Env.GOMAXPROCS},
		{"GOGC", a.Env.GOGC + a.Config.GOGC, b.Env.GOGC + b.Config.GOGC},
		{"memory limit", a.Env.GOMEMLIMIT + a.Config.MemoryLimit, b.Env.GOMEMLIMIT + b.Config.MemoryLimit},
		{"--memory-max", a.Config.MemoryMax, b.Config.MemoryMax},
		{"--gc-before", a.Config.GCBefore, b.Config.GCBefore},
		{"environment of the forks", inOrder(a.Config.Setenv), inOrder(b.Config.Setenv)},
		{"arguments of the test binary", strings.Join(a.Config.Args, " "), strings.Join(b.Config.Args, " ")},
		{"build tags", inOrder(tags(a)), inOrder(tags(b))},
		{"hooks in package testing", a.Config.Deep, b.Config.Deep},
		{"--no-priority", a.Config.NoPriority, b.Config.NoPriority},
		{"--benchtime", a.Config.Benchtime, b.Config.Benchtime},
		{"--mode", a.Config.Mode, b.Config.Mode},
		{"code layouts", a.Config.Layouts, b.Config.Layouts},
		{"time per iteration", a.Config.Time, b.Config.Time},
		{"iterations per fork", a.Config.Iterations, b.Config.Iterations},
		{"iterations of warm-up", a.Config.Warmup, b.Config.Warmup},
		{"short iterations", a.Config.ShortIterations, b.Config.ShortIterations},
	} {
		if d.a != d.b {
			out = append(out, fmt.Sprintf("%s %s against %s", d.what, known(d.b), known(d.a)))
		}
	}
	if a.Config.NoPriority == b.Config.NoPriority && x.priority != y.priority {
		out = append(out, fmt.Sprintf("priority of the forks %s against %s", known(y.priority), known(x.priority)))
	}
	return out
}

// tags returns the build tags of a run.
func tags(r *record.Run) []string {
	return strings.FieldsFunc(r.Config.Tags, func(c rune) bool { return c == ',' || c == ' ' })
}

// inOrder joins words whose order says nothing.
func inOrder(words []string) string {
	return strings.Join(slices.Sorted(slices.Values(words)), " ")
}

// Judgement says how sides are judged. What is zero is left to the record.
type Judgement struct {
	Threshold  float64 // relative change that does not matter
	Correction string  // of p over the table
	Test       string  // record.TestSavage or TestU
	Confidence float64

	// Thresholds returns the change that does not matter for a benchmark, 0 for Threshold. Nil leaves it to the record.
	Thresholds func(*record.Case) float64
}

// IsZero reports whether all is left to the record.
func (j *Judgement) IsZero() bool {
	return j.Threshold == 0 && j.Correction == "" && j.Test == "" && j.Confidence == 0 && j.Thresholds == nil
}

// Judge replaces the record's own judgement.
func (b *Builder) Judge(j Judgement) {
	if b.run == nil {
		return
	}
	run := *b.run
	if j.Threshold > 0 || j.Thresholds != nil { // what was said now counts, for each benchmark
		b.thresholds = func(c *record.Case) float64 {
			if j.Thresholds == nil {
				return 0
			}
			return j.Thresholds(c)
		}
	}
	if j.Threshold > 0 {
		run.Config.Threshold = j.Threshold
	}
	if j.Correction != "" {
		run.Config.Correction = j.Correction
	}
	if j.Test != "" {
		run.Config.Test = j.Test
	}
	if j.Confidence > 0 {
		run.Config.Confidence, b.analysis = j.Confidence, nil
	}
	b.run = &run
}
