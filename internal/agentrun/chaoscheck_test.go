//go:build linux || darwin

package agentrun_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/pace"
	"github.com/tarebench/tare/record"
)

func timeout(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// scheduled returns how many operations the schedule has.
func (h *history) scheduled(t *testing.T) uint64 {
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

// checkAgents checks the lines of agents, and how soon those that were lost were marked.
func (w *world) checkAgents(f *found) {
	if len(f.agents) != w.history.agents {
		w.t.Errorf("%d agents have a line, %d took part", len(f.agents), w.history.agents)
	}
	var sum record.Load
	for _, a := range f.agents {
		sum.Scheduled += a.Scheduled
		sum.Started += a.Started
		sum.Completed += a.Completed
		sum.Lost += a.Lost
	}
	if l := f.whole; sum.Scheduled != l.Scheduled || sum.Started != l.Started || sum.Completed != l.Completed || sum.Lost != l.Lost {
		w.t.Errorf("the agents have %d scheduled, %d started, %d completed, %d lost in all, the run %d, %d, %d, %d", sum.Scheduled, sum.Started, sum.Completed, sum.Lost, l.Scheduled, l.Started, l.Completed, l.Lost)
	}
	for i, at := range w.killed {
		name := agentName(i)
		if at.After(w.truth.first.Add(w.duration-100*time.Millisecond)) || f.agents[name] == nil || f.agents[name].State == record.AgentDone {
			continue // it had ended, or nearly
		}
		if !f.marked[name] && f.agents[name].State != record.AgentStopped {
			w.t.Errorf("%s was killed and is %s", name, f.agents[name].State)
		}
		if marked, ok := w.controller.out.find("agent "+name+" is lost", at); ok {
			w.t.Logf("marked after %s", marked.Sub(at).Round(time.Millisecond))
		}
	}
	for name, a := range f.agents {
		i := slices.IndexFunc([]int{0, 1, 2, 3}, func(i int) bool { return agentName(i) == name })
		if a.State == record.AgentLost && !w.stalls.long() && w.killed[i].IsZero() && !w.frozen[i] && !w.has(restartServer) && !w.has(freezeController) {
			w.t.Errorf("nothing happened to %s, and it is lost: %s", name, a.Why)
		}
	}
}

// checkCounts checks that the histograms have a value for each answer, unless the record says what is missing.
func (w *world) checkCounts(f *found) {
	whole := true
	slack := int64(0)
	for _, a := range f.agents {
		whole = whole && a.State == record.AgentDone && a.Missing == 0
		if a.State != record.AgentDone {
			slack += 50 // answers that came while the line of an interval was taken
		}
	}
	if d := f.whole.Completed - f.counts; whole && d != 0 || !whole && !f.missing() && max(d, -d) > slack {
		w.t.Errorf("the histograms have %d values, %d operations were completed", f.counts, f.whole.Completed)
	}
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

// resume gathers what the agents kept when their controller was killed.
func (w *world) resume() {
	agents := 0
	for i := range w.agents {
		select {
		case <-w.agent(i).ended:
		default:
			agents++
		}
	}
	if agents == 0 {
		return
	}
	if w.external {
		select {
		case <-w.server.ended:
			w.t.Fatal("the server has ended")
		default:
		}
	}
	out := filepath.Join(w.dir, "resumed.jsonl")
	args := append([]string{"load", "--resume", w.record, "--agents", fmt.Sprint(agents), "-o", out, "--progress", "plain"}, w.connectArgs()...)
	if agents < w.history.agents {
		time.Sleep(time.Second)
	}
	w.controller = start(w.t, w.dir, "tare-full", args...)
	code := w.controller.code(60 * time.Second)
	if late := w.truth.lastSeen().Sub(w.dead); late > 5*time.Second {
		w.t.Errorf("operations were sent until %s after the controller was killed", late)
	} else {
		w.t.Logf("the last operation came %s after the controller was killed", late.Round(time.Millisecond))
	}
	w.check(out, code)
}
