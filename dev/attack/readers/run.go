//go:build linux

package readers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/process/spawn"
)

// Real is the number of inputs of each reader at scale 1 that run as processes of their own, too.
const Real = 60

// Run attacks the readers that were chosen, and passes the row of each to done. Worker
// is the command line of a process that calls target.Serve.
func Run(ctx context.Context, c target.Config, done tally.Done, worker ...string) error {
	all, err := load(c)
	if err != nil {
		return err
	}
	for _, r := range all {
		what := fmt.Sprintf("%d inputs, damaged from %d files", c.Count(r.inputs), len(r.bases))
		if r.draw != nil {
			what = fmt.Sprintf("%d inputs, which are drawn", c.Count(r.inputs))
		}
		err := c.Attack(ctx, "read "+r.name, what, done, func(row *tally.Row, l *spawn.Launcher) error {
			a := &attack{Config: c, reader: r, row: row, launcher: l, inputs: c.Inputs(r.inputs)}
			return a.run(ctx, worker)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// attack is the attack of one reader.
type attack struct {
	target.Config
	reader   reader
	row      *tally.Row
	launcher *spawn.Launcher

	inputs  *target.Inputs
	ran     atomic.Int64 // command lines that ran
	alone   atomic.Int64 // those that ran as processes of their own
	slowest atomic.Int64 // ns
}

func (a *attack) run(ctx context.Context, worker []string) error {
	var group sync.WaitGroup
	errs := make(chan error, runtime.NumCPU())
	for range runtime.NumCPU() {
		group.Go(func() {
			if err := a.work(ctx, worker); err != nil {
				errs <- err
			}
		})
	}
	group.Wait()
	a.row.Note = fmt.Sprintf("%d command lines, %d as processes; slowest %v", a.ran.Load(), a.alone.Load(), time.Duration(a.slowest.Load()).Round(time.Millisecond))
	select {
	case err := <-errs:
		return err
	default:
		return ctx.Err()
	}
}

// workerLines is the number of command lines after which a worker is replaced. A process that has run thousands of them holds all
// their flags (cobra keeps completions by flag) and so much else that each is preceded by a collection, and takes ten times as long.
const workerLines = 1000

// work takes inputs until there are no more.
func (a *attack) work(ctx context.Context, program []string) error {
	for ctx.Err() == nil {
		w, err := a.NewWorker(program...)
		if err != nil {
			return err
		}
		more, err := a.workWith(ctx, w)
		w.Close()
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// workWith gives inputs to a worker until it has run workerLines command lines. It reports whether there may be more.
func (a *attack) workWith(ctx context.Context, w *target.Worker) (more bool, err error) {
	every := max(1, a.Count(a.reader.inputs)/a.Count(Real))
	for lines := 0; lines < workerLines; {
		number, ok := a.inputs.Next(ctx)
		if !ok {
			return false, nil
		}
		b, data, what := a.reader.input(a.Seed, number)
		lines += max(1, len(b.lines))
		if err := a.give(ctx, w, number, damaged{b, data, what}, number%every == 0 || a.Input >= 0); err != nil {
			return false, err
		}
	}
	return true, nil
}

// damaged is a real file with what was done to it.
type damaged struct {
	base
	data []byte
	what string
}

// give gives one damaged file to all verbs of the reader; alone says that one of them runs
// as a process as well.
func (a *attack) give(ctx context.Context, w *target.Worker, number int, d damaged, alone bool) error {
	path := filepath.Join(w.Dir(), "input"+a.reader.suffix)
	if err := clean(path); err != nil {
		return err
	}
	if err := os.WriteFile(path, d.data, 0o666); err != nil {
		return err
	}
	peak := int64(0)
	for i, args := range d.lines {
		args = line(args, path)
		o, err := w.Do(args)
		if err != nil {
			return err
		}
		a.ran.Add(1)
		peak = max(peak, min(o.Peak, target.MaxMemory)) // above it, a process of its own decides
		a.slower(o.Took)
		suspect := len(a.judge(args, o)) > 0 || o.Took > target.MaxTime
		if !suspect && !(alone && i == number%len(d.lines)) {
			continue
		}
		// What a worker does wrong may be of its age: a process of its own decides.
		a.alone.Add(1)
		if o, err = a.Run(ctx, a.launcher, target.Command{Args: args, Dir: w.Dir()}); err != nil {
			return err
		}
		peak = max(peak, o.Peak)
		for _, f := range a.judge(args, o) {
			f.Input = number
			f.Text = fmt.Sprintf("%s, %s: tare %s: %s", d.name, d.what, strings.Join(args, " "), f.Text)
			f.Kept = a.Save(fmt.Sprintf("%s-%d%s", a.reader.name, number, a.reader.suffix), a.smaller(w, path, d.data, args, f.Kind))
			a.row.Add(f)
		}
	}
	a.row.Tried(peak)
	return nil
}

// judge is the judgement of a reader. What copies a record copies what is damaged in it, too.
func (a *attack) judge(args []string, o target.Outcome) []tally.Finding {
	if strings.Contains(strings.Join(args, " "), "--format jsonl") {
		o.Raw = ""
	}
	limits := target.Readers
	if a.reader.draw != nil || slices.Contains(args, "--gate") { // gates and --strict are among the command lines of the former
		limits.Codes = []int{exit.Done, exit.Failure, exit.Misuse, exit.Missed, exit.Untrusted}
	}
	return o.Judge(limits)
}

func (a *attack) slower(took time.Duration) {
	for {
		old := a.slowest.Load()
		if int64(took) <= old || a.slowest.CompareAndSwap(old, int64(took)) {
			return
		}
	}
}
