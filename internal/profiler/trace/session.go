package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"github.com/tarebench/tare/internal/instrument"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/record"
)

// Doubts about a fork.
const (
	CodeLost   = "lost"   // calls that there was no room for
	CodeWindow = "window" // calls were counted beside the window of the operations
)

// session is one fork.
type session struct {
	arena *instrument.Arena
	built *instrumented
	pkg   string
	iter  int // the one that counts
}

// End reads what the fork has counted.
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
		if w.Own || w.Rough {
			t.Window = record.AsmRough
		}
		t.Inlined, t.Unknown, t.Binary = s.built.inlined, s.built.unknown, path.Base(s.pkg)+".test"
		return result(t)
	}
	return r, nil
}

// result is what a fork leaves.
func result(t *record.Trace) (r profiler.Result, err error) {
	text, err := json.Marshal(t)
	if err != nil {
		return r, fmt.Errorf("attachment: %w", err)
	}
	r.Lines = append(r.Lines, &record.Attach{Name: record.AttachTrace, Media: "application/json", Data: text})
	if t.Lost > 0 {
		r.Lines = append(r.Lines, &record.Warn{
			About: record.AboutFork, Code: CodeLost,
			Text: fmt.Sprintf("trace: %d calls found no room for their time and place: they are counted, and in no time, tree or path", t.Lost), Advice: "match fewer functions, by --trace-match",
		})
	}
	if t.Window == record.AsmRough {
		r.Lines = append(r.Lines, &record.Warn{
			About: record.AboutFork, Code: CodeWindow,
			Text:   "trace: calls were counted while testing's timer ran, and operations while the window of package bench was open: calls per operation are too many by what begins and ends it",
			Advice: "a longer --time, which makes that a smaller share",
		})
	}
	return r, nil
}
