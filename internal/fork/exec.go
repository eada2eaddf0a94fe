package fork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// command is one run of a test binary.
type command struct {
	bin     *record.Bin
	path    string
	environ []string // nil: the Runner's
	args    []string
	parser  parser              // as set up for what these arguments print
	onLine  func(text []byte)   // gets each line of output; may be nil
	attach  []profiler.Attacher // observe the process from its first instruction
	prepare []profiler.Preparer // have something ready for it
	of      profiler.Fork       // what those are told
	limits
}

// limits bound a process: whole its life, quiet the time without a benchmark
// that begins or ends. 0 is no bound.
type limits struct {
	whole, quiet time.Duration
}

// execution is a process that has ended.
type execution struct {
	fork     record.Fork // what the launcher and the system know of it
	out      output
	pipe     *pipe
	watch    watch
	timedOut bool
	killed   bool // by the caller's context
	limit    time.Duration
}

// stragglers is how long a process's output may stay open after its end, held
// by a grandchild that escaped its group.
const stragglers = 200 * time.Millisecond

// exec runs a test binary and collects what it printed.
func (r *Runner) exec(ctx context.Context, c command) (*execution, error) {
	pr, pw, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("fork: %w", err)
	}
	defer pr.Close()
	side, err := openPipe()
	if err != nil {
		pw.Close()
		return nil, err
	}
	defer side.close()
	r.forks++
	x := &execution{fork: record.Fork{ID: r.forks, Order: r.forks}, out: output{parser: c.parser, onLine: c.onLine}, pipe: side}
	environ := x.watch.prepare(c.prepare, c.of, r.environ(c))
	before := r.cpuTimes()
	child, err := r.Launcher.Spawn(ctx, spawn.Spec{
		Path: c.path, Args: c.args, Dir: c.bin.Dir, Env: side.announce(environ),
		Stdout: pw, Stderr: pw, Extra: side.extra(), Timeout: c.whole, Hold: len(c.attach) > 0,
	})
	pw.Close()
	side.passed()
	if err != nil {
		x.watch.drop()
		return nil, fmt.Errorf("fork: %w", err)
	}
	x.watch.begin(c.attach, child.Pid())
	if err := child.Release(); err != nil {
		child.Kill() // follow tells why it has ended
	}
	res, err := x.follow(child, pr, c.limits)
	if err != nil && !x.ended(ctx, err, c.limits) {
		x.watch.drop()
		return nil, fmt.Errorf("fork: %w", err)
	}
	Account(&x.fork, res)
	stolen, _ := env.Steal(before, r.cpuTimes())
	x.fork.Steal = int64(stolen)
	if r.lastEnd != 0 {
		x.fork.Own = res.Start - r.lastEnd
	}
	r.lastEnd = res.End
	return x, nil
}

func (r *Runner) environ(c command) []string {
	switch {
	case c.environ != nil:
		return c.environ
	case r.Environ != nil:
		return r.Environ
	}
	return os.Environ()
}

// follow reads what the process says until it has ended.
func (x *execution) follow(child *spawn.Child, out *os.File, lim limits) (spawn.Result, error) {
	if lim.quiet > 0 {
		silence := time.AfterFunc(lim.quiet, child.Kill)
		defer silence.Stop()
		x.out.onStep = func() { silence.Reset(lim.quiet) }
	}
	read := make(chan struct{})
	go func() { x.out.read(&lingering{f: out}); close(read) }()
	x.pipe.listen()
	res, err := child.Wait()
	deadline := time.Now().Add(stragglers)
	out.SetReadDeadline(deadline)
	x.pipe.finish(deadline)
	<-read
	return res, err
}

// ended reports whether it was us who ended the process, and notes why.
func (x *execution) ended(ctx context.Context, err error, lim limits) bool {
	switch {
	case errors.Is(err, spawn.ErrTimeout):
		x.timedOut, x.limit = true, lim.whole
	case errors.Is(err, spawn.ErrKilled): // by the timer of follow
		x.timedOut, x.limit = true, lim.quiet
	case ctx.Err() != nil:
		x.killed = true
	default:
		return false
	}
	return true
}

// Account notes in a fork what the system knows of its process: times, switches, faults, peak
// memory and how it ended.
func Account(f *record.Fork, res spawn.Result) {
	f.Start, f.Wall = res.Start, res.End-res.Start
	f.User, f.Sys = int64(res.User), int64(res.Sys)
	f.Vcsw, f.Ivcsw, f.Minflt, f.Majflt = res.Voluntary, res.Involuntary, res.MinorFaults, res.MajorFaults
	f.Peak, f.PeakBy = res.Peak, res.PeakBy
	f.Exit = fmt.Sprint(res.ExitCode)
	if res.Signal != 0 {
		f.Exit = "signal: " + res.Signal.String()
	}
}

// cpuTimes are zero where the system does not tell them; steal is then 0, too.
func (r *Runner) cpuTimes() env.CPUTimes {
	if r.CPU == nil {
		return env.CPUTimes{}
	}
	t, err := r.CPU.Read()
	if err != nil {
		return env.CPUTimes{}
	}
	return t
}

// Forget tells the Runner that time has passed which was not spent on forks, so
// that the next fork's Own is not charged with it.
func (r *Runner) Forget() { r.lastEnd = 0 }
