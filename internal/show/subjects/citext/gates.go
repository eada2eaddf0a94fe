package citext

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
)

// found returns what gates found with one state.
func (s *Summary) found(state string) []result.Gated {
	if s.Result == nil {
		return nil
	}
	return s.Result.GatesIn(state)
}

// lost returns what the base has and the change has not.
func (s *Summary) lost() []result.Lost {
	if s.Result == nil {
		return nil
	}
	return s.Result.NamedLost()
}

// rows returns how many rows were missed, not decided and passed.
func (s *Summary) rows() result.GateCounts {
	if s.Result == nil || s.Result.GateCounts == nil {
		return result.GateCounts{}
	}
	return *s.Result.GateCounts
}

// counts returns the first line of the summary where a gate was missed, is not decided, or something was lost; "" elsewhere.
func (s *Summary) counts() string {
	missed, lost, rows := len(s.found(result.GateMissed)), len(s.lost()), s.rows()
	if missed+lost+rows.NotDecided == 0 {
		return ""
	}
	var words []string
	if missed > 0 {
		words = append(words, units.Plural(missed, "gate")+" missed")
	}
	if rows.NotDecided > 0 {
		words = append(words, fmt.Sprintf("%d not decided", rows.NotDecided))
	}
	if rows.Passed > 0 {
		words = append(words, fmt.Sprintf("%d passed", rows.Passed))
	}
	if lost > 0 {
		words = append(words, units.Plural(lost, "benchmark")+" lost")
	}
	return strings.Join(words, ", ")
}

// gates writes what was lost, then gates that were missed, then those that are not decided.
func (s *Summary) gates(b *strings.Builder) {
	var list []string
	for _, l := range s.lost() {
		what := map[string]string{result.GateMissed: ", a missed gate", result.GateNotDecided: ", not decided", result.GateLost: ", which passes", "": ", under no gate"}
		list = append(list, "**lost**"+what[s.Result.GateOfLost(&l)]+": "+markdown.Text(charset.Head(l.String(), maxText)))
	}
	for _, state := range []string{result.GateMissed, result.GateNotDecided} {
		for _, g := range s.found(state) {
			if g.IsLost() {
				continue
			}
			how := "gate "
			if state == result.GateNotDecided {
				how = "not decided: gate "
			}
			list = append(list, how+markdown.Code(g.Gate)+": "+markdown.Text(charset.Head(g.Text, maxText)))
		}
	}
	for i, item := range list {
		if i == maxListed {
			fmt.Fprintf(b, "- and %d more\n", len(list)-i)
			return
		}
		fmt.Fprintf(b, "- %s\n", item)
	}
}
