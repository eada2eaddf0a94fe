//go:build linux

package measuring

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/process/spawn"
)

// Kills is the number of kills of each verb at scale 1.
const Kills = 30

// patience is how long a run may take that is not ended, on a machine however busy.
const patience = 5 * time.Minute

// Kill kills runs of the verbs that were chosen, and passes the row of each to done.
func Kill(ctx context.Context, c target.Config, done tally.Done) error {
	for _, v := range verbs() {
		what := fmt.Sprintf("%d times", c.Count(Kills))
		err := c.Attack(ctx, "kill "+v.name, what, done, func(row *tally.Row, l *spawn.Launcher) error {
			a := &attack{Config: c, verb: v, row: row, launcher: l}
			return a.run(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// attack kills runs of one verb.
type attack struct {
	target.Config
	verb     verb
	row      *tally.Row
	launcher *spawn.Launcher

	usual   time.Duration // how long a run takes that is not killed
	begun   time.Duration // and after how long its record has its first line
	early   atomic.Int64  // kills before there was a record
	late    atomic.Int64  // runs that ended before they were to be killed
	victims [2]atomic.Int64
}

func (a *attack) run(ctx context.Context) error {
	if !a.verb.nothing {
		a.row.CountsLost()
	}
	stop, err := a.verb.withAddress()
	if err != nil {
		return err
	}
	defer stop()
	if err := a.undisturbed(ctx); err != nil {
		return err
	}
	err = a.Inputs(Kills).Each(ctx, 2, func(number int) error { return a.kill(ctx, number) })
	a.row.Note = fmt.Sprintf("a run takes %v; killed: tare %d, another process of the run %d; %d before the record, %d after the end",
		a.usual.Round(100*time.Millisecond), a.victims[0].Load(), a.victims[1].Load(), a.early.Load(), a.late.Load())
	return err
}

// undisturbed runs the verb to its end. It says how long that takes, and fails if this
// package cannot count what such a run has measured.
func (a *attack) undisturbed(ctx context.Context) error {
	for range 2 { // the first run builds
		p, err := a.prepare()
		if err != nil {
			return err
		}
		defer os.RemoveAll(p.dir)
		over, first := make(chan struct{}), make(chan time.Duration, 1)
		go func() { first <- firstLine(p.record(), over) }()
		o, err := a.tare(ctx, p, a.verb.args...)
		close(over)
		a.begun = <-first
		if err != nil {
			return err
		}
		if o.Code != 0 && !slices.Contains(a.verb.codes, o.Code) {
			return fmt.Errorf("without being killed: exit code %d: %s", o.Code, o.Messages)
		}
		a.usual = o.Took
		w, err := read(p.record())
		if err != nil {
			return err
		}
		complete := w.ended || a.verb.nothing
		if !complete || w.forks != a.verb.plan && a.verb.plan > 0 || a.verb.load && w.responses == 0 || len(a.verb.profiles) > 0 && !w.has(a.verb.profiles) {
			return fmt.Errorf("without being killed: %d forks, %v and %d responses are in the record; %d forks were planned", w.forks, w.profiled, w.responses, a.verb.plan)
		}
		if text, err := a.lost(ctx, p, w); err != nil {
			return err
		} else if text != "" {
			return fmt.Errorf("without being killed: %s", text)
		}
	}
	return nil
}

// firstLine waits until there is something in a file, or all is over, and returns how long that took.
func firstLine(path string, over <-chan struct{}) time.Duration {
	began := time.Now()
	for {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			return time.Since(began)
		}
		select {
		case <-over:
			return time.Since(began)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// place is where one run is.
type place struct {
	dir, module, tmp string
	file             string // the record, relative to module
}

func (p place) record() string { return filepath.Join(p.module, p.file) }
func (p place) mark() string   { return "TMPDIR=" + p.tmp }

func (a *attack) prepare() (p place, err error) {
	if p.dir, err = a.Dir("kill"); err != nil {
		return p, err
	}
	if p.module, err = writeModules(p.dir); err != nil {
		return p, err
	}
	p.tmp, p.file = filepath.Join(p.dir, "tmp"), record
	return p, os.Mkdir(p.tmp, 0o777)
}

// tare runs a command line in a run's place.
func (a *attack) tare(ctx context.Context, p place, args ...string) (target.Outcome, error) {
	return a.Config.Run(ctx, a.launcher, target.Command{Args: args, Dir: p.module, Tmp: p.tmp, Limit: patience})
}
