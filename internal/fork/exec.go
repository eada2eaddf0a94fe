package fork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/launch"
	"github.com/tarebench/tare/record"
)

// limits bound a process: whole its life, quiet the time without a telling line.
type limits struct {
	whole, quiet time.Duration
}

// execution is a process that has ended.
type execution struct {
	fork     record.Fork // what the launcher and the system know of it
	out      output
	timedOut bool
	killed   bool // by the caller's context
	limit    time.Duration
}

// stragglers is how long a process's output may stay open after its end, held
// by a grandchild that escaped its group.
const stragglers = 200 * time.Millisecond

// exec runs a test binary and collects what it printed.
func (r *Runner) exec(ctx context.Context, bin *record.Bin, path string, args []string, lim limits) (*execution, error) {
	pr, pw, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("fork: %w", err)
	}
	defer pr.Close()
	r.forks++
	x := &execution{fork: record.Fork{ID: r.forks, Order: r.forks}}
	before := r.cpuTimes()
	child, err := r.Launcher.Spawn(ctx, launch.Spec{
		Path: path, Args: args, Dir: bin.Dir, Env: r.Environ, Stdout: pw, Stderr: pw, Timeout: lim.whole,
	})
	pw.Close()
	if err != nil {
		return nil, fmt.Errorf("fork: %w", err)
	}
	res, err := x.follow(child, pr, lim)
	if err != nil && !x.ended(ctx, err, lim) {
		return nil, fmt.Errorf("fork: %w", err)
	}
	x.account(res)
	stolen, _ := env.Steal(before, r.cpuTimes())
	x.fork.Steal = int64(stolen)
	if r.lastEnd != 0 {
		x.fork.Own = res.Start - r.lastEnd
	}
	r.lastEnd = res.End
	return x, nil
}

// follow reads the process's output until it has ended.
func (x *execution) follow(child *launch.Child, out *os.File, lim limits) (launch.Result, error) {
	if lim.quiet > 0 {
		silence := time.AfterFunc(lim.quiet, child.Kill)
		defer silence.Stop()
		x.out.onLine = func() { silence.Reset(lim.quiet) }
	}
	read := make(chan struct{})
	go func() { x.out.read(out); close(read) }()
	res, err := child.Wait()
	out.SetReadDeadline(time.Now().Add(stragglers))
	<-read
	return res, err
}

// ended reports whether it was us who ended the process, and notes why.
func (x *execution) ended(ctx context.Context, err error, lim limits) bool {
	switch {
	case errors.Is(err, launch.ErrTimeout):
		x.timedOut, x.limit = true, lim.whole
	case errors.Is(err, launch.ErrKilled): // by the timer of follow
		x.timedOut, x.limit = true, lim.quiet
	case ctx.Err() != nil:
		x.killed = true
	default:
		return false
	}
	return true
}

func (x *execution) account(res launch.Result) {
	f := &x.fork
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
