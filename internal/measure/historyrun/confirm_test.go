package historyrun

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/stat"
)

// TestToConfirm: the largest unconfirmed suspects come first, each with commits a few measured commits before and after.
// Gaps are left out.
func TestToConfirm(t *testing.T) {
	points := lineOf(30)
	row := func(name string, suspects ...trend.Suspect) *trend.Row {
		r := &trend.Row{Key: history.Key{Name: name}, Suspects: suspects}
		for range points {
			r.Medians = append(r.Medians, 1)
		}
		return r
	}
	at := func(i int, ratio float64, state string) trend.Suspect {
		return trend.Suspect{LevelShift: stat.LevelShift{At: i, Ratio: ratio}, State: state}
	}
	gaps := row("gaps", at(15, 0.5, trend.NotConfirmed))
	for _, i := range []int{11, 12, 17, 18} {
		gaps.Medians[i] = math.NaN()
	}
	tr := &trend.Trends{Points: points, Rows: []*trend.Row{
		row("small", at(10, 1.05, trend.NotConfirmed), at(20, 1.2, history.Confirmed)), gaps, row("ends", at(3, 1.3, history.Undecided), at(29, 1.1, trend.NotConfirmed)), row("refuted", at(5, 3, history.Refuted)),
	}}
	var got []string
	index := func(c trend.Commit) (i int) {
		fmt.Sscanf(c.Hash, "%x", &i)
		return i
	}
	for _, a := range ToConfirm(tr, 10) {
		got = append(got, fmt.Sprintf("%s %d-%d", a.Row.Name, index(a.Before), index(a.After)))
	}
	if want := "[gaps 13-16 ends 0-6 ends 25-29 small 6-13]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if n := len(ToConfirm(tr, 2)); n != 2 {
		t.Error(n)
	}
}
