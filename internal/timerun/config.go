package timerun

import (
	"io"
	"time"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// What becomes of the standard output of commands, besides going to a file.
const (
	StdoutNull    = "null"
	StdoutInherit = "inherit"
)

// Config says what is measured, and how.
type Config struct {
	Commands      [][]string // the command, then the one it is compared with; for a shell one word each
	Prepare       []string   // run before each run and not measured; empty for nothing
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
	Redactor session.Redactor
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
	warm       []float64 // ns of the warm-up runs
	failures   int       // runs that failed and count nevertheless
	lastFailed string    // how the last of them ended
	noPeak     string    // why the peak memory of some run is not known
	peakBounds int       // runs whose peak memory is only known to be below a bound
	peakBelow  int64     // the highest of these bounds, bytes

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
	programs []*program  // by case
	prepare  *spawn.Spec // nil: nothing to prepare
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
	var all []*command.Program
	for _, words := range cfg.Commands {
		p, err := m.starter.Program(words)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		m.programs = append(m.programs, &program{Program: p})
	}
	command.NameSides(all)
	if len(cfg.Prepare) == 0 {
		return m, nil
	}
	noInput := *m.starter
	noInput.Input = false // the file is for what is measured
	p, err := noInput.Program(cfg.Prepare)
	if err != nil {
		return nil, err
	}
	m.prepare = &p.Spec
	return m, nil
}
