package fork

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/record"
)

// Announcement is the description that a benchmark of package bench sends before its first run:
//
//	{"k":"announce","name":"Queue/cap=64","mode":"time","roles":["producer","consumer"]}
type Announcement struct {
	Name       string                 `json:"name"`            // without "Benchmark" and "-procs"
	Mode       string                 `json:"mode"`            // record.ModeN or record.ModeTime
	SingleShot bool                   `json:"shot,omitempty"`  // one cold operation per process
	Roles      []string               `json:"roles,omitempty"` // of its samples
	Units      map[string]record.Unit `json:"units,omitempty"` // of units that record.UnitOf does not know
}

// maxRoles limits the number of roles, and of units, of a benchmark.
const maxRoles = 1000

func (s *childMessages) addAnnouncement(text []byte) error {
	var a Announcement
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("announce line: %w", err)
	}
	switch {
	case a.Name == "":
		return errors.New("announce line: no name")
	case a.Mode != record.ModeN && a.Mode != record.ModeTime:
		return fmt.Errorf("announce line: %.20q is not a mode", a.Mode)
	case len(a.Roles) > maxRoles || len(a.Units) > maxRoles:
		return fmt.Errorf("announce line: more than %d roles or units", maxRoles)
	}
	if !slices.ContainsFunc(s.announcements, func(b Announcement) bool { return b.Name == a.Name }) {
		s.announcements = append(s.announcements, a)
	}
	return nil
}

// announcement returns a benchmark's announcement, nil if there is none.
func (s *childMessages) announcement(name string) *Announcement {
	for i := range s.announcements {
		if s.announcements[i].Name == name {
			return &s.announcements[i]
		}
	}
	return nil
}

// mergeSamples marks the first warmup iterations as warm-up, which a fork does not know, and merges duplicates.
//
// Package bench and the hooks in testing may both send an iteration. bench knows what its operations are, so
// its values count. From the hooks come only values that bench neither sends nor has testing print.
func (s *childMessages) mergeSamples(warmup int) {
	type key struct {
		iter        int
		role, phase string
	}
	at := map[key]*record.Sample{}
	kept := s.samples[:0]
	for _, x := range s.samples {
		if x.Phase == record.PhaseMeasure && x.Iter <= warmup {
			x.Phase = record.PhaseWarmup
		}
		k := key{x.Iter, x.Role, x.Phase}
		if first := at[k]; first != nil && len(s.announcements) > 0 {
			addMissingValues(first, x, printedUnits(s.samples))
			continue
		}
		at[k] = x
		kept = append(kept, x)
	}
	s.samples = kept
}

// addMissingValues adds to a sample the values of another one of the same iteration that it lacks, except
// the units in except.
func addMissingValues(into, from *record.Sample, except map[string]bool) {
	for _, v := range from.V {
		if _, has := into.V.Get(v.Unit); !has && !except[v.Unit] {
			into.V = append(into.V, v)
		}
	}
}

// printedUnits returns the units that package bench has testing print.
func printedUnits(ss []*record.Sample) map[string]bool {
	out := map[string]bool{"ns/op": true, "MB/s": true, "floor-ns/op": true, "clock-ns": true}
	for _, s := range ss {
		for _, v := range s.V {
			if s.Role != "" {
				out[s.Role+"-"+v.Unit] = true
			}
		}
	}
	return out
}

// isMemoryUnit reports whether a forced garbage collection distorts values of this unit.
func isMemoryUnit(unit string) bool {
	return unit == "B/op" || unit == "allocs/op" || unit == "gc-cycles" || unit == "gc-pause-ns"
}
