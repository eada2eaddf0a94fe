package mem

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// builder builds test binaries from copies of the test files, in which the end of each benchmark's loop is read.
type builder struct {
	name string // of the profiler
	work string // name of the temporary directory; see tempdir.Named

	mu    sync.Mutex
	place *tempdir.Place // nil: not created yet
}

// Build changes the test files of a package. If it fails, the binary is built from the sources as they are, and loops
// over b.N are read while they run.
func (p *builder) Build(ctx context.Context, b profiler.Build) (profiler.Built, error) {
	dir, err := p.dir()
	if err == nil {
		h := fnv.New64a()
		fmt.Fprintf(h, "%q %q", b.Side, b.Pkg)
		cfg := instrument.Config{Dir: b.Dir, Packages: []string{b.Pkg}, Tests: true, Flags: b.Flags, Env: b.Env, Work: filepath.Join(dir, fmt.Sprintf("%x", h.Sum64()))}
		var c instrument.Changed
		if c, err = instrument.Change(ctx, cfg, b.Files, func(_, text string) string { return addLoopEnds(text) }); err == nil {
			return profiler.Built{Flags: c.Flags, Env: c.Env}, nil
		}
	}
	if ctx.Err() != nil {
		return profiler.Built{}, err
	}
	why, _, _ := strings.Cut(err.Error(), "\n")
	return profiler.Built{Warnings: []*record.Warn{
		diagnosis.Warn(diagnosis.NoLoopEnd, diagnosis.Facts{"profiler": p.name, "package": b.Pkg, "why": why}),
	}}, nil
}

// dir returns the directory of all builds and creates it if necessary.
func (p *builder) dir() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.place == nil {
		place, err := tempdir.Named(cmp.Or(p.work, "loopends") + "-" + p.name)
		if err != nil {
			return "", fmt.Errorf("directory of the build: %w", err)
		}
		p.place = place
	}
	return p.place.Path, nil
}

// Close removes the files of the builds.
func (p *builder) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.place == nil {
		return nil
	}
	defer func() { p.place = nil }()
	return p.place.Remove()
}
