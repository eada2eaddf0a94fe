package loadtext

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
)

// fewCoincidences is how many slow intervals a text tells of unless it is verbose.
const fewCoincidences = 3

// coincidences prints the slow intervals in which something else happened, too.
func (t *view) coincidences(all []result.Coincidence) {
	lines := t.coincidenceLines(all)
	for _, text := range lines {
		t.Hang(termtext.Yellow, "slow: ", text)
	}
	if len(lines) > 0 {
		t.Items(termtext.Dim, NoCause)
	}
}

// NoCause follows the slow intervals.
const NoCause = "slow intervals are those with an unusual p99; what happened in the same interval need not be the cause"

func (t *view) coincidenceLines(all []result.Coincidence) (lines []string) {
	for i := range all {
		if !t.Verbose && i == fewCoincidences {
			lines = append(lines, fmt.Sprintf("%d more intervals with -v", len(all)-i))
			break
		}
		lines = append(lines, all[i].Text)
	}
	return lines
}

// server returns what the server took, one item each; none if it was not watched.
func server(u *result.ServerUse) []string {
	if u == nil {
		return nil
	}
	var items []string
	if u.RSS > 0 {
		items = append(items, "server: "+units.Fixed(u.Cores, 2)+" cores")
		if !u.Unknown {
			items = append(items, "waited "+units.Time(u.Delay)+" for a processor")
		}
		if u.Stopped > 0 {
			items = append(items, "was stopped for "+units.Time(u.Stopped))
		}
		items = append(items, "memory up to "+units.Bytes(u.RSS))
	}
	if u.Majflt > 0 {
		items = append(items, units.Plural(u.Majflt, "page")+" read from a disk")
	}
	if u.GCs > 0 {
		if len(items) == 0 {
			items = append(items, "server")
		}
		items = append(items, fmt.Sprintf("%s, stopped for %s in all", units.Plural(u.GCs, "garbage collection"), units.Time(u.Pause)))
	}
	return items
}
