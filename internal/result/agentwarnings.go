package result

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// Codes of warnings about runs of several load generators.
const (
	CodeAgentLost        = "agent-lost"        // an agent was lost: operations that were due for it are excluded from the results
	CodeAgentStopped     = "agent-stopped"     // an agent ended before the others
	CodeAgentMachine     = "agent-machine"     // an agent's own machine may be at fault
	CodeMissingIntervals = "missing-intervals" // what agents counted in some intervals never came
	CodeFewerAgents      = "fewer-agents"      // some intervals are of fewer agents
	CodeClocksDiffer     = "clocks-apart"      // clocks of agents agree only within a large part of an interval
	CodeStartsDiffer     = "starts-apart"      // agents started far from each other
	CodeCountsDiffer     = "counts-differ"     // the counts of the agents do not add up
)

// ofInterval is the part of an interval by which clocks and starts of agents may differ without a warning.
const ofInterval = 1.0 / 20

// agentWarnings returns the warnings about the load generators of a phase.
func (l *Load) agentWarnings() []Warning {
	a := l.Agents
	if a == nil {
		return nil
	}
	var out []Warning
	add := func(when bool, code, advice, format string, args ...any) {
		if when {
			out = append(out, Warning{Code: code, Text: fmt.Sprintf(format, args...), Advice: advice})
		}
	}
	if lost := a.gone(record.AgentLost); len(lost) > 0 {
		them := "it"
		if len(lost) > 1 {
			them = "them"
		}
		what := "nothing that were due for " + them + " is missing"
		if l.Lost > 0 {
			what = l.lostShare() + " were due for " + them
		}
		add(true, CodeAgentLost, "measure again; --on-loss stop ends a run at once, --on-loss redistribute has the others take over", "%s: %s", endings(lost, " was lost"), what)
	} else {
		add(l.Lost > 0, CodeAgentLost, "the record does not say which: it is incomplete", "%s", l.lostWords())
	}
	if stopped := a.gone(record.AgentStopped); len(stopped) < len(a.Agents) {
		add(len(stopped) > 0, CodeAgentStopped, "see the output of the agent", "%s before the end of the phase", endings(stopped, " stopped"))
	}
	for i := range a.Agents {
		x := &a.Agents[i]
		add(x.Suspect != "", CodeAgentMachine, "its latencies may be those of its machine, and not of the system: give it fewer operations, or leave it out", "agent %s%s: %s", x.Name, x.hostWords(), x.Suspect)
	}
	add(a.Missing > 0, CodeMissingIntervals, "--resume gathers what agents have kept", "%s never came, of %s: the latencies in them are in no percentile", units.Plural(a.Missing, "interval"), a.missingOf())
	add(a.Fewer > 0, CodeFewerAgents, "rates of these intervals are those of the agents that delivered", "%s of %s have figures of fewer than %d agents; the fewest are %d", units.Count(a.Fewer), units.Plural(a.Intervals, "interval"), a.whole, a.Least)
	edge := int64(ofInterval * float64(a.interval))
	add(edge > 0 && a.ClockError > edge, CodeClocksDiffer, "a nearer controller, or a longer --status-interval; latencies do not depend on it", "the clocks of the agents are known only to ± %s: what happened within that of the edge of an interval may count in the next one", units.Time(a.ClockError))
	add(edge > 0 && a.StartSpread > edge, CodeStartsDiffer, "a quieter machine for the agents that began late; the first interval has less of them", "the agents did not start together: the last began %s after the first", units.Time(a.StartSpread))
	add(a.Differ, CodeCountsDiffer, "the record is incomplete or damaged", "the counts of the agents do not add up to those of the phase")
	return out
}

// lostWords says how many operations were scheduled on lost agents, and names the agents; "" if none were.
func (l *Load) lostWords() string {
	if l.Lost == 0 {
		return ""
	}
	who := ""
	if l.Agents != nil {
		var all []string
		for _, x := range l.Agents.gone(record.AgentLost) {
			all = append(all, x.Name+x.endedWords())
		}
		if len(all) > 0 {
			who = " (" + units.List(all, 5) + ")"
		}
	}
	return l.lostShare() + " were due for agents that were lost" + who + ": they were not sent, or what became of them is not known"
}

// lostShare says how many operations were scheduled on lost agents, also as a share.
func (l *Load) lostShare() string {
	return fmt.Sprintf("%s (%s)", units.Plural(l.Lost, "operation"), units.Percent(float64(l.Lost)/float64(max(l.Scheduled, 1))))
}

// endings returns when each of some agents ended, and why.
func endings(of []*Agent, how string) string {
	var all []string
	for _, x := range of {
		text := "agent " + x.Name + x.hostWords() + how + x.endedWords()
		if x.Why != "" {
			text += " (" + x.Why + ")"
		}
		all = append(all, text)
	}
	return units.List(all, 5)
}

// endedWords returns when an agent ended that did not stay to the end, with a blank before it.
func (x *Agent) endedWords() string {
	if x.Ended == 0 {
		return ""
	}
	return " after " + units.Span(float64(x.Ended))
}

// hostWords names the machine of an agent whose name does not.
func (x *Agent) hostWords() string {
	if x.Host == "" || strings.Contains(x.Name, x.Host) || strings.HasPrefix(x.Host, x.Name) {
		return ""
	}
	return " on " + x.Host
}

// missingOf names the agents of which intervals never came.
func (a *Agents) missingOf() string {
	var all []string
	for i := range a.Agents {
		if x := &a.Agents[i]; x.Missing > 0 {
			all = append(all, fmt.Sprintf("%s (%d)", x.Name, x.Missing))
		}
	}
	return units.List(all, 5)
}
