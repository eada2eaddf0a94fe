package sched

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// dirVar is the variable with the directory of traces, for the part in the measured process.
const dirVar = "TARE_SCHED"

// Profiler returns the profiler.
func Profiler() profiler.Profiler { return schedProfiler{} }

type schedProfiler struct{}

func (schedProfiler) Name() string          { return "sched" }
func (schedProfiler) Needs() profiler.Needs { return profiler.Needs{OwnForks: true, Hooks: true} }

func (schedProfiler) Available() error { return probe(runtime.GOOS) }

func probe(goos string) error {
	switch goos {
	case "windows", "plan9", "js", "wasip1":
		return errors.New("package testing cannot have hooks on " + goos)
	}
	return nil
}

// Prepare creates the directory for the traces of one fork.
func (schedProfiler) Prepare(profiler.Fork) (profiler.Session, []string, error) {
	dir, err := tempdir.Dir("sched")
	if err != nil {
		return nil, nil, fmt.Errorf("a place for traces: %w", err)
	}
	return &session{dir}, []string{dirVar + "=" + dir.Path}, nil
}

// session is one fork. The trace of iteration N is DIR/N.trace.
type session struct{ dir *tempdir.Place }

// End reads the traces of the measured windows. A fork has figures of all its windows or of none.
func (s *session) End(windows []profiler.Window) (r profiler.Result, err error) {
	defer func() { err = errors.Join(err, s.dir.Remove()) }()
	if len(windows) == 0 {
		return r, nil
	}
	var whole total
	for _, w := range windows {
		t, err := s.read(w)
		if err != nil {
			return profiler.Result{}, err
		}
		r.Values = append(r.Values, t.values(w))
		whole.add(t, w)
	}
	table := whole.table()
	for _, a := range []struct {
		name  string
		table any
	}{{record.AttachGoroutines, table}, {record.AttachWaits, whole.waitTable()}} {
		attach, err := attachment(a.name, a.table)
		if err != nil {
			return profiler.Result{}, err
		}
		r.Lines = append(r.Lines, attach)
	}
	if table.Traced < 1 {
		r.Lines = append(r.Lines, diagnosis.Warn(diagnosis.TraceFull, diagnosis.Facts{"share": units.PercentTo(table.Traced, 0)}))
	}
	return r, nil
}

// read reads the trace of one window.
func (s *session) read(w profiler.Window) (*tally, error) {
	if w.Ops < 1 || w.End <= w.Begin {
		return nil, fmt.Errorf("the window of iteration %d is empty", w.Iter)
	}
	f, err := os.Open(filepath.Join(s.dir.Path, strconv.Itoa(w.Iter)+".trace"))
	if why, e := os.ReadFile(filepath.Join(s.dir.Path, "why")); e == nil { // the reason reported by the process
		if err == nil {
			f.Close()
		}
		return nil, errors.New(strings.TrimSpace(string(why)))
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("iteration %d left no trace", w.Iter)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := readTrace(f, w)
	if err != nil {
		return nil, fmt.Errorf("the trace of iteration %d: %w", w.Iter, err)
	}
	return t, nil
}
