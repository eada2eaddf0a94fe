package job

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/record"
)

// Validate returns one error that names every contradiction, by the names of the options.
func (p *Program) Validate() error {
	all := &exit.Problems{}
	checkPositive(all, p.Given, "timeout", p.Timeout)
	checkSettings(all, p.Setenv)
	all.AddIf(p.Duration < 0, "--duration %s is less than 0", p.Duration)
	if p.Kind == record.KindAsm {
		all.AddIf(p.Delay < 0, "--delay %s is less than 0", p.Delay)
		all.AtLeast("frequency", p.Frequency, 0)
		all.HintIf(len(p.Command) == 0, "tare asm -- COMMAND [ARG...]", "asm: no command behind --")
		return all.Err()
	}
	known := slices.Contains([]string{record.KindTrace, record.KindSample, record.KindContrast}, p.Kind)
	all.AddIf(!known, "there is no profile of kind %q", p.Kind)
	if p.Kind != record.KindSample {
		p.checkProbes(all)
	}
	if p.Kind != record.KindTrace {
		p.checkSampling(all)
	}
	if p.URL != "" || p.Given["url"] {
		p.checkURL(all)
	} else {
		p.checkTarget(all)
	}
	return all.Err()
}

// checkProbes checks which functions get probes, and what is kept of their calls.
func (p *Program) checkProbes(all *exit.Problems) {
	all.AddIf(p.KeepCalls < 0 || p.KeepCalls > maxCalls, "--keep-calls %d is not from 0 to %d", p.KeepCalls, maxCalls)
	all.AtLeast("every", p.Every, 1)
	all.HintIf(p.CountOnly && p.KeepCalls > 0, "leave out --count-only, or --keep-calls", "--keep-calls: calls that are only counted have no order")
	all.AddIf(p.Room < instrument.MinSize || p.Room > instrument.MaxSize, "--room %d: want a size from 1MiB to 3GiB", p.Room)
	c := p.Functions()
	c.Work = "." // comes later
	if len(p.Include) > 0 {
		all.AddError(c.Validate())
	}
	all.HintIf(len(p.Include) == 0, "--include 'main.*', or --include ./... for all of these packages", "%s needs to know which functions to trace", p.Kind)
}

// checkSampling checks how a program is sampled.
func (p *Program) checkSampling(all *exit.Problems) {
	all.HintIf(p.CPUTime && p.Wall, "leave out one", "--cpu-time and --wall exclude each other")
	all.AddIf(p.Interval == 0, "--sample-interval 0s is not above 0")
	c := p.Sampling()
	c.Duration = max(0, c.Duration) // checked by its own name
	if err := c.Validate(); err != nil {
		all.AddError(exit.TrimPrefix(err, "sample: "))
	}
}

// checkURL checks what is said about a process that runs already.
func (p *Program) checkURL(all *exit.Problems) {
	all.AddIf(p.Kind != record.KindSample, "--url: only a program that tare builds can be traced")
	if err := sample.CheckAddress(p.URL); err != nil {
		all.AddError(exit.TrimPrefix(err, "sample: "))
	}
	words := slices.Concat(p.Packages, p.Args, p.Command)
	all.HintIf(len(words) > 0, "leave out one", "--url, and %s: which one?", strings.Join(redact.Args(words), " "))
	const here, without = "--%s cannot be used here: the process at --url %s", "leave it out"
	for _, option := range []string{"tags", "env", "no-wait", "no-lock"} {
		all.HintIf(p.Given[option], without, here, option, "runs already")
	}
	all.HintIf(p.CPUTime && p.Given["sample-interval"], without, here, "sample-interval", "takes 100 samples in a second of CPU time")
}

// checkTarget checks what is built, or that nothing needs to be.
func (p *Program) checkTarget(all *exit.Problems) {
	several := len(p.Packages) > 1 && slices.ContainsFunc(p.Packages, func(a string) bool { return !strings.HasSuffix(a, ".go") })
	all.HintIf(several, "arguments of the program come behind --", "%s: %s: one package at a time", p.Kind, strings.Join(redact.Args(p.Packages), " "))
	all.HintIf(len(p.Command) > 0 && p.Tags != "", "give -tags to that command: -- go test -tags LIST", "--tags cannot be used with a command after --")
	t, err := p.Target()
	all.AddError(err)
	if t != nil || err != nil {
		return
	}
	const build = "name the package, or -- go run PACKAGE"
	line := shellwords.Join(redact.Args(p.Command))
	all.HintIf(p.Kind == record.KindTrace, build+"; tare sample takes any command", "trace: -- %s: tare adds probes when it builds a program", line)
	all.HintIf(p.Kind == record.KindContrast, build, "contrast: -- %s: tare adds probes when it builds a program", line)
	all.HintIf(p.Kind == record.KindSample && p.Wall, build+"; --cpu-time takes any command", "--wall needs a program that tare builds")
}
