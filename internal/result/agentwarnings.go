package result

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
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
	add := func(w *record.Warn) { out = append(out, WarningOf(w)) }
	if lost := a.gone(record.AgentLost); len(lost) > 0 {
		share, them := "", "it"
		if l.Lost > 0 {
			share = l.lostShare()
		}
		if len(lost) > 1 {
			them = "them"
		}
		add(diagnosis.Warn(diagnosis.AgentLost, diagnosis.Facts{"agents": endings(lost, " was lost"), "lost": share, "them": them, "none": l.Lost == 0}))
	} else if l.Lost > 0 {
		add(diagnosis.WarnForm(diagnosis.AgentLost, "unknown", diagnosis.Facts{"lost": l.lostWords()}))
	}
	if stopped := a.gone(record.AgentStopped); len(stopped) > 0 && len(stopped) < len(a.Agents) {
		add(diagnosis.Warn(diagnosis.AgentStopped, diagnosis.Facts{"agents": endings(stopped, " stopped")}))
	}
	for i := range a.Agents {
		if x := &a.Agents[i]; x.Suspect != "" {
			add(diagnosis.Warn(diagnosis.AgentMachine, diagnosis.Facts{"agent": x.Name + x.hostWords(), "suspicion": x.Suspect}))
		}
	}
	if a.Missing > 0 {
		add(diagnosis.Warn(diagnosis.MissingIntervals, diagnosis.Facts{"intervals": units.Plural(a.Missing, "interval"), "agents": a.missingOf()}))
	}
	if a.Fewer > 0 {
		add(diagnosis.Warn(diagnosis.FewerAgents, diagnosis.Facts{"fewer": a.Fewer, "intervals": units.Plural(a.Intervals, "interval"), "agents": a.whole, "least": a.Least}))
	}
	edge := int64(ofInterval * float64(a.interval))
	if edge > 0 && a.ClockError > edge {
		add(diagnosis.Warn(diagnosis.ClocksApart, diagnosis.Facts{"error": units.Time(a.ClockError)}))
	}
	if edge > 0 && a.StartSpread > edge {
		add(diagnosis.Warn(diagnosis.StartsApart, diagnosis.Facts{"after": units.Time(a.StartSpread)}))
	}
	if a.Differ {
		add(diagnosis.Warn(diagnosis.CountsDiffer, nil))
	}
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
