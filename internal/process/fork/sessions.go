package fork

import (
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// sessions are the profilers of one process, outside it or with a part in it.
type sessions struct {
	names    []string
	sessions []profiler.Session
	lines    []record.Line // warnings about profilers that are not available
	mask     masker
}

// prepare begins the profilers that prepare something for the process, and returns environ with what they add.
func (w *sessions) prepare(ps []profiler.Preparer, f profiler.Fork, environ []string) []string {
	for _, p := range ps {
		s, env, err := p.Prepare(f)
		if err != nil {
			w.addUnavailable(p.Name(), err)
			continue
		}
		w.names, w.sessions = append(w.names, p.Name()), append(w.sessions, s)
		environ = slices.Concat(environ, env)
	}
	return environ
}

// abort ends the sessions of a process that was not started.
func (w *sessions) abort() {
	for _, s := range w.sessions {
		s.End(nil)
	}
	w.sessions = nil
}

// attach attaches profilers to a held process. One that fails adds a warning; the others and the fork go on.
func (w *sessions) attach(attach []profiler.Attacher, pid int) {
	for _, a := range attach {
		s, err := a.Attach(pid)
		if err != nil {
			w.addUnavailable(a.Name(), err)
			continue
		}
		w.names, w.sessions = append(w.names, a.Name()), append(w.sessions, s)
	}
}

func (w *sessions) addUnavailable(name string, err error) {
	w.lines = append(w.lines, diagnosis.WarnForm(diagnosis.NotAvailable, "fork", diagnosis.Facts{"what": name, "why": w.mask.truncate(err.Error())}))
}

// end ends the profilers' sessions, adds their values to the samples, and returns their lines. ofBench means that
// the windows come from package bench.
func (w *sessions) end(f *record.Fork, o *Outcome, ofBench bool) []record.Line {
	if len(w.sessions) > 0 {
		var windows []profiler.Window
		if f.State == record.StateOK {
			windows = measuredWindows(o.Samples, o.Marks)
			for i := range windows {
				windows[i].OfBench = ofBench
			}
		}
		for i, s := range w.sessions {
			r, err := s.End(windows)
			if err != nil && f.State == record.StateOK {
				w.addUnavailable(w.names[i], err)
			}
			addWindowValues(o.Samples, windows, r.Values)
			w.lines = append(w.lines, r.Lines...)
		}
	}
	for _, l := range w.lines {
		setFork(l, f)
	}
	return w.lines
}

// addWindowValues adds each window's values to its samples.
func addWindowValues(ss []*record.Sample, windows []profiler.Window, values []record.Values) {
	for i, vs := range values[:min(len(values), len(windows))] {
		for _, s := range ss {
			if s.Iter == windows[i].Iter && s.Role == "" && s.Phase == record.PhaseMeasure {
				s.V = append(s.V, vs...)
			}
		}
	}
}

// measuredWindows returns the windows of the measured iterations: from the fork's marks if there are any, else
// roughly from the arrival of results.
func measuredWindows(ss []*record.Sample, marks []Mark) []profiler.Window {
	var out []profiler.Window
	for _, s := range ss {
		if s.Phase != record.PhaseMeasure || s.Role != "" {
			continue
		}
		w := profiler.Window{Iter: s.Iter, Begin: s.T - s.Wall, End: s.T, Ops: s.Ops, Timer: s.Ns, Approximate: true}
		for _, m := range marks {
			switch {
			case m.Iter != s.Iter || m.Phase == record.PhaseBaseline:
			case m.Ev == MarkBegin:
				w.Begin = m.T
			default:
				w.End, w.Approximate = m.T, false
			}
		}
		out = append(out, w)
	}
	return out
}
