package fork

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/record"
)

// Announcement is what a benchmark of package bench says of itself, before it
// first runs:
//
//	{"k":"announce","name":"Queue/cap=64","mode":"time","roles":["producer","consumer"]}
type Announcement struct {
	Name  string                 `json:"name"`            // without "Benchmark" and "-procs"
	Mode  string                 `json:"mode"`            // record.ModeN or record.ModeTime
	Shot  bool                   `json:"shot,omitempty"`  // wants one cold operation per process
	Roles []string               `json:"roles,omitempty"` // those of its samples
	Units map[string]record.Unit `json:"units,omitempty"` // what cannot be told from the unit's name
}

// maxRoles bounds what a benchmark may have of roles and of units.
const maxRoles = 1000

func (s *said) takeAnnouncement(text []byte) error {
	var a Announcement
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("announce line: %w", err)
	}
	switch {
	case a.Name == "":
		return errors.New("announce line: no name")
	case a.Mode != record.ModeN && a.Mode != record.ModeTime:
		return fmt.Errorf("announce line: %.20q is no mode", a.Mode)
	case len(a.Roles) > maxRoles || len(a.Units) > maxRoles:
		return fmt.Errorf("announce line: more than %d roles or units", maxRoles)
	}
	if !slices.ContainsFunc(s.announce, func(b Announcement) bool { return b.Name == a.Name }) {
		s.announce = append(s.announce, a)
	}
	return nil
}

// announced finds what a benchmark said of itself.
func (s *said) announced(name string) *Announcement {
	for i := range s.announce {
		if s.announce[i].Name == name {
			return &s.announce[i]
		}
	}
	return nil
}

// settle makes the samples of a fork what they count as. The fork numbers its
// iterations; how many of them are warm-up is ours to say.
//
// Where two speakers sent the same iteration, package bench and testing with
// hooks, the first knows what its operations are; from the other comes only what
// is not among the figures that bench has testing print, too.
func (s *said) settle(warmup int) {
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
		if first := at[k]; first != nil && len(s.announce) > 0 {
			adopt(first, x, spoken(s.samples))
			continue
		}
		at[k] = x
		kept = append(kept, x)
	}
	s.samples = kept
}

// adopt gives a sample what another knows besides of the same iteration.
func adopt(into, from *record.Sample, but map[string]bool) {
	for _, v := range from.V {
		if _, has := into.V.Get(v.Unit); !has && !but[v.Unit] {
			into.V = append(into.V, v)
		}
	}
}

// spoken are the units that package bench has testing print.
func spoken(ss []*record.Sample) map[string]bool {
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

// ofMemory are units that a forced collection disturbs.
func ofMemory(unit string) bool {
	return unit == "B/op" || unit == "allocs/op" || unit == "gc-cycles" || unit == "gc-pause-ns"
}
