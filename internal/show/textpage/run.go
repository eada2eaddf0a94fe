package textpage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Machine returns the platform, the processor and the version of Go; "" for what is not known.
func Machine(e record.Env) []string {
	var cpu []string
	if e.CPU != "" {
		cpu = append(cpu, strings.Join(strings.Fields(e.CPU), " "))
	}
	if e.Cores > 0 {
		cpu = append(cpu, units.Plural(e.Cores, "core"))
	}
	if e.GOMAXPROCS > 0 && e.GOMAXPROCS != e.Cores {
		cpu = append(cpu, fmt.Sprintf("GOMAXPROCS %d", e.GOMAXPROCS))
	}
	return []string{strings.Trim(e.OS+"/"+e.Arch, "/"), strings.Join(cpu, ", "), e.Go}
}

// Overhead returns what tare itself adds, as far as it is known.
func Overhead(t record.Overhead, verbose bool) []string {
	var items []string
	add := func(known bool, format, value string) {
		if known {
			items = append(items, fmt.Sprintf(format, value))
		}
	}
	add(t.Loop > 0, "empty loop %s", units.Cost(t.Loop)+"/op")
	add(t.Clock > 0, "clock read %s", units.Cost(t.Clock))
	add(t.Probe > 0, "probe %s", units.Cost(t.Probe))
	add(t.Launcher > 0, "%s per fork", units.Cost(float64(t.Launcher)))
	add(t.Steal > 0 && t.Steal <= 1, "steal %s", units.Percent(t.Steal))
	add(t.Load > 0, "load %s", units.Fixed(t.Load, 1))
	if verbose {
		add(t.Priority != "", "priority %s", t.Priority)
		add(t.Peak > 0, "launcher %s", units.Value("B", float64(t.Peak), 2))
		add(t.Wall > 0, "took %s", units.Duration(time.Duration(t.Wall).Round(100*time.Millisecond)))
		add(t.Planned > 0, "planned %s", units.Duration(time.Duration(t.Planned).Round(100*time.Millisecond)))
	}
	return items
}

// PartialWhy returns why a run is not complete; "" if it is.
func PartialWhy(s *result.Result) string {
	switch {
	case s.Run == nil:
		return ""
	case s.End == nil:
		return "the record was cut off before the run's end"
	case s.End.State != record.EndPartial:
		return ""
	case s.End.Why == "":
		return "the run did not end"
	}
	return s.End.Why
}

// Foot writes what tare itself adds, the notes, and how to repeat the run.
func (p *Page) Foot(s *result.Result, n *Notes, overhead []string) {
	p.Hang(termtext.Dim, "tare: ", overhead...)
	p.Notes(n)
	p.Hang(termtext.Red, "partial: ", PartialWhy(s))
	p.Repeat(s.Run)
}

// About adds the warnings about the whole run, that the machine was busy first. Those of the
// code skip are left out.
func (n *Notes) About(s *result.Result, skip string) {
	n.Run(busy(s)...)
	for _, w := range s.Warnings {
		if w.Code != skip || skip == "" {
			n.Run(w)
		}
	}
}

// busy returns the warning that others had the processors: when the run began, as many processes
// wanted to run as there are processors. It is left out if the forks themselves show it.
func busy(s *result.Result) []result.Warning {
	load := s.Tare.Load
	shared := slices.ContainsFunc(s.Warnings, func(w result.Warning) bool { return w.Code == diagnosis.ProcessorsLost || w.Code == diagnosis.Crowded })
	if s.Run == nil || s.Run.Env.Cores == 0 || load < float64(s.Run.Env.Cores) || shared {
		return nil
	}
	return []result.Warning{result.WarningOf(diagnosis.Warn(diagnosis.Busy, diagnosis.Facts{
		"load": units.Fixed(load, 1), "cores": units.Plural(s.Run.Env.Cores, "core"), "sides": !s.IsLoad() && !s.IsTime(),
	}))}
}

// Rejected returns a sentence for an event that the sampler could not use. A text
// of a record has the names of events, a colon and the reason. used is the event
// that was sampled instead; "" leaves it out.
func Rejected(text, used string) string {
	out := "not available: " + text
	names, reason, _ := strings.Cut(text, ": ")
	if strings.HasPrefix(names, "cycles") && strings.HasPrefix(reason, "this machine has no such counter") {
		out = "no hardware cycle counter on this machine"
	}
	if used != "" {
		out += "; using " + used
	}
	return out
}
