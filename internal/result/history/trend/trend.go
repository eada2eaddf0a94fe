package trend

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Selection says what is shown. The zero value is the group with the newest commit, and all units.
type Selection struct {
	Machine   string // beginning of its name or ID
	Toolchain string
	Unit      string
	Keep      func(history.Key) bool // which benchmarks; nil: all. What they share is that of all in any case
}

// Trends are the series of one group.
type Trends struct {
	Measured
	Others    []*Measured // groups that are not shown
	Unit      string      // of the Selection
	Line      int         // commits of the whole line
	Points    []Commit    // those that the group has entries of, the oldest first
	Rows      []*Row      // by package and benchmark; of each the main unit first
	Common    *Row        // what all benchmarks share, as a factor; nil where there are too few of them
	Without   []Gap       // points that have no figure of any benchmark
	Dirty     int         // see Collector
	Elsewhere []string    // see Collector
}

// Gap is a commit without figures.
type Gap struct {
	Commit
	Why string // "" if that is not known
}

// Row is one unit of one benchmark.
type Row struct {
	history.Key
	Unit     string
	Main     bool
	Better   string      // "higher", "lower" or ""
	Exact    bool        // forks of the same commit agree
	Values   [][]float64 // of each point the values of its forks; nil: a gap
	Medians  []float64   // of each point; NaN: a gap
	Gaps     []string    // of each point why there are no values; "" if that is not known
	Same     []int       // of each gap the point that has the same test binary; -1 if there is none
	Suspects []Suspect

	parts []part
}

// NotConfirmed is the state of a suspect that was not measured again. For others see [history.Verdict].
const NotConfirmed = "not confirmed"

// Suspect is a change of level.
type Suspect struct {
	stat.LevelShift
	State   string
	Verdict *history.Verdict // of measuring again; nil if there is none
}

// Worse reports whether the change is to the worse; false too where that is not known.
func (r *Row) Worse(s Suspect) bool {
	return r.Better == record.Lower && s.Ratio > 1 || r.Better == record.Higher && s.Ratio < 1
}

// rowKey names a row.
type rowKey struct {
	history.Key
	unit string
}

// Trends returns the series of the group that is selected, and false if there is none.
func (c *Collector) Trends(o Selection) (*Trends, bool) {
	t := &Trends{Unit: o.Unit, Line: len(c.line), Dirty: c.Dirty}
	var chosen *Measured
	for _, m := range c.Groups() {
		if chosen == nil && strings.HasPrefix(m.Machine, o.Machine) && (o.Toolchain == "" || o.Toolchain == m.Toolchain) {
			chosen = m
		} else {
			t.Others = append(t.Others, m)
		}
	}
	t.Elsewhere = c.Elsewhere
	if chosen == nil {
		return t, false
	}
	t.Measured = *chosen
	t.fill(c.line)
	t.findGaps()
	t.subtractCommon()
	t.Rows = slices.DeleteFunc(t.Rows, func(r *Row) bool { return o.Unit != "" && r.Unit != o.Unit || o.Keep != nil && !o.Keep(r.Key) })
	t.judge()
	return t, true
}

// fill makes the rows.
func (t *Trends) fill(line []Commit) {
	index := map[int]int{} // of points, by the index in the line
	for _, e := range t.entries {
		index[e.at] = 0
	}
	for at := range line {
		if _, ok := index[at]; ok {
			index[at] = len(t.Points)
			t.Points = append(t.Points, line[at])
		}
	}
	rows := map[rowKey]*Row{}
	slices.SortFunc(t.entries, func(a, b placed) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.at, b.at))
	})
	offsets := offsets(t.entries)
	for _, e := range t.entries {
		for i := range e.Series {
			s := &e.Series[i]
			row := rows[rowKey{s.Key, s.Unit}]
			if row == nil {
				row = &Row{Key: s.Key, Unit: s.Unit, Main: s.Main, Better: s.Better, Values: make([][]float64, len(t.Points))}
				rows[rowKey{s.Key, s.Unit}] = row
				t.Rows = append(t.Rows, row)
			}
			row.parts = append(row.parts, part{index[e.at], s.Values, s.N, s.Bin, offsets.factor(e.Sequence, rowKey{s.Key, s.Unit})})
		}
	}
	slices.SortFunc(t.Rows, func(a, b *Row) int {
		return cmp.Or(strings.Compare(a.Pkg, b.Pkg), strings.Compare(a.Name, b.Name), cmp.Compare(a.Procs, b.Procs), mainFirst(a, b), strings.Compare(a.Unit, b.Unit))
	})
	points := t.pointsByHash()
	for _, r := range t.Rows {
		r.finish(t.entries, index, points)
	}
}

