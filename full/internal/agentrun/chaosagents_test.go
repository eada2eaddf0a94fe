//go:build linux || darwin

package agentrun_test

import (
	"slices"
	"time"

	"github.com/tarebench/tare/record"
)

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
	for _, a := range f.agents {
		if n := len(a.Shares) - 1; n > 0 {
			w.t.Logf("%s: others had its operations, or it theirs, %d times", a.Name, n)
		}
	}
	for i, at := range w.killed {
		name := agentName(i)
		if w.closed > 0 || at.After(w.truth.first.Add(w.duration-100*time.Millisecond)) || f.agents[name] == nil || f.agents[name].State == record.AgentDone {
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
			slack += 50
		}
	}
	// Answers that come between the counts and the histograms of an agent's last interval are in the histograms alone.
	if d := f.whole.Completed - f.counts; whole && d != 0 || !whole && !f.missing() && d > slack {
		w.t.Errorf("the histograms have %d values, %d operations were completed", f.counts, f.whole.Completed)
	}
}
