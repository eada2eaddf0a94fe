package fork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/base/clock/cputime"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// command is one run of a test binary.
type command struct {
	bin     *record.Bin
	path    string
	environ []string // nil: the Runner's
	args    []string
	parser  parser              // configured for these arguments
	onLine  func(text []byte)   // is called with each line of output; may be nil
	attach  []profiler.Attacher // observe the process from its first instruction
	prepare []profiler.Preparer // prepare something for the process
	fork    profiler.Fork       // passed to prepare
	watched bool                // CPU time and delay are read from outside at each result
	limits
}

// limits bounds a process: total its life, idle the time in which no benchmark begins or ends. 0 means unlimited.
type limits struct {
	total, idle time.Duration
}

// execution is a process that has ended.
type execution struct {
	fork     record.Fork // as far as the launcher and the system report it
	out      output
	pipe     *pipe
	sessions sessions
	timedOut bool
	killed   bool // by the caller's context
	limit    time.Duration
	exceeded string // why its memory was above the limit; "": it was not
}

// outputGrace is how long output is read after a process's end, if a grandchild outside its group holds it open.
const outputGrace = 200 * time.Millisecond

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
	x.out.mask, x.sessions.mask = r.Mask, r.Mask
	environ := x.sessions.prepare(c.prepare, c.fork, r.environ(c))
	before, throttled := r.cpuTimes(), r.Throttle.Read()
	child, err := r.Launcher.Spawn(ctx, spawn.Spec{
		Path: c.path, Args: c.args, Dir: c.bin.Dir, Env: side.environ(environ),
		Stdout: pw, Stderr: pw, Extra: side.extra(), Timeout: c.total, Hold: len(c.attach) > 0,
	})
	pw.Close()
	side.closeWriter()
	if err != nil {
		x.sessions.abort()
		return nil, fmt.Errorf("fork: %w", err)
	}
	if c.watched {
		p := cputime.Open(child.Pid())
		defer p.Close()
		x.out.meter.process = p
	}
	x.sessions.attach(c.attach, child.Pid())
	if err := child.Release(); err != nil {
		child.Kill() // follow reports why it has ended
	}
	res, err := x.follow(child, pr, c.limits)
	if err != nil && !x.ended(ctx, err, c.limits) {
		x.sessions.abort()
		return nil, fmt.Errorf("fork: %w", err)
	}
	SetUsage(&x.fork, res)
	x.exceeded = r.Memory.Exceeded(x.fork.MaxRSS)
	SetMachine(&x.fork, before, r.cpuTimes())
	x.fork.Throttled = int64(r.Throttle.Read() - throttled)
	if r.lastEnd != 0 {
		x.fork.HarnessTime = res.Start - r.lastEnd
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

// follow reads the process's output and pipe until it has ended.
func (x *execution) follow(child *spawn.Child, out *os.File, lim limits) (spawn.Result, error) {
	if lim.idle > 0 {
		silence := time.AfterFunc(lim.idle, child.Kill)
		defer silence.Stop()
		x.out.onStep = func() { silence.Reset(lim.idle) }
	}
	read := make(chan struct{})
	go func() { x.out.read(&drainReader{f: out}); close(read) }()
	x.pipe.listen()
	res, err := child.Wait()
	deadline := time.Now().Add(outputGrace)
	out.SetReadDeadline(deadline)
	x.pipe.finish(deadline)
	<-read
	return res, err
}

// ended reports whether we ended the process, and sets the reason.
func (x *execution) ended(ctx context.Context, err error, lim limits) bool {
	switch {
	case errors.Is(err, spawn.ErrTimeout):
		x.timedOut, x.limit = true, lim.total
	case errors.Is(err, spawn.ErrKilled): // by the timer of follow
		x.timedOut, x.limit = true, lim.idle
	case ctx.Err() != nil:
		x.killed = true
	default:
		return false
	}
	return true
}

// SetUsage copies a process's times, context switches, page faults, peak memory and exit into its fork.
func SetUsage(f *record.Fork, res spawn.Result) {
	f.Start, f.Wall = res.Start, res.End-res.Start
	f.User, f.Sys = int64(res.User), int64(res.Sys)
	f.Vcsw, f.Ivcsw, f.Minflt, f.Majflt = res.Voluntary, res.Involuntary, res.MinorFaults, res.MajorFaults
	f.MaxRSS, f.MaxRSSBelow, f.MaxRSSBy = res.Peak, res.PeakBelow, res.PeakBy
	f.Exit = fmt.Sprint(res.ExitCode)
	if res.Signal != 0 {
		f.Exit = "signal: " + res.Signal.String()
	}
}

// SetMachine sets what else the processors did while a fork ran whose own times are set, by readings around it. A system
// that shows zeros (gVisor) knows nothing.
func SetMachine(f *record.Fork, before, after env.CPUTimes) {
	stolen, _ := env.Steal(before, after)
	f.Steal = int64(stolen)
	d := after.Sub(before)
	if d.Busy() <= 0 && d.Idle <= 0 {
		return
	}
	others := max(0, int64(d.Busy())-f.User-f.Sys)
	f.Others, f.Idle = &others, int64(d.Idle+d.IOWait)
}

// cpuTimes returns zero times if the system does not report them; steal is then 0, too.
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

// ResetHarnessTime sets the HarnessTime of the next fork to 0, after time that was not spent on running forks.
func (r *Runner) ResetHarnessTime() { r.lastEnd = 0 }
