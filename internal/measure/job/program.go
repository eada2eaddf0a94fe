package job

import (
	"os"
	"time"

	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/record"
)

// Program says which program runs under a profiler, and what the profiler does. The zero value measures nothing; begin
// with [DefaultProgram].
type Program struct {
	// Kind is record.KindTrace, KindSample, KindContrast (a run of each of these), or KindAsm.
	Kind string
	// Packages is the package of the program, or .go files of one. None: that in the current directory.
	Packages []string
	// Args are the arguments of the program of Packages.
	Args []string
	// Command is a command with its arguments, instead of Packages. tare builds that of go run and go test; any other can
	// be sampled. KindAsm takes only this.
	Command []string
	// URL is the address of a running process that serves net/http/pprof, instead of Packages. It can be sampled.
	URL string

	// Tags are build tags of Packages, separated by commas.
	Tags string
	// Setenv are settings K=V of the environment of the program.
	Setenv []string
	// Duration is the wall time after which the program is asked to end, as by Ctrl-C, and is killed with KindAsm. A
	// process at URL is sampled for as long, by default for 10 s. 0: it ends by itself.
	Duration time.Duration
	// Timeout is the wall time after which the command of KindAsm is killed. 0: none.
	Timeout time.Duration

	// Include and Exclude are patterns of functions that get probes, or get none although they match.
	Include, Exclude []string
	// MinLines is the least number of lines of a function that gets probes.
	MinLines int
	// Literals adds probes to function literals in functions that match.
	Literals bool
	// CountOnly counts calls without timing them. It cannot be used together with Every or KeepCalls.
	CountOnly bool
	// Every is K if one of K calls is timed on average, at least 1.
	Every int
	// Room is the memory for calls by goroutine and call site, in bytes, from 1 MiB to 3 GiB.
	Room int64
	// KeepCalls is how many calls are kept in their order, at most 500,000.
	KeepCalls int

	// Interval is the mean time between samples; by CPU time, of CPU time.
	Interval time.Duration
	// Wall and CPUTime say what the interval is of, and exclude each other. Neither: wall time of programs that tare
	// builds, CPU time of others. Wall fails where the other would be taken.
	Wall, CPUTime bool
	// Plain has KindContrast run the program without a profiler, too.
	Plain bool

	// Events are what KindAsm samples, in perf's notation; the first decides what is hot. None: the best there is.
	Events []string
	// Frequency is the number of samples of KindAsm per second of CPU time. 0: 997, with Detail 3989.
	Frequency int
	// Detail samples four times as often.
	Detail bool
	// Delay is the wall time after which samples of KindAsm count.
	Delay time.Duration

	// Given are the options that somebody set.
	Given Given
}

// How many calls are kept in their order: 1000 are 100 KB of a record, whose lines have a limit (record.MaxLine).
const (
	defaultCalls = 1000
	maxCalls     = 500_000
)

// DefaultProgram returns the defaults of a kind of record.
func DefaultProgram(kind string) Program {
	return Program{Kind: kind, Every: 1, Room: instrument.DefaultSize, KeepCalls: defaultCalls, Interval: 10 * time.Millisecond}
}

// Complete sets what follows from options that were given, and was not given itself.
func (p *Program) Complete() {
	if p.CountOnly && !p.Given["keep-calls"] {
		p.KeepCalls = 0
	}
}

// Plan returns the head of a record with what is measured: the configuration, the seed and the directory.
func (p *Program) Plan() (record.Run, error) {
	p.Complete()
	if err := p.Validate(); err != nil {
		return record.Run{}, err
	}
	dir, err := os.Getwd()
	return record.Run{Kind: p.Kind, Dir: dir, Seed: SeedOf(""), Config: record.Config{
		Packages: []string{}, Forks: 1, Iterations: 1, Benchtime: "1x", Setenv: p.Setenv, Tags: p.Tags, Timeout: p.Timeout,
		Prof: []string{p.Kind}, ProfForks: 1,
	}}, err
}

// Target returns what tare builds; nil for a command that is there already, and for URL.
func (p *Program) Target() (*target.Target, error) {
	switch {
	case p.URL != "" || len(p.Command) > 0 && !target.IsGo(p.Command):
		return nil, nil
	case len(p.Command) > 0:
		return target.FromCommand(p.Command)
	}
	return target.FromPackage(p.Packages, p.Args, p.Tags), nil
}

// Functions returns which functions get probes.
func (p *Program) Functions() instrument.Config {
	return instrument.Config{Match: p.Include, Skip: p.Exclude, MinLines: p.MinLines, Literals: p.Literals, CountOnly: p.CountOnly, Every: p.Every}
}

// Sampling returns how the program is sampled.
func (p *Program) Sampling() sample.Config {
	c := sample.Config{Interval: p.Interval, Mode: record.SampledWall, Duration: p.Duration}
	if t, err := p.Target(); p.CPUTime || t == nil && err == nil && p.URL == "" { // the kernel samples what is there already
		c.Mode = record.SampledCPU
	}
	return c
}

// MachineCode returns how the machine code of a command is sampled. Delay and Duration are not those of benchmarks.
func (p *Program) MachineCode() asm.Config {
	c := asm.Config{Events: p.Events, Frequency: p.Frequency, Delay: p.Delay, Duration: p.Duration, Stop: p.Duration > 0}
	if p.Detail && p.Frequency == 0 {
		c.Frequency = asm.Detailed
	}
	return c
}
