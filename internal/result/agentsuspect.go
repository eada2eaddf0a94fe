package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

// An agent's machine may be at fault if its processes use more than busyCores of its cores, or if its lateness at p99
// is at least lateAgent, and lateAgentTimes the median of the others'.
const (
	busyCores      = 0.8
	lateAgent      = 1_000_000 // ns
	lateAgentTimes = 5
)

// suspect fills in which machines may be at fault, and why.
func (a *Agents) suspect() {
	used := map[string]float64{} // cores of a host, by all its agents
	for i := range a.Agents {
		used[a.Agents[i].machine()] += a.Agents[i].CoresUsed
	}
	for i := range a.Agents {
		x := &a.Agents[i]
		var why []string
		if cores := used[x.machine()]; x.Cores > 0 && cores > busyCores*float64(x.Cores) {
			why = append(why, fmt.Sprintf("%s of its %s were in use by agents", units.Fixed(cores, 1), units.Plural(x.Cores, "core")))
		}
		if others := a.usualLateness(i); others >= 0 && x.Lateness.P99 >= lateAgent && x.Lateness.P99 > lateAgentTimes*others {
			why = append(why, fmt.Sprintf("operations began up to %s late (p99) there, on the others %s", units.Time(x.Lateness.P99), units.Time(others)))
		}
		x.Suspect = strings.Join(why, ", and ")
	}
}

// machine returns what tells the machine of an agent from others.
func (x *Agent) machine() string {
	if x.Host == "" {
		return "agent " + x.Name
	}
	return x.Host
}

// usualLateness returns the median of the lateness at p99 of all agents but one, in ns; -1 if it or that one's rests
// on too few operations.
func (a *Agents) usualLateness(but int) int64 {
	known := func(x *Agent) bool { return x.Lateness != nil && x.Lateness.Count >= enoughLate }
	if !known(&a.Agents[but]) {
		return -1
	}
	var others []int64
	for i := range a.Agents {
		if x := &a.Agents[i]; i != but && known(x) {
			others = append(others, x.Lateness.P99)
		}
	}
	if len(others) == 0 {
		return -1
	}
	slices.Sort(others)
	return others[(len(others)-1)/2]
}
