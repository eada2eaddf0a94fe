package result

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// Codes of warnings about runs of several load generators.
const (
	CodeAgentLost        = "agent-lost"        // an agent was lost: operations that fell due for it are in no figure
	CodeAgentStopped     = "agent-stopped"     // an agent ended before the others
	CodeAgentMachine     = "agent-machine"     // an agent's own machine may be at fault
	CodeMissingIntervals = "missing-intervals" // what agents counted in some intervals never came
	CodeFewerAgents      = "fewer-agents"      // some intervals are of fewer agents
	CodeClocksApart      = "clocks-apart"      // clocks of agents agree only within a large part of an interval
	CodeStartsApart      = "starts-apart"      // agents started far from each other
	CodeCountsDiffer     = "counts-differ"     // the counts of the agents do not add up
)

// ofInterval is the part of an interval by which clocks and starts of agents may differ without a warning.
const ofInterval = 1.0 / 20

// agentWarnings returns what is to be said of the load generators of a phase.
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
	lost := a.gone(record.AgentLost)
	add(len(lost) > 0 || l.Lost > 0, CodeAgentLost, "measure again; --on-loss stop ends a run at once, --on-loss redistribute has the others take over", "%s", l.lossWords())
	if stopped := a.gone(record.AgentStopped); len(stopped) < len(a.Agents) {
		add(len(stopped) > 0, CodeAgentStopped, "see the output of the agent", "%s before the end of the phase", endings(stopped, "stopped"))
	}
	for i := range a.Agents {
		x := &a.Agents[i]
		add(x.Suspect != "", CodeAgentMachine, "its latencies may be those of its machine, and not of the system: give it fewer operations, or leave it out", "agent %s%s: %s", x.Name, x.hostWords(), x.Suspect)
	}
	add(a.Missing > 0, CodeMissingIntervals, "--resume gathers what agents have kept", "%s never came, of %s: the latencies in them are in no percentile", units.Plural(a.Missing, "interval"), a.missingOf())
	add(a.Fewer > 0, CodeFewerAgents, "compare rates of the other intervals only", "%s of %s are of fewer than %d agents, one of %d: they have less than was asked for, or than was counted", units.Count(a.Fewer), units.Plural(a.Intervals, "interval"), a.whole, a.Least)
	edge := int64(ofInterval * float64(a.interval))
	add(edge > 0 && a.ClockError > edge, CodeClocksApart, "a nearer controller, or a longer --status-interval; latencies do not depend on it", "the clocks of the agents are known only to ± %s: what happened within that of the edge of an interval may count in the next one", units.Time(a.ClockError))
	add(edge > 0 && a.StartSpread > edge, CodeStartsApart, "a quieter machine for the agents that began late; the first interval has less of them", "the agents did not start together: the last began %s after the first", units.Time(a.StartSpread))
	add(a.Differ, CodeCountsDiffer, "the record is incomplete or damaged", "the counts of the agents do not add up to those of the phase")
	return out
}

// lossWords returns what fell due for agents that were lost, and when they were; "" if none was.
func (l *Load) lossWords() string {
	if l.Agents == nil {
		return l.lostWords()
	}
	who := endings(l.Agents.gone(record.AgentLost), "was lost")
	switch {
	case l.Lost == 0 && who == "":
		return ""
	case l.Lost == 0:
		return who + "; nothing fell due for it that others did not send"
	case who == "":
		return l.lostWords()
	}
	return l.lostWords() + ": " + who
}

// lostWords returns how many operations fell due for agents that were lost; "" if none did.
func (l *Load) lostWords() string {
	if l.Lost == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s) fell due for agents that were lost: they were not sent, or what became of them is not known",
		units.Plural(l.Lost, "operation"), units.Percent(float64(l.Lost)/float64(max(l.Scheduled, 1))))
}

// endings returns when each of some agents ended, and why.
func endings(of []Agent, how string) string {
	var all []string
	for i := range of {
		x := &of[i]
		text := fmt.Sprintf("agent %s%s %s", x.Name, x.hostWords(), how)
		if x.Ended > 0 {
			text += " after " + units.Span(float64(x.Ended))
		}
		if x.Why != "" {
			text += " (" + x.Why + ")"
		}
		all = append(all, text)
	}
	return units.List(all, 5)
}

// hostWords names the machine of an agent whose name does not.
func (x *Agent) hostWords() string {
	if x.Host == "" || strings.Contains(x.Name, x.Host) {
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
