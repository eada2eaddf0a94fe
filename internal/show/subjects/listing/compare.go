package listing

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"

	"github.com/tarebench/tare/internal/base/units"
)

// A Comparison says what takes another share of one benchmark's time on two sides.
type Comparison struct {
	cfg      Config
	old, new *listedSide

	regions []compared
	inlined []compared
	areas   []compared

	warnings []Warning
}

// compared is a row of a comparison.
type compared struct {
	name, place string
	old, new    int64 // samples
	d           difference
}

// Compare compares the records of the forks of one case on two sides. Functions and
// areas are matched by name, regions by function and source. With Counts PerOp, times
// for each operation are compared where both sides have them, else shares: of shares,
// one may grow because the others shrank.
//
// With enough forks on both sides (stat.MinForks of 0.95: four) they are the samples:
// rank tests of their values. Else all samples of a side are taken together, as two
// proportions; such an interval does not know how one process differs from the next, and
// its verdicts bear a mark. Verdicts are corrected for the number of rows (Benjamini and
// Hochberg); a difference is the same if its interval lies within one point, or one
// hundredth of the old time.
//
// If samples became too rare to bridge a gap, a region is split on one side only: it seems to have shrunk, and its other part
// to be new. Functions are not split.
//
// The error is about what cannot be merged (see [Merge]) or compared: samples of
// different events.
func Compare(old, new []*record.Asm, c Config) (*Comparison, error) {
	a, err := newListedSide(old, c)
	if err != nil {
		return nil, fmt.Errorf("old side: %w", err)
	}
	b, err := newListedSide(new, c)
	if err != nil {
		return nil, fmt.Errorf("new side: %w", err)
	}
	x, y := &a.l.asm.Events[0], &b.l.asm.Events[0]
	if x.Name != y.Name || x.Precise != y.Precise || x.UserOnly != y.UserOnly {
		return nil, fmt.Errorf("listing: shares of different events cannot be compared: %s, %s", eventName(x), eventName(y))
	}
	if a.l.asm.Window != b.l.asm.Window {
		return nil, errors.New("listing: shares of different windows cannot be compared: " + a.l.asm.Window + ", " + b.l.asm.Window)
	}
	m := &Comparison{cfg: a.l.cfg, old: a, new: b}
	if a.l.unit.counts != b.l.unit.counts { // one side has no times: both are shares
		a.l.unit.counts, b.l.unit.counts = Percent, Percent
	}
	m.compareRows()
	m.compareRegions()
	m.warn()
	return m, nil
}

// Warnings returns the warnings about the comparison.
func (m *Comparison) Warnings() []Warning { return m.warnings }

// compareRows compares functions and areas.
func (m *Comparison) compareRows() {
	rows := func(old, new []row, of func(k *fork) map[string]int64) []compared {
		index := map[string]int{}
		var out []compared
		for _, r := range old {
			index[r.name] = len(out)
			out = append(out, compared{name: r.name, place: r.place, old: r.samples[0]})
		}
		for _, r := range new {
			i, ok := index[r.name]
			if !ok {
				i = len(out)
				out = append(out, compared{name: r.name})
			}
			out[i].place, out[i].new = cmp.Or(r.place, out[i].place), r.samples[0]
		}
		for i := range out {
			n := func(k *fork) int64 { return of(k)[out[i].name] }
			out[i].d = m.difference(out[i].old, out[i].new, n, n)
		}
		return m.judged(out)
	}
	m.inlined = rows(m.old.l.inlined, m.new.l.inlined, func(k *fork) map[string]int64 { return k.inlined })
	m.areas = rows(m.old.l.areas, m.new.l.areas, func(k *fork) map[string]int64 { return k.areas })
}

func (m *Comparison) compareRegions() {
	g := newGlyphs(true)
	for _, p := range matchRegions(m.old.l.regions, m.new.l.regions) {
		r := cmp.Or(p.new, p.old)
		c := compared{name: r.fn.rec.Name, place: r.place(g)}
		if p.old != nil {
			c.old = p.old.samples[0]
		}
		if p.new != nil {
			c.new = p.new.samples[0]
		}
		c.d = m.difference(c.old, c.new, func(k *fork) int64 { return k.regions[p.old] }, func(k *fork) int64 { return k.regions[p.new] })
		m.regions = append(m.regions, c)
	}
	m.regions = m.judged(m.regions)
}

// difference compares a row: n and o say how many of its samples a fork has.
func (m *Comparison) difference(old, new int64, o, n func(k *fork) int64) difference {
	x := part{old, m.old.l.all[0], m.old.scale()}
	y := part{new, m.new.l.all[0], m.new.scale()}
	d := difference{
		old: x.scale * float64(x.n) / float64(x.all),
		new: y.scale * float64(y.n) / float64(y.all),
	}
	a, b := m.old.values(o), m.new.values(n)
	if least := stat.MinForks(confidence); len(a) >= least && len(b) >= least {
		return betweenForks(d, a, b)
	}
	return withinSamples(d, x, y)
}

// judged returns the rows with their verdicts, the largest values first.
func (m *Comparison) judged(rows []compared) []compared {
	ds := make([]*difference, len(rows))
	for i := range rows {
		ds[i] = &rows[i].d
	}
	judge(ds, same*m.old.scale())
	slices.SortFunc(rows, func(a, b compared) int {
		return cmp.Or(
			cmp.Compare(max(b.d.old, b.d.new), max(a.d.old, a.d.new)),
			cmp.Compare(a.name, b.name), cmp.Compare(a.place, b.place), cmp.Compare(b.new, a.new), cmp.Compare(b.old, a.old))
	})
	return rows
}

// trusted reports whether processes are the samples.
func (m *Comparison) trusted() bool {
	least := stat.MinForks(confidence)
	return len(m.old.forks) >= least && len(m.new.forks) >= least
}

func (m *Comparison) warn() {
	add := func(code, text, advice string) {
		m.warnings = append(m.warnings, Warning{Code: code, Text: text, Advice: advice})
	}
	if id := m.old.l.asm.BuildID; id != "" && id == m.new.l.asm.BuildID {
		add("same-binary", "the binary is the same on both sides: what differs is chance", "")
	}
	if least := stat.MinForks(confidence); !m.trusted() {
		add("few-forks", fmt.Sprintf("%s and %s are too few to know how processes differ: intervals are of the sampling alone, and verdicts are not trusted (?)",
			units.Plural(len(m.old.forks), "old fork"), units.Plural(len(m.new.forks), "new fork")), fmt.Sprintf("%d sampled forks a side at least", least))
	}
	for i, s := range []*listedSide{m.old, m.new} {
		for _, w := range s.l.warnings {
			if w.Code == "no-hot-region" || w.Code == "no-function" {
				continue // no code is shown
			}
			w.Text = [...]string{"old: ", "new: "}[i] + w.Text
			m.warnings = append(m.warnings, w)
		}
	}
}

// finite returns x as a JSON value, or nil if x is infinite or NaN, which JSON cannot represent.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
