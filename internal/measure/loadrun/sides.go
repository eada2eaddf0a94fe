package loadrun

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/loadrun/marks"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/process/service"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// servers are the commands of the sides, with programs built and revisions checked out.
type servers struct {
	plan  *Plan
	trees []*build.Worktree
	work  *tempdir.Place
	dirs  []string
	words [][]string
}

// prepare checks revisions out and builds what go run would.
func (r *Runner) prepare(ctx context.Context) (s *servers, err error) {
	s = &servers{plan: r.plan}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	here, err := os.Getwd()
	if err != nil {
		return s, exit.Failed(err, "")
	}
	for i, x := range r.plan.sides.sides {
		dir := here
		var tree *build.Worktree
		if x.Revision != "" {
			if tree, err = s.checkOut(ctx, x, here); err != nil {
				return s, err
			}
			dir = tree.Dir
		} else if x.words != nil {
			x.Revision, x.Dirty = build.StateOf(ctx, here)
		}
		words := x.words
		if target.IsRun(words) {
			if words, err = s.build(ctx, r, i, words, dir, tree.Env()); err != nil {
				return s, err
			}
		}
		s.dirs, s.words = append(s.dirs, dir), append(s.words, words)
	}
	return s, nil
}

// checkOut checks out the revision of a side.
func (s *servers) checkOut(ctx context.Context, x *servedSide, here string) (*build.Worktree, error) {
	repo, err := build.FindRepository(ctx, here)
	if err != nil {
		return nil, exit.Usage(err, "")
	}
	commit, err := repo.Resolve(ctx, x.Revision)
	if err != nil {
		return nil, exit.Usage(err, "name a branch, a tag or a commit; git log --oneline lists some")
	}
	tree, err := repo.Worktree(ctx, commit)
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	s.trees = append(s.trees, tree)
	x.Ref, x.Revision = x.Revision, commit
	return tree, nil
}

// build builds the program of a go run command, and returns the command without go. env is added to the environment of go.
func (s *servers) build(ctx context.Context, r *Runner, i int, words []string, dir string, env []string) ([]string, error) {
	t, err := target.FromCommand(words)
	if err != nil {
		return nil, exit.Usage(fmt.Errorf("%s: %w", strings.Join(words, " "), err), "")
	}
	if s.work == nil {
		if s.work, err = tempdir.Dir("servers"); err != nil {
			return nil, exit.Failed(err, "")
		}
	}
	t.Dir, t.Env = dir, append(t.Env, env...)
	progress, err := session.NewProgress(r.Status, "none")
	if err != nil {
		return nil, err
	}
	b := &target.Builder{Context: ctx, Work: s.work.Path, Signals: r.Signals, Progress: progress, Stderr: r.Status}
	file := filepath.Join(s.work.Path, "server"+strconv.Itoa(i))
	if err := b.Build(t, file, "", nil, nil); err != nil {
		return nil, err
	}
	return append([]string{file}, t.Args...), nil
}

func (s *servers) close() {
	for _, t := range s.trees {
		t.Close()
	}
	if s.work != nil {
		s.work.Remove()
	}
}

// start starts the server of a side, if it has one, and returns the plan with the address of that server.
func (s *servers) start(ctx context.Context, i int) (*service.Server, *Plan, error) {
	x, sp := s.plan.sides.sides[i], s.plan.sides
	if x.words == nil {
		return nil, s.plan.at(x.url, ""), nil
	}
	server, err := service.Start(ctx, service.Config{Words: s.words[i], Dir: s.dirs[i], Address: x.at, Health: s.plan.Job.Health, Wait: s.plan.Job.ReadyTimeout})
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if sp.compares() {
			err = fmt.Errorf("side %s: %w", x.Name, err)
		}
		return nil, nil, exit.Failed(s.plan.clean(err), "--ready-timeout waits longer; --health asks for a path; "+service.PortWord+" in the command is its port")
	}
	return server, s.plan.at(x.url, server.Port), nil
}

// at returns the plan with another URL, if one is given, and with a port in the place of {port}.
func (p *Plan) at(url, port string) *Plan {
	q := *p
	if url != "" {
		q.url = url
	}
	q.url = strings.ReplaceAll(q.url, service.PortWord, port)
	q.settings.URL = q.url
	q.vars = strings.ReplaceAll(q.vars, service.PortWord, port)
	q.settings.Props = kv.Properties{}
	for name, value := range p.settings.Props {
		q.settings.Props[name] = strings.ReplaceAll(value, service.PortWord, port)
	}
	return &q
}

// running is a side that is being measured: its server, its system, and the workers that stay connected.
type running struct {
	side   *servedSide
	server *service.Server
	system *system
	plan   *Plan
	keep   *keeper
	marks  *marks.Reader
	cancel context.CancelFunc
}