func mainFirst(a, b *Row) int {
	switch {
	case a.Main == b.Main:
		return 0
	case a.Main:
		return -1
	}
	return 1
}

// finish joins the parts of each point, computes medians and says what is known of gaps. The metric is exact if the forks of each
// part agree.
func (r *Row) finish(entries []placed, index map[int]int, points map[string]int) {
	r.Exact = !record.IsTime(r.Unit) && !record.IsRate(r.Unit) && !slices.ContainsFunc(r.parts, func(p part) bool { return !p.exact() })
	r.withoutSetUp(r.parts)
	for _, p := range r.parts {
		r.Values[p.at] = slices.Grow(r.Values[p.at], len(p.values))
		for _, x := range p.values {
			r.Values[p.at] = append(r.Values[p.at], x*p.factor)
		}
	}
	r.parts = nil
	r.Medians, r.Gaps, r.Same = make([]float64, len(r.Values)), make([]string, len(r.Values)), slices.Repeat([]int{-1}, len(r.Values))
	for i, xs := range r.Values {
		r.Medians[i] = stat.Median(xs)
	}
	for _, e := range entries {
		for _, g := range e.Gaps {
			if at := index[e.at]; r.Values[at] == nil && (g.Pkg == "" || g.Pkg == r.Pkg) && (g.Name == "" || g.Name == r.Name) {
				r.Gaps[at] = g.Why
				if same, ok := points[g.Same]; ok && r.Values[same] != nil {
					r.Same[at] = same
				}
			}
		}
	}
}

// findGaps finds the points without figures.
func (t *Trends) findGaps() {
	for i, c := range t.Points {
		why, any := "", false
		for _, r := range t.Rows {
			if any = any || r.Values[i] != nil || r.Same[i] >= 0; why == "" {
				why = r.Gaps[i]
			}
		}
		if !any {
			t.Without = append(t.Without, Gap{c, why})
		}
	}
}

// pointsByHash returns the index of each point.
func (t *Trends) pointsByHash() map[string]int {
	out := map[string]int{}
	for i, c := range t.Points {
		out[c.Hash] = i
	}
	return out
}

// Filled returns the medians, those of commits with the same test binary among them.
func (r *Row) Filled() []float64 {
	out := slices.Clone(r.Medians)
	for i, same := range r.Same {
		if same >= 0 {
			out[i] = r.Medians[same]
		}
	}
	return out
}

// subtractCommon finds what the main times of all benchmarks share.
func (t *Trends) subtractCommon() {
	var medians [][]float64
	for _, r := range t.Rows {
		if r.drifts() {
			medians = append(medians, r.Medians)
		}
	}
	if len(medians) < stat.MinCommon {
		return
	}
	common := stat.Common(medians)
	t.Common = &Row{Key: history.Key{Name: "all benchmarks"}, Main: true, Better: record.Lower, Medians: common}
	for _, x := range common {
		t.Common.Values = append(t.Common.Values, []float64{x})
	}
}

// drifts reports whether a row moves with the speed of the machine.
func (r *Row) drifts() bool { return r.Main && record.IsTime(r.Unit) }

// judge searches for suspects in all rows, on all processors.
func (t *Trends) judge() {
	var wg sync.WaitGroup
	rows := make(chan *Row)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for r := range rows {
				r.suspect(t.commonFor(r))
			}
		})
	}
	for _, r := range t.Rows {
		rows <- r
	}
	close(rows)
	wg.Wait()
	if t.Common != nil {
		t.Common.suspect(nil)
	}
	verdicts := t.verdicts()
	for _, r := range t.Rows {
		for i := range r.Suspects {
			s := &r.Suspects[i]
			s.Verdict, s.State = verdicts.about(rowKey{r.Key, r.Unit}, s.At), NotConfirmed
			if s.Verdict != nil {
				s.State = s.Verdict.State
			}
		}
	}
}

// commonFor returns the factors to divide a row by; nil for none.
func (t *Trends) commonFor(r *Row) []float64 {
	if t.Common == nil || !r.drifts() {
		return nil
	}
	return t.Common.Medians
}

// leastChange is the least change of a suspect: a smaller one is printed as 0.0 %. Ranks find it where values hardly vary.
const leastChange = 0.0005

// suspect finds the suspects of a row.
func (r *Row) suspect(common []float64) {
	series := r.Values
	if common != nil {
		series = stat.WithoutCommon(series, common)
	}
	for _, s := range stat.Shifts(series, stat.ShiftOptions{Exact: r.Exact}) {
		if r.Exact || math.Abs(s.Ratio-1) >= leastChange {
			r.Suspects = append(r.Suspects, Suspect{LevelShift: s, State: NotConfirmed})
		}
	}
}
