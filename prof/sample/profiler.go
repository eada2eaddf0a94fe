package sample

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tarebench/tare/prof"
	"github.com/tarebench/tare/record"
)

// Profiler returns the profiler "sample" of tare bench: all goroutines of the benchmark
// by the clock, or with record.SampledCPU by CPU time, in its measured iterations. The
// test binaries must be built with the flags of its Needs.
func Profiler(c Config) prof.Profiler {
	p := profiler{c: c}
	p.overlay = sync.OnceValues(p.write)
	return p
}

type profiler struct {
	c       Config
	overlay func() (string, error)
}

func (profiler) Name() string { return "sample" }

// Needs has the benchmarks built with their half of the sampler. Without the marks of
// package testing it would not know when they measure.
func (p profiler) Needs() prof.Needs {
	n := prof.Needs{Forks: true, Deep: true}
	if overlay, err := p.overlay(); err == nil {
		n.Flags = []string{"-overlay=" + overlay}
	}
	return n
}

func (p profiler) Probe() error {
	_, err := p.overlay()
	if errors.Is(err, ErrUnfit) {
		return &prof.ProbeError{Err: err, Advice: "a supported Go release on Linux or macOS, for amd64 or arm64"}
	}
	return err
}

// write writes the overlay for the go command in PATH.
func (p profiler) write() (string, error) {
	if err := p.c.Validate(); err != nil {
		return "", err
	}
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOMODCACHE").Output()
	f := strings.Split(strings.ReplaceAll(string(out), "\r", ""), "\n")
	if err != nil || len(f) < 5 {
		return "", fmt.Errorf("sample: go env: %w", err)
	}
	if cache := f[4]; cache != "" && strings.HasPrefix(f[0], filepath.Clean(cache)+string(filepath.Separator)) {
		return "", fmt.Errorf("%w: go has fetched it (%s), and replaces no files there", ErrUnfit, f[1])
	}
	in, err := NewInside(Toolchain{Root: f[0], Version: f[1], OS: f[2], Arch: f[3]})
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return in.Overlay(filepath.Join(cache, "tare", "sample"))
}

// Prepare makes the room for one fork.
func (p profiler) Prepare() (prof.Session, []string, error) {
	c, err := p.c.prepared()
	if err != nil {
		return nil, nil, err
	}
	r, err := newRoom(c.Room)
	if err != nil {
		return nil, nil, err
	}
	return &session{r, c}, []string{r.env(c.Mode, c.Interval)}, nil
}

// session is one fork.
type session struct {
	room room
	c    Config
}

// End weighs what the fork has seen of itself in its windows.
func (s *session) End(windows []prof.Window) (r prof.Result, err error) {
	defer func() { err = errors.Join(err, s.room.remove()) }()
	if len(windows) == 0 {
		return r, nil
	}
	x, err := s.room.read()
	if err != nil {
		return r, err
	}
	if !filepath.IsAbs(x.path) {
		return r, fmt.Errorf("sample: where the program %q is, is not known", x.path)
	}
	sym, err := openSymbols(x.path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, sym.close()) }()
	res, err := weighPCs(x, sym, s.how(x.path, windows), windows)
	if err != nil {
		return r, err
	}
	if res.How.Looks == 0 {
		interval := max(res.How.Interval, int64(res.How.Achieved))
		return r, fmt.Errorf("no look fell into its %d windows: %d looks take %s; a longer --time", len(windows), fewLooks, seconds(float64(fewLooks*interval)))
	}
	r.Lines, err = res.Lines()
	return r, err
}

// how is what is known of windows.
func (s *session) how(path string, windows []prof.Window) record.Sampled {
	how := s.c.how(path)
	how.Window, how.Windows = record.AsmMarks, len(windows)
	for _, w := range windows {
		how.Ops += w.Ops
		if w.Rough {
			how.Window = record.AsmRough
		}
	}
	return how
}
