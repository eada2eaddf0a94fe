package profile

import (
	"cmp"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/record"
)

// activity says what the goroutines of a stack did.
type activity int

const (
	running activity = iota // on a processor, waiting for one, or in a system call
	blocked                 // waiting: for a channel, a lock, a timer, the network
	harness                 // package testing, waiting for the test or benchmark that it runs
)

// activityOf returns what the goroutines of a sample did. A goroutine that waits for a processor counts as running:
// its work is not done, and a runtime that stops all goroutines to sample them sees running ones in that state.
// Names are the functions of the stack, the outermost first.
func activityOf(s *pprof.Sample, names []string) activity {
	switch {
	case label(s, record.LabelState) != record.StateWaiting:
		return running
	case isHarness(names):
		return harness
	}
	return blocked
}

// isHarness reports whether it is package testing that waits: (*B).Run for a sub-benchmark, (*T).Run for a test.
func isHarness(names []string) bool {
	for _, name := range slices.Backward(names) {
		if !isWaiter(name) {
			return strings.HasPrefix(name, "testing.")
		}
	}
	return false
}

// isWaiter reports whether a function waits on behalf of its caller.
func isWaiter(name string) bool {
	return slices.ContainsFunc([]string{"runtime.", "sync.", "internal/sync.", "internal/runtime/"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// shown returns the stacks that tables and flame graphs count: those that ran, and where [Config.Blocked] includes
// them, those that were blocked.
func (v *View) shown() []stack {
	if v.excludeBlocked {
		return v.only(running)
	}
	return v.only(running, blocked)
}

func (v *View) only(did ...activity) (out []stack) {
	for _, s := range v.stacks {
		if slices.Contains(did, s.did) {
			out = append(out, s)
		}
	}
	return out
}

// sum returns the time of stacks.
func sum(stacks []stack) (n int64) {
	for _, s := range stacks {
		n += s.value
	}
	return n
}

// addSums adds up the time of all stacks, the total that shares refer to.
func (v *View) addSums() {
	v.Blocked, v.Harness = sum(v.only(blocked)), sum(v.only(harness))
	v.excludeBlocked = !v.cfg.Blocked && v.Total > v.Blocked+v.Harness
	v.Shown = sum(v.shown())
}

// addActivity divides what is known of all functions into running and blocked.
func (v *View) addActivity() {
	at := map[string]*Function{}
	for i := range v.Functions {
		at[v.Functions[i].Name] = &v.Functions[i]
	}
	for _, f := range v.byFunction(v.only(running)) {
		at[f.Name].RunningSelf, at[f.Name].RunningTotal = f.Self, f.Total
	}
	for _, f := range v.byFunction(v.only(blocked)) {
		at[f.Name].BlockedSelf, at[f.Name].BlockedTotal = f.Self, f.Total
	}
}

// waits reports whether something of the time is not running time.
func (v *View) waits() bool { return v.Blocked+v.Harness > 0 }

// rows returns the functions as a table has them: self, total and count are of what is shown.
func (v *View) rows() []Function {
	if !v.waits() {
		return v.inOrder(v.Functions)
	}
	out := v.byFunction(v.shown())
	at := map[string]int{}
	for i, f := range out {
		at[f.Name] = i
	}
	for _, f := range v.byFunction(v.only(blocked)) {
		i, ok := at[f.Name]
		if !ok {
			i, out = len(out), append(out, Function{Name: f.Name})
		}
		out[i].BlockedSelf, out[i].BlockedTotal = f.Self, f.Total
	}
	v.addErrors(out, v.knownShown(), v.Shown)
	slices.SortFunc(out, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total+b.BlockedTotal, a.Total+a.BlockedTotal),
			cmp.Compare(b.BlockedSelf, a.BlockedSelf), cmp.Compare(a.Name, b.Name))
	})
	return v.inOrder(out)
}

// shareShown returns a part of what is shown.
func (v *View) shareShown(value int64) float64 { return shareOf(value, v.Shown) }

// shownEdges returns the edges without those of the harness, most time first. If blocked time is excluded, the time is that
// in which they ran.
func (v *View) shownEdges() []Edge {
	out := slices.DeleteFunc(slices.Clone(v.Edges), func(e Edge) bool { return e.Running+e.Blocked == 0 })
	if !v.excludeBlocked {
		return out
	}
	slices.SortStableFunc(out, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Running, a.Running), cmp.Compare(b.Blocked, a.Blocked))
	})
	return out
}

// knownShown returns the errors of the times that are shown, as far as the record has them.
func (v *View) knownShown() []record.SampledError {
	switch {
	case v.how == nil || v.Type != record.TypeWall || v.cfg.Narrows():
		return nil
	case v.excludeBlocked:
		return v.how.RunningErrors
	case v.Harness > 0:
		return nil
	}
	return v.known
}
