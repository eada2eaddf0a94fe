package benchrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// Earlier is the record of a run that is resumed.
type Earlier struct {
	Recorder *session.Recorder
	plan.Measured
}

// ReadEarlier reads a record file and opens it for appending. check refuses a
// file that cannot be resumed, by its first line.
func ReadEarlier(path string, p *session.Progress, check func(path string, first record.Line, err error) error) (*Earlier, error) {
	rec, err := session.ResumeRecorder(path, check)
	if err != nil {
		return nil, err
	}
	e := &Earlier{Recorder: rec}
	cut, err := rec.Replay(e.Add)
	if cut > 0 {
		p.Note("%s: its last line was cut off after %d bytes and does not count", rec.Path(), cut)
	}
	return e, err
}

// RestoreSecrets fills the secrets in from settings K=V, because the record does not
// hold them. It fails if one is missing.
func (e *Earlier) RestoreSecrets(path string, settings []string) error {
	for _, x := range e.Run.Sides {
		for _, kv := range x.Setenv {
			if name, val, _ := strings.Cut(kv, "="); val == redact.Placeholder {
				return exit.Usage(fmt.Errorf("--resume %s: the record does not hold the value of %s of side %s", path, name, x.Name), "start a new run")
			}
		}
		for _, f := range x.Flags {
			if strings.Contains(f, redact.Placeholder) {
				return exit.Usage(fmt.Errorf("--resume %s: the record does not hold all of %s of side %s", path, f, x.Name), "start a new run")
			}
		}
	}
	c := &e.Run.Config
	if err := checkArgs(path, c.Args); err != nil {
		return err
	}
	c.Setenv = slices.Clone(c.Setenv)
	for i, kv := range c.Setenv {
		name, val, _ := strings.Cut(kv, "=")
		if val != redact.Placeholder {
			continue
		}
		j := slices.IndexFunc(settings, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		if j < 0 {
			return exit.Usage(fmt.Errorf("--resume %s: the record does not hold the value of %s", path, name), "give it again: --env "+name+"=…")
		}
		c.Setenv[i] = settings[j]
	}
	return nil
}

// Resume takes the plan of an earlier record. It fails if the binaries are not
// those that were measured.
func Resume(ctx context.Context, b *Built) (*Calibrated, error) {
	if err := b.matchBinaries(); err != nil {
		return nil, err
	}
	f, err := startForks(ctx, b)
	if err != nil {
		return nil, err
	}
	if err := f.unmaskNames(ctx); err != nil {
		f.Close()
		return nil, err
	}
	c, err := f.resume()
	if err != nil {
		f.Close()
		return nil, err
	}
	return c, nil
}

// resume takes over cases and forks that were measured.
func (f *Found) resume() (*Calibrated, error) {
	e := f.Earlier
	for _, c := range e.Cases {
		if !e.Lost(c.ID) {
			f.Cases = append(f.Cases, c)
		}
	}
	f.pairUp(slices.Clone(e.Cases))
	c := newCalibrated(f)
	c.planned = true
	c.Plan.Done = func(id, round int) bool { return e.Done(id, round, record.PurposeTiming) }
	c.Plan.Tally = e.Tally
	c.Plan.ProfileDone = func(id, round int, purpose string) bool {
		return e.Done(id, round, purpose) || c.notProfiled(id, round, purpose)
	}
	f.forks.SetNextID(e.LastFork + 1)
	f.Progress.Note("%s holds %d forks; going on", e.Recorder.Path(), e.Forks())
	return c, f.warnOtherMachine()
}

// unmaskNames finds the full names of benchmarks whose secrets the record redacts, by their hashes. Older records
// have no hashes. The binaries list their benchmarks in the same order. Benchmarks with the same redacted name are
// therefore matched by their order.
func (f *Found) unmaskNames(ctx context.Context) error {
	e := f.Earlier
	type place struct{ bin, procs int }
	names := map[place][]string{}
	for i, c := range e.Cases {
		if !strings.Contains(c.Name, redact.Placeholder) || e.Lost(c.ID) {
			continue
		}
		at := place{c.Bin, c.Procs}
		if names[at] == nil {
			found, err := f.namesIn(ctx, c)
			if err != nil {
				return err
			}
			names[at] = found
		}
		taken := 0
		for _, x := range e.Cases[:i] {
			if x.Bin == c.Bin && x.Procs == c.Procs && redact.Name(x.Name) == c.Name && c.NameHash == "" {
				taken++
			}
		}
		alike := slices.DeleteFunc(slices.Clone(names[at]), func(name string) bool {
			return redact.Name(name) != c.Name || c.NameHash != "" && redact.NameHash(name) != c.NameHash
		})
		if len(alike) <= taken {
			return exit.Failed(fmt.Errorf("%s: the record does not hold the secret in the name of %s, and the test binary has no such benchmark", e.Recorder.Path(), c.Name), "start a new run")
		}
		c.Name = alike[taken]
		c.Params = record.ParseName(c.Name)
	}
	return nil
}

// namesIn returns the benchmarks of a case's binary.
func (f *Found) namesIn(ctx context.Context, c *record.Case) ([]string, error) {
	i := slices.IndexFunc(f.bins, func(b *binary) bool { return b.ID == c.Bin })
	if i < 0 {
		return nil, exit.Failed(fmt.Errorf("%s: there is no binary of %s", f.Recorder.Path(), c.Name), "")
	}
	found, err := f.discoverIn(ctx, f.bins[i], c.Procs)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, x := range found {
		names = append(names, x.Name)
	}
	return names, nil
}

// matchBinaries puts the binaries in the order of the record, and compares them
// with those that were measured.
func (b *Built) matchBinaries() error {
	built := map[[4]string]*binary{}
	for _, x := range b.bins {
		built[[4]string{x.Pkg, x.Side, x.Layout, x.Purpose}] = x
	}
	var bins []*binary
	for _, old := range b.Earlier.Bins {
		x := built[[4]string{old.Pkg, old.Side, old.Layout, old.Purpose}]
		if x == nil {
			return exit.Failed(fmt.Errorf("%s: package %s is in the record, but cannot be built now", b.Recorder.Path(), old.Pkg), "")
		}
		if x.SHA256 != old.SHA256 {
			return exit.Failed(fmt.Errorf("%s: the test binary of %s is not the one that was measured (sha256 %.12s then, %.12s now)", b.Recorder.Path(), old.Pkg, old.SHA256, x.SHA256),
				"go back to the sources and the toolchain of the record, or start a new run")
		}
		x.ID = old.ID
		bins = append(bins, x)
	}
	b.bins = bins
	return nil
}

// warnOtherMachine warns about a record whose forks ran on different machines.
func (b *Built) warnOtherMachine() error {
	m, was := env.Describe(), b.Run.Env
	if m.CPU == was.CPU && m.Cores == was.Cores && m.Kernel == was.Kernel {
		return nil
	}
	return b.write(diagnosis.Warn(diagnosis.ResumedElsewhere, diagnosis.Facts{"cpu": m.CPU, "cores": m.Cores, "kernel": m.Kernel}))
}
