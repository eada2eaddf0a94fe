package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// session is one fork.
type session struct {
	arena *instrument.Arena
	built *instrumented
	pkg   string
	iter  int // the iteration that counts
}

// End reads the counts of the fork.
func (s *session) End(windows []profiler.Window) (r profiler.Result, err error) {
	defer func() { err = errors.Join(err, s.arena.Close()) }()
	for _, w := range windows {
		if w.Iter != s.iter {
			continue
		}
		t, err := instrument.Read(s.arena.Path, s.built.Build)
		if err != nil {
			return r, err
		}
		t.Window, t.Windows, t.Ops = record.AsmMarks, 1, w.Ops
		if w.OfBench || w.Approximate {
			t.Window = record.AsmRough
		} else {
			t.Length = float64(w.Timer)
		}
		t.Inlined, t.Allocs, t.Unknown, t.Binary = s.built.inlined, s.built.allocs, s.built.unknown, path.Base(s.pkg)+".test"
		return result(t)
	}
	return r, nil
}

// result returns the record lines of a fork.
func result(t *record.Trace) (r profiler.Result, err error) {
	text, err := json.Marshal(t)
	if err != nil {
		return r, fmt.Errorf("attachment: %w", err)
	}
	r.Lines = append(r.Lines, &record.Attach{Name: record.AttachTrace, Media: "application/json", Data: text})
	if t.Lost > 0 {
		r.Lines = append(r.Lines, diagnosis.WarnForm(diagnosis.Lost, "calls", diagnosis.Facts{"calls": t.Lost}))
	}
	if t.Window == record.AsmRough {
		r.Lines = append(r.Lines, diagnosis.Warn(diagnosis.Window, nil))
	}
	return r, nil
}
