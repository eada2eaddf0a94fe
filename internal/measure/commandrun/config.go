package commandrun

import (
	"fmt"
	"io"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// What becomes of the standard output of commands, besides going to a file.
const (
	StdoutNull    = "null"
	StdoutInherit = "inherit"
)

// Config says what is measured, and how.
type Config struct {
	Commands      [][]string // the command, then those it is compared with; for a shell one word each
	Params        []Param    // whose values stand in the commands; each combination is measured
	Setup         [][]string // run once before the runs of each command, and not measured; at most one
	Prepare       [][]string // run before each run and not measured: none, one for all commands, or one for each
	Cleanup       [][]string // run once after the runs of each command, and not measured; at most one
	Shell         bool       // all of them are run by sh -c
	Input         string     // file that is the standard input of commands; "" for nothing to read
	Stdout        string     // StdoutNull, StdoutInherit, or a file that keeps the output of the last run
	Dir           string     // where commands run; "" is here
	IgnoreFailure bool       // runs that fail count
	Plan          record.Config
	Seed          record.Seed
}

// Session is what a measurement works with.
type Session struct {
	Recorder *session.Recorder
	Signals  *session.Signals
	Progress *session.Progress
	Stderr   io.Writer        // gets what a command that failed wrote last
	Lock     session.LockMode // what to do while another tare measures
	Command  []string         // the command line, for the record
	Here     string           // the current directory, for the record
	Start    time.Time
	Estimate func(result.Benchmark) string // words of the progress line
}

// program is a command with what its runs have shown.
type program struct {
	*command.Program
	around
	isSetUp    bool
	params     string    // their values, "n=1"; "" without parameters
	warm       []float64 // ns of the warm-up runs
	failures   int       // runs that failed and count nevertheless
	lastFailed string    // how the last of them ended
	noPeak     string    // why the peak memory of some run is not known
	peakBounds int       // runs whose peak memory is only known to be below a bound
	peakBelow  int64     // the highest of these bounds, bytes

	target    *target.Target // what tare builds; nil for other commands
	built     bool           // with what counts at its end
	uncounted uncounted      // why figures of the program's runtime are missing

	firstNs              int64 // of the first timed run, 0 before it
	firstRead, laterRead int64 // page faults with input: of the first run, the most of the others
	firstDisturbed       bool  // others had processors during the first run
}

// Measurement is a measurement of commands that is ready to run.
type Measurement struct {
	Config
	Session
	priority string // of the commands, for the record
	starter  *command.Starter
	programs []*program     // by case
	work     *tempdir.Place // for programs that tare builds; nil without
	stderr   *stderrFile
	launcher *spawn.Launcher
	machine  *session.MachineLock
	cpu      *env.CPUReader // nil if the system does not report CPU times
	last     int            // ID of the last fork
	starts   []float64      // ns that starting an empty process took
}

// New finds the executables of the commands. It fails for a command that cannot be started,
// before anything is opened or measured.
func New(cfg Config) (*Measurement, error) {
	m := &Measurement{Config: cfg, starter: &command.Starter{Shell: cfg.Shell, Input: cfg.Input != "", Dir: cfg.Dir, Env: session.Environ(cfg.Plan.Setenv...)}}
	if err := m.starter.Init(); err != nil {
		return nil, err
	}
	if err := cfg.checkParams(); err != nil {
		return nil, err
	}
	if n := len(cfg.Prepare); n > 1 && n != len(cfg.Commands) {
		return nil, exit.Usage(fmt.Errorf("--prepare is given %d times for %d commands", n, len(cfg.Commands)), "give one for all commands, or one for each, in their order")
	}
	for i, words := range cfg.Commands {
		for _, c := range choices(cfg.Params) {
			x, err := m.program(c.in(words))
			if err != nil {
				return nil, err
			}
			x.params = c.name()
			if x.around, err = m.around(i, c); err != nil {
				return nil, err
			}
			m.programs = append(m.programs, x)
		}
	}
	m.nameSides()
	return m, nil
}

// program returns the program of a command line. One that tare builds cannot be started yet.
func (m *Measurement) program(words []string) (*program, error) {
	t, err := m.targetOf(words)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return &program{Program: &command.Program{Line: t.Line()}, target: t}, nil
	}
	p, err := m.starter.Program(words)
	return &program{Program: p}, err
}

// nameSides gives the programs the names of their sides.
func (m *Measurement) nameSides() {
	sides := m.sides()
	for k, p := range m.programs {
		p.Name = sides[k*len(sides)/len(m.programs)] // as many for each command
		if len(m.Commands) == 1 && len(m.Params) > 0 {
			p.Name = p.params // which are compared, then
		}
	}
}

// sides returns the names of the commands.
func (m *Measurement) sides() []string {
	var all []*command.Program
	for i, words := range m.Commands {
		line := words[0]
		if !m.Shell || len(words) > 1 {
			line = shellwords.Join(redact.Args(words))
		}
		if t, err := m.targetOf(words); err == nil && t != nil { // with {name} in the place of values
			t.Path = m.programs[i*len(m.programs)/len(m.Commands)].target.Path
			line = t.Line()
		}
		all = append(all, &command.Program{Line: redact.Command(line)})
	}
	command.NameSides(all)
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}
