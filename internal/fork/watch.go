package fork

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/record"
)

// watch are the profilers that look at one process, from outside or with a half in it.
type watch struct {
	names    []string
	sessions []profiler.Session
	lines    []record.Line // doubts about those that could not
}

// prepare has profilers ready what the process shall find, and returns its environment
// with what they add.
func (w *watch) prepare(ps []profiler.Preparer, f profiler.Fork, environ []string) []string {
	for _, p := range ps {
		s, env, err := p.Prepare(f)
		if err != nil {
			w.cannot(p.Name(), err)
			continue
		}
		w.names, w.sessions = append(w.names, p.Name()), append(w.sessions, s)
		environ = slices.Concat(environ, env)
	}
	return environ
}

// drop ends the sessions of a process that there never was.
func (w *watch) drop() {
	for _, s := range w.sessions {
		s.End(nil)
	}
	w.sessions = nil
}

// begin attaches to a process that is held. A profiler that cannot is told of;
// the others go on, and so does the fork.
func (w *watch) begin(attach []profiler.Attacher, pid int) {
	for _, a := range attach {
		s, err := a.Attach(pid)
		if err != nil {
			w.cannot(a.Name(), err)
			continue
		}
		w.names, w.sessions = append(w.names, a.Name()), append(w.sessions, s)
	}
}

func (w *watch) cannot(name string, err error) {
	w.lines = append(w.lines, &record.Warn{
		About: record.AboutFork, Code: "not-available",
		Text: clip(fmt.Sprintf("%s: not available: %v", name, err)), Advice: "tare doctor says what this machine can serve",
	})
}

// end collects what was seen and gives it to the samples of its iterations. own says
// that package bench has told of the windows.
func (w *watch) end(f *record.Fork, o *Outcome, own bool) []record.Line {
	if len(w.sessions) > 0 {
		var windows []profiler.Window
		if f.State == record.StateOK {
			windows = windowsOf(o.Samples, o.Marks)
			for i := range windows {
				windows[i].Own = own
			}
		}
		for i, s := range w.sessions {
			r, err := s.End(windows)
			if err != nil && f.State == record.StateOK {
				w.cannot(w.names[i], err)
			}
			give(o.Samples, windows, r.Values)
			w.lines = append(w.lines, r.Lines...)
		}
	}
	for _, l := range w.lines {
		sign(l, f)
	}
	return w.lines
}

// give adds values to the samples of their windows.
func give(ss []*record.Sample, windows []profiler.Window, values []record.Values) {
	for i, vs := range values[:min(len(values), len(windows))] {
		for _, s := range ss {
			if s.Iter == windows[i].Iter && s.Role == "" && s.Phase == record.PhaseMeasure {
				s.V = append(s.V, vs...)
			}
		}
	}
}

// windowsOf are the measured iterations, by the marks of the fork if it has set
// them, else by the times at which its results came.
func windowsOf(ss []*record.Sample, marks []Mark) []profiler.Window {
	var out []profiler.Window
	for _, s := range ss {
		if s.Phase != record.PhaseMeasure || s.Role != "" {
			continue
		}
		w := profiler.Window{Iter: s.Iter, Begin: s.T - s.Wall, End: s.T, Ops: s.Ops, Rough: true}
		for _, m := range marks {
			switch {
			case m.Iter != s.Iter || m.Phase == record.PhaseBaseline:
			case m.Ev == MarkBegin:
				w.Begin = m.T
			default:
				w.End, w.Rough = m.T, false
			}
		}
		out = append(out, w)
	}
	return out
}
