package loadrun

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/loadrun/gotarget"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// goBinding stands in records of targets of Go packages for the name of a database.
const goBinding = "go"

// goTarget is a Go package whose target is loaded.
type goTarget struct {
	pattern string
	program *gotarget.Program // nil until it is built
	wait    time.Duration     // for Target to return; 0: without a limit
}

// planTarget has the Go package be the target and the workload.
func (p *Plan) planTarget(j *job.Load) {
	p.target = &goTarget{pattern: j.Package, wait: j.ReadyTimeout}
	p.Binding = &kv.Binding{Name: goBinding, OpenTarget: p.target.open}
}

// forTare returns the properties that may be flags of YCSB's client. A target of a Go package has names of its own.
func (p *Plan) forTare() kv.Properties {
	if p.target != nil {
		return kv.Properties{}
	}
	return p.given
}

// buildTarget builds the package.
func (r *Runner) buildTarget(ctx context.Context) (err error) {
	t := r.plan.target
	r.Status.note("building " + t.pattern)
	t.program, err = gotarget.Build(ctx, build.Options{}, t.pattern)
	return err
}

func (t *goTarget) close() { t.program.Close() }

// open starts the process of the target.
func (t *goTarget) open(ctx context.Context, s kv.Settings) (load.Target, error) {
	cfg := maps.Clone(map[string]string(s.Props))
	for name := range cfg {
		if strings.HasPrefix(name, "tare.") {
			return nil, exit.Usage(fmt.Errorf("-p %s: properties that begin with tare. are tare's own", name), "flags set them: --seed, --workers, --op-timeout, --allow-host")
		}
	}
	load.Settings{Seed: s.Seed, Workers: s.Workers, OpTimeout: s.OpTimeout, Allow: s.Allow}.Set(cfg)
	if t.wait > 0 {
		late := exit.Failed(fmt.Errorf("%s: Target has not returned after %s", t.pattern, t.wait), "--ready-timeout waits longer")
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.wait, late)
		defer cancel()
	}
	opened, err := t.program.Start(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// writeProgram records which program was loaded, if it is one of a Go package.
func (r *Runner) writeProgram() error {
	t := r.plan.target
	if t == nil {
		return nil
	}
	b := t.program
	settings := map[string]string{}
	for name, value := range b.Settings {
		settings[name] = r.plan.Redact(load.Redact(name, value))
	}
	return r.out.Write(&record.Bin{ID: 1, Pkg: b.Pkg, SHA256: b.SHA256, BuildID: b.BuildID, Size: b.Size, Version: b.Version, Build: settings})
}

// runPhase has the engine run a phase: in this process, or in that of the target.
func runPhase(ctx context.Context, t load.Target, c load.Config, sink load.Sink) (*load.Interval, error) {
	if p, ok := t.(interface {
		Run(context.Context, load.Config, load.Sink) (*load.Interval, error)
	}); ok {
		return p.Run(ctx, c, sink)
	}
	return load.Run(ctx, t, c, sink)
}