// open starts a side's server and connects.
func (s *servers) open(ctx context.Context, i int) (_ *running, err error) {
	x := &running{side: s.plan.sides.sides[i]}
	if x.server, x.plan, err = s.start(ctx, i); err != nil {
		return nil, err
	}
	if x.system, err = x.plan.open(ctx); err != nil {
		err = x.plan.openFailed(err)
		return nil, errors.Join(err, x.close())
	}
	keep, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x.keep, x.cancel = newKeeper(keep, x.system.target), cancel
	if x.marks, err = x.plan.openMarks(x.server); err != nil {
		return nil, errors.Join(err, x.close())
	}
	return x, nil
}

// died returns the error of a server that ended by itself.
func (x *running) died() error {
	if x.server == nil {
		return nil
	}
	return x.server.Died()
}

func (x *running) close() error {
	var errs []error
	x.marks.Close()
	if x.keep != nil {
		x.keep.Close()
		x.cancel()
	}
	if x.system != nil {
		x.system.close()
	}
	if x.server != nil {
		if err := x.server.Stop(); err != nil {
			errs = append(errs, exit.Failed(x.plan.clean(fmt.Errorf("side %s: %w", x.side.Name, err)), "what was measured before counts"))
		}
	}
	return errors.Join(errs...)
}

// measureSides compares two sides in pairs of windows.
func (r *Runner) measureSides(ctx context.Context) (err error) {
	s, err := r.prepare(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	overhead := session.StartOverhead()
	loadAverage, _ := env.Load()
	rng := rand.New(rand.NewPCG(uint64(r.plan.Seed), 0x70616972))
	pair := 0
	for start := range max(r.plan.sides.starts, 1) {
		if err = r.measureStart(ctx, s, start, &pair, rng); err != nil {
			break
		}
	}
	if !r.out.Begun() {
		return err
	}
	r.out.phase, r.out.step = "", ""
	line := overhead.Line()
	line.Load = loadAverage
	for _, e := range []error{r.out.Write(line), r.writeMoved(), r.writeEnd(ctx, err)} {
		if err == nil {
			err = e
		}
	}
	return err
}

// measureStart starts both servers, if tare does, and measures their pairs of windows.
func (r *Runner) measureStart(ctx context.Context, s *servers, start int, pair *int, rng *rand.Rand) (err error) {
	var both [2]*running
	defer func() {
		if err == errServerDied {
			err = nil
		}
		for _, x := range both {
			if x == nil {
				continue
			}
			last := start == s.plan.sides.starts-1 || err != nil || x.died() != nil
			err = errors.Join(err, x.close())
			if x.server != nil && last {
				r.keepOutput(result.AttachOutput+"-"+x.side.Name, x.server.Output())
			}
		}
	}()
	first := rng.IntN(2)
	for _, i := range []int{first, 1 - first} {
		if both[i], err = s.open(ctx, i); err != nil {
			return err
		}
	}
	if start == 0 {
		r.announce(both[0].system)
		if err := r.writeSidesHead(ctx, both[0].system); err != nil {
			return err
		}
	}
	for _, i := range []int{first, 1 - first} {
		if err := r.warmUpSide(ctx, both[i]); err != nil {
			return err
		}
	}
	for range r.plan.sides.pairs {
		*pair++
		order := rng.IntN(2)
		for _, i := range []int{order, 1 - order} {
			w := record.LoadWindow{Side: both[i].side.Name, Pair: *pair}
			if s.plan.sides.starts > 0 {
				w.Start = start + 1
			}
			if err := r.window(ctx, both[i], w); err != nil {
				return err
			}
		}
		r.Status.pair(*pair, max(s.plan.sides.starts, 1)*s.plan.sides.pairs, r.pairText)
	}
	return ctx.Err()
}

// warmUpSide inserts the records of a side and sends operations that do not count.
func (r *Runner) warmUpSide(ctx context.Context, x *running) error {
	if x.system.loader != nil {
		c := r.plan.Workload.LoadPhase()
		c.Phase, c.Workers, c.Drain, c.Seed, c.Interval = record.LoadInsert, r.plan.loaders(), r.plan.Run.Drain, r.plan.Run.Seed, r.plan.Run.Interval
		total, err := load.Run(ctx, x.system.loader, c, nil)
		if err == nil && failures(total) > 0 {
			err = fmt.Errorf("%d of %d records could not be inserted: %s", failures(total), r.plan.Workload.RecordCount, firstError(total))
		}
		if err != nil {
			return x.failed(ctx, err)
		}
	}
	if r.plan.Job.Warmup > 0 {
		c := r.plan.Run
		c.Phase, c.Duration, c.Operations, c.First, c.Slowest = record.LoadWarmup, r.plan.Job.Warmup, 0, phaseNumbers/2, 0
		if _, err := load.Run(ctx, x.keep, c, nil); err != nil {
			return x.failed(ctx, err)
		}
	}
	return nil
}

// failed returns the error of a side, or errServerDied if its server has ended.
func (x *running) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if x.died() != nil {
		return errServerDied
	}
	return exit.Failed(x.plan.clean(fmt.Errorf("side %s: %w", x.side.Name, err)), "")
}
