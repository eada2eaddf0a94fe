//go:build linux || darwin

package agentrun_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

func timeout(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// scheduled returns how many operations the schedule has.
func (h *history) scheduled(t *testing.T) uint64 {
	if h.closed > 0 {
		return h.closed
	}
	s, err := pace.New(pace.Config{Rate: float64(h.rate), Poisson: h.poisson, Seed: h.seed & 0xffffffff, For: h.duration})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := s.Skip(1 << 62)
	return n
}

// found is what a record says of the run.
type found struct {
	whole     *record.Load // nil: it has none
	agents    map[string]*record.Agent
	marked    map[string]bool // agents of which a line says that they were lost
	counts    int64           // values of service and failed times in intervals
	intervals int
	end       *record.End
	warnings  []string
}

// read reads a record, and checks what holds in every line.
func (w *world) read(path string) *found {
	w.t.Helper()
	file, err := os.Open(path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	f := &found{agents: map[string]*record.Agent{}, marked: map[string]bool{}}
	for l, err := range record.NewReader(file, path).All() {
		if err != nil {
			w.t.Errorf("%s: %v", path, err)
			break
		}
		w.line(f, l)
	}
	return f
}

func (w *world) line(f *found, l record.Line) {
	switch l := l.(type) {
	case *record.Load:
		if l.Phase != record.LoadRun {
			return
		}
		if l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished || min(l.Unsent, l.Lost, l.Unfinished, l.Completed) < 0 {
			w.t.Errorf("a line whose counts do not add up: %+v", l)
		}
		if f.intervals++; l.Final {
			f.whole = l
		}
	case *record.Agent:
		if l.Phase != record.LoadRun {
			return
		}
		if l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished {
			w.t.Errorf("a line of an agent whose counts do not add up: %+v", l)
		}
		f.agents[l.Name] = l
		f.marked[l.Name] = f.marked[l.Name] || l.State == record.AgentLost
	case *record.Hist:
		if strings.Contains(l.Name, "/") || l.Tag != record.TagService && l.Tag != record.TagFailed {
			return
		}
		h, err := hist.Decode(l.Data)
		if err != nil {
			w.t.Error(err)
			return
		}
		f.counts += h.Count()
	case *record.Warn:
		f.warnings = append(f.warnings, l.Code+": "+l.Text)
	case *record.End:
		f.end = l
	}
}

// check compares a record with what the server has seen.
func (w *world) check(path string, code int) {
	n := w.scheduled(w.t)
	for _, p := range w.truth.problems(n) {
		w.t.Error(p)
	}
	f := w.read(path)
	if f.end == nil || f.whole == nil {
		w.t.Fatalf("exit code %d, and the record has no end", code)
	}
	defer func() {
		if w.t.Failed() {
			w.t.Logf("%d operations, %d seen; the record: %+v, end %+v, %d values", n, w.truth.distinct(), f.whole, f.end, f.counts)
			for _, a := range f.agents {
				w.t.Logf("%+v", a)
			}
		}
	}()
	l, seen := f.whole, w.truth.distinct()
	early := f.end.State != record.EndCompleted
	if early && w.dead.IsZero() {
		w.t.Logf("the run ended early: %s", f.end.Why)
		if left := f.done(); w.policy == "continue" && left > 0 {
			w.t.Errorf("it ended early, and %d agents sent to the end", left)
		}
	}
	if l.Scheduled != int64(n) && !early {
		w.t.Errorf("%d scheduled, the schedule has %d", l.Scheduled, n)
	}
	if l.Completed > seen {
		w.t.Errorf("%d completed, %d were seen", l.Completed, seen)
	}
	if missing := int64(n) - seen; !early && missing > l.Dropped+l.Unsent+l.Lost+l.Unfinished {
		w.t.Errorf("%d were never seen, more than %d dropped + %d unsent + %d lost + %d unfinished", missing, l.Dropped, l.Unsent, l.Lost, l.Unfinished)
	}
	w.checkAgents(f)
	w.checkCounts(f)
	w.checkCode(f, code, early)
}

// done returns how many agents sent to the end.
func (f *found) done() (n int) {
	for _, a := range f.agents {
		if a.State == record.AgentDone {
			n++
		}
	}
	return n
}

// missing reports whether the record says that intervals are missing.
func (f *found) missing() bool {
	for _, a := range f.agents {
		if a.Missing > 0 {
			return true
		}
	}
	return false
}

func (w *world) checkCode(f *found, code int, early bool) {
	want := 0
	switch {
	case early && w.dead.IsZero():
		want = 1
	case w.strict && w.dead.IsZero() && (f.whole.Lost > 0 || len(f.warnings) > 0):
		want = 4
	}
	if code != want && !(w.strict && code == 4 && !early) { // a busy machine misses the rate
		w.t.Errorf("exit code %d, want %d", code, want)
	}
}
