package commandrun

import (
	"io"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Session is what a measurement works with.
type Session struct {
	Records  string // file that takes the record; "" for the default place
	Signals  *session.Signals
	Progress *session.Progress
	Stderr   io.Writer        // gets what a command that failed wrote last
	Lock     session.LockMode // what to do while another tare measures
	Command  []string         // the command line, for the record
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
	Session
	Recorder *session.Recorder // nil until Run has opened the record
	job      *job.Command
	head     record.Run // of the record
	lines    []job.Line
	params   []job.Param
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

// New checks the job, and finds the executables of the commands. It fails for a command that cannot be started, before
// anything is opened or measured.
func New(j *job.Command) (*Measurement, error) {
	m := &Measurement{job: j, starter: &command.Starter{Shell: j.Shell, Input: j.Input != "", Dir: j.Dir, Env: session.Environ(j.Setenv...)}}
	var err error
	if m.head, err = j.Plan(); err != nil {
		return nil, err
	}
	m.lines, m.params = j.Lines(), j.Parameters()
	if err := m.starter.Init(); err != nil {
		return nil, err
	}
	for i, l := range m.lines {
		for _, c := range choices(m.params) {
			x, err := m.program(c.in(l.Words))
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
		if len(m.lines) == 1 && len(m.params) > 0 {
			p.Name = p.params // which are compared, then
		}
	}
}

// sides returns the names of the commands.
func (m *Measurement) sides() []string {
	var all []*command.Program
	for i, l := range m.lines {
		words, line := l.Words, l.Words[0]
		if !m.job.Shell || len(words) > 1 {
			line = shellwords.Join(redact.Args(words))
		}
		if t, err := m.targetOf(words); err == nil && t != nil { // with {name} in the place of values
			t.Path = m.programs[i*len(m.programs)/len(m.lines)].target.Path
			line = t.Line()
		}
		all = append(all, &command.Program{Name: l.Side, Line: redact.Command(line)})
	}
	command.NameSides(all)
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}
