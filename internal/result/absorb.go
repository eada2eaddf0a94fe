package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// Absorb adds the cases of another record as one more side of this one, so that
// records which were measured apart can be compared. The first record of a
// comparison is absorbed into an empty Builder and gives the run its
// configuration. A record that has sides itself is refused.
func (b *Builder) Absorb(other *Builder, side string) error {
	if len(other.sides()) > 1 {
		return fmt.Errorf("the record has %d sides already", len(other.sides()))
	}
	b.warnCopy(other.run, side)
	b.adoptRun(other.run, side)
	shift := 0
	for id := range b.bins {
		shift = max(shift, id)
	}
	for id, x := range other.bins {
		bin := *x
		bin.ID, bin.Side = id+shift, side
		b.bins[bin.ID] = &bin
		b.addEmptyLoops(&record.Overhead{Bins: []int{bin.ID}, EmptyLoops: other.emptyLoops[id]})
	}
	for _, c := range other.cases {
		moved := *c
		moved.line.ID, moved.line.Side = len(b.cases)+1, side
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
	b.tare.Steal = max(b.tare.Steal, other.tare.Steal)
	b.tare.Loop = max(b.tare.Loop, other.tare.Loop)
	return nil
}

// warnCopy warns if a record of the same run was absorbed before.
func (b *Builder) warnCopy(run *record.Run, side string) {
	if run == nil || run.Start.IsZero() {
		return
	}
	id := fmt.Sprint(run.Start.UnixNano(), run.Mono, run.Seed, record.KindOf(run))
	if first := b.absorbed[id]; first != "" {
		b.warnRun(CodeSameRun, fmt.Sprintf("%s and %s are records of one run", first, side), "compare records of two runs")
		return
	}
	if b.absorbed == nil {
		b.absorbed = map[string]string{}
	}
	b.absorbed[id] = side
}

// adoptRun takes the run line of the first record for the comparison. For a later record it adds a warning about
// each difference.
func (b *Builder) adoptRun(run *record.Run, side string) {
	if run == nil {
		run = &record.Run{}
	}
	if b.run == nil {
		first := *run
		first.Sides = nil
		first.Kind = record.KindOf(run)
		first.Command = nil
		b.run = &first
		b.end = &record.End{State: record.EndCompleted}
	} else {
		if b.run.Kind != record.KindOf(run) {
			b.run.Kind = record.KindBench // what all of them can be read as
		}
		b.warnRun(CodeNotInterleaved, "the sides were measured in different runs: a drift of the machine between them looks like a difference",
			"measure both in one run: tare bench --against REV, or --side NAME=DIR")
		if b.run.Config.Test != run.Config.Test { // an old record, or a text: what all of them can be read as
			b.run.Config.Test = ""
		}
		for _, d := range differences(b.run, run) {
			b.warnRun(CodeEnvironment, fmt.Sprintf("%s is not %s: %s", side, b.run.Sides[0].Name, d), "compare like with like, unless this is the question")
		}
	}
	b.archived = true
	b.run.Sides = append(b.run.Sides, record.Side{Name: side, Setenv: forkEnv(run)})
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

func (b *Builder) warnRun(code, text, advice string) {
	w := record.Warn{About: record.AboutRun, Code: code, Text: text, Advice: advice}
	if !slices.Contains(b.warns, w) {
		b.warns = append(b.warns, w)
	}
}

// known writes a setting, or that it is not known or not set.
func known(x any) string {
	if s := fmt.Sprint(x); s != "" && s != "0" && s != "0s" {
		return s
	}
	return "none"
}

// differences names what of the environment or the plan differs.
func differences(a, b *record.Run) []string {
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
		{"arguments of the test binary", strings.Join(a.Config.Args, " "), strings.Join(b.Config.Args, " ")},
		{"time per iteration", a.Config.Time, b.Config.Time},
		{"short iterations", a.Config.ShortIterations, b.Config.ShortIterations},
	} {
		if d.a != d.b {
			out = append(out, fmt.Sprintf("%s %s against %s", d.what, known(d.b), known(d.a)))
		}
	}
	return out
}

// Judgement says how sides are judged. What is zero is left to the record.
type Judgement struct {
	Threshold  float64 // relative change that does not matter
	Correction string  // of p over the table
	Test       string  // record.TestSavage or TestU
	Confidence float64
}

// Judge replaces the record's own judgement.
func (b *Builder) Judge(j Judgement) {
	if b.run == nil {
		return
	}
	run := *b.run
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
		run.Config.Confidence, b.look = j.Confidence, nil
	}
	b.run = &run
}
