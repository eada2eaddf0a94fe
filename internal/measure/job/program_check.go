package job

import (
	"errors"
	"fmt"
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
	if p.Duration < 0 {
		all.Add("--duration %s is less than 0", p.Duration)
	}
	switch p.Kind {
	case record.KindTrace:
		p.checkProbes(all)
	case record.KindSample:
		p.checkSampling(all)
	case record.KindContrast:
		p.checkProbes(all)
		p.checkSampling(all)
	case record.KindAsm:
		all.AddError(p.MachineCode().Validate())
		if len(p.Command) == 0 {
			all.AddError(exit.Usage(errors.New("asm: no command"), "tare asm -- COMMAND [ARG...]"))
		}
		return all.Err()
	default:
		all.Add("there is no profile of kind %q", p.Kind)
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
	if len(p.Include) == 0 {
		all.AddError(exit.Usage(fmt.Errorf("%s needs to know which functions to trace", p.Kind), "--include 'main.*', or --include ./... for all of these packages"))
	}
	if p.KeepCalls < 0 || p.KeepCalls > maxCalls {
		all.Add("--keep-calls %d is not from 0 to %d", p.KeepCalls, maxCalls)
	}
	if p.Every < 1 {
		all.AddError(exit.Usage(fmt.Errorf("--every %d is less than 1", p.Every), "--every 1 times all"))
	}
	if p.CountOnly && p.KeepCalls > 0 {
		all.AddError(exit.Usage(errors.New("--keep-calls: calls that are only counted have no order"), "leave out --count-only, or --keep-calls"))
	}
	if p.Room < instrument.MinSize || p.Room > instrument.MaxSize {
		all.Add("--room %d: want a size from 1MiB to 3GiB", p.Room)
	}
	c := p.Functions()
	c.Work = "." // comes later
	if err := c.Validate(); err != nil && len(p.Include) > 0 && p.Every > 0 {
		all.AddError(err)
	}
}

// checkSampling checks how a program is sampled.
func (p *Program) checkSampling(all *exit.Problems) {
	if p.CPUTime && p.Wall {
		all.AddError(exit.Usage(errors.New("--cpu-time and --wall exclude each other"), "leave out one"))
	}
	c := p.Sampling()
	c.Duration = max(0, c.Duration)
	if p.Interval == 0 {
		all.Add("--sample-interval 0s is not above 0")
	} else if err := c.Validate(); err != nil {
		all.AddError(exit.TrimPrefix(err, "sample: "))
	}
}

// checkURL checks what is said about a process that runs already.
func (p *Program) checkURL(all *exit.Problems) {
	if p.Kind != record.KindSample {
		all.Add("--url: only a program that tare builds can be traced")
	}
	if err := sample.CheckAddress(p.URL); err != nil {
		all.AddError(exit.TrimPrefix(err, "sample: "))
	}
	if words := slices.Concat(p.Packages, p.Args, p.Command); len(words) > 0 {
		all.AddError(exit.Usage(fmt.Errorf("--url, and %s: which one?", strings.Join(redact.Args(words), " ")), "leave out one"))
	}
	refuse := func(option, why string) {
		all.AddError(exit.Usage(fmt.Errorf("--%s cannot be used here: the process at --url %s", option, why), "leave it out"))
	}
	for _, option := range []string{"tags", "env", "no-wait", "no-lock"} {
		if p.Given[option] {
			refuse(option, "runs already")
		}
	}
	if p.CPUTime && p.Given["sample-interval"] {
		refuse("sample-interval", "takes 100 samples in a second of CPU time")
	}
}

// checkTarget checks what is built, or that nothing needs to be.
func (p *Program) checkTarget(all *exit.Problems) {
	for _, a := range p.Packages {
		if !strings.HasSuffix(a, ".go") && len(p.Packages) > 1 {
			all.AddError(exit.Usage(fmt.Errorf("%s: %s: one package at a time", p.Kind, strings.Join(redact.Args(p.Packages), " ")), "arguments of the program come behind --"))
			return
		}
	}
	if len(p.Command) > 0 && p.Tags != "" {
		all.AddError(exit.Usage(errors.New("--tags cannot be used with a command after --"), "give -tags to that command: -- go test -tags LIST"))
	}
	t, err := p.Target()
	switch {
	case err != nil:
		all.AddError(err)
	case t != nil:
	case p.Kind != record.KindSample:
		hint := "name the package, or -- go run PACKAGE"
		if p.Kind == record.KindTrace {
			hint += "; tare sample takes any command"
		}
		all.AddError(exit.Usage(fmt.Errorf("%s: -- %s: tare adds probes when it builds a program", p.Kind, shellwords.Join(redact.Args(p.Command))), hint))
	case p.Wall:
		all.AddError(exit.Usage(errors.New("--wall needs a program that tare builds"), "name the package, or -- go run PACKAGE; --cpu-time takes any command"))
	}
}
