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
	"github.com/tarebench/tare/prof/stops"
	"github.com/tarebench/tare/record"
)

// Profiler returns the profiler "sample" of tare bench: all goroutines of the benchmark
// by the clock, or with record.SampledCPU by CPU time, in its measured iterations. The
// test binaries must be built with the flags of its Needs, and with overlay.Stops, which
// notes when the timer stands: what is seen then does not count.
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

// write writes the overlay for the go command in PATH. Where go has fetched that, package
// build calls it by a name under which it replaces files.
func (p profiler) write() (string, error) {
	if err := p.c.Validate(); err != nil {
		return "", err
	}
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOOS", "GOARCH").Output()
	f := strings.Split(strings.ReplaceAll(string(out), "\r", ""), "\n")
	if err != nil || len(f) < 4 {
		return "", fmt.Errorf("sample: go env: %w", err)
	}
	in, err := NewInside(Toolchain{Root: f[0], Version: f[1], OS: f[2], Arch: f[3]})
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return in.Overlay(filepath.Join(cache, "tare", "sample"), nil)
}

// Prepare makes the room for one fork.
func (p profiler) Prepare(prof.Fork) (prof.Session, []string, error) {
	c, err := p.c.prepared()
	if err != nil {
		return nil, nil, err
	}
	r, err := newRoom(c.Room)
	if err != nil {
		return nil, nil, err
	}
	n, err := stops.New()
	if err != nil {
		return nil, nil, errors.Join(err, r.Remove())
	}
	return &session{r, n, c}, append(n.Env(stops.Room), r.env(c.Mode, c.Interval)), nil
}

// session is one fork.
type session struct {
	room  room
	notes *stops.Notes
	c     Config
}

// End weighs what the fork has seen of itself in its windows, while its timer ran.
func (s *session) End(windows []prof.Window) (r prof.Result, err error) {
	defer func() { err = errors.Join(err, s.room.Remove()) }()
	notes, noNotes := s.notes.Read()
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
	when := stops.Timed(windows, notes)
	res, err := weighPCs(x, sym, s.how(x.path, windows, when), when.Ran)
	if err != nil {
		return r, err
	}
	res.noNotes = noNotes
	if res.How.Looks == 0 {
		interval := max(res.How.Interval, int64(res.How.Achieved))
		return r, fmt.Errorf("no look fell into its %d windows: %d looks take %s; a longer --time", len(windows), fewLooks, seconds(float64(fewLooks*interval)))
	}
	r.Lines, err = res.Lines()
	return r, err
}

// how is what is known of windows.
func (s *session) how(path string, windows []prof.Window, when stops.Timing) record.Sampled {
	how := s.c.how(path)
	if how.Mode == record.SampledWall {
		how.Blind = append(how.Blind, "goroutines with which package testing waits for the benchmark")
	}
	how.Window, how.Windows, how.Ops = record.AsmMarks, len(windows), when.Ops
	how.Stopped, how.Unnoted = when.Stood, 1-when.Noted
	for _, w := range windows {
		if w.Rough {
			how.Window = record.AsmRough
		}
	}
	return how
}
