package instrument

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/tarebench/tare/record"
)

// Read returns the counts of a process that has ended or still runs. The error wraps ErrNotRun if no process has
// started.
func Read(path string, w *Build) (*record.Trace, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := decode(b, w)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func decode(b []byte, w *Build) (*record.Trace, error) {
	d := &decoder{b: b, funcs: len(w.Funcs)}
	if err := d.header(); err != nil {
		return nil, err
	}
	tick, err := d.tick()
	if err != nil {
		return nil, err
	}
	f, err := d.readForest()
	if err != nil {
		return nil, err
	}
	m := newRecordBuilder(d, f, w, tick)
	m.functions()
	if m.t.Mode != record.TraceCount {
		m.tree()
		m.path()
	}
	if err := m.t.Validate(); err != nil {
		return nil, damaged("%w", err)
	}
	return m.t, nil
}

// recordBuilder converts a forest to a record.
type recordBuilder struct {
	d      *decoder
	f      *forest
	t      *record.Trace
	tick   float64 // ns
	every  bool
	inside float64 // overhead inside the timed interval, ticks
	loose  float64 // overhead inside the timed interval of calls that are not timed exactly, ticks
	unit   float64 // overhead outside of it, ticks per unit of a probe
}

func newRecordBuilder(d *decoder, f *forest, w *Build, tick float64) *recordBuilder {
	m := &recordBuilder{d: d, f: f, tick: tick, inside: d.float(0, hdrInside), loose: d.float(0, hdrLooseIn), unit: d.float(0, hdrOutside) / unit}
	m.t = &record.Trace{
		Mode: record.TraceExact, Clock: record.TraceCycles, Tick: d.step(tick),
		Ended: d.word(0, hdrEnded) == 1, Goroutines: int64(f.goroutines),
		Lost: int64(f.lost), System: int64(d.word(0, hdrSystem)),
		Probe: record.TraceProbe{
			Outside: d.float(0, hdrOutside) * tick,
			Inside:  d.float(0, hdrInside) * tick,
			Light:   d.float(0, hdrLight) * tick,
			Loose:   d.float(0, hdrLoose) * tick,
		},
	}
	if d.word(0, hdrClock) == clockKernel {
		m.t.Clock = record.TraceMonotonic
	}
	switch every := d.word(0, hdrEvery); {
	case d.word(0, hdrCounts) != 0:
		m.t.Mode = record.TraceCount
	case every > 1:
		m.t.Mode, m.t.Every, m.every = record.TraceEvery, int64(every), true
	default:
		m.t.Probe.Light = 0
	}
	for _, l := range w.Skipped {
		m.t.Left = append(m.t.Left, record.TraceLeft{Name: l.Name, Why: l.Why})
	}
	for _, fn := range w.Funcs {
		m.t.Funcs = append(m.t.Funcs, record.TraceFunc{Name: fn.Name, File: fn.File, Line: fn.Line})
	}
	return m
}

// raw and corrected return the ticks of all calls of a part, with and without the probes' overhead.
func (m *recordBuilder) raw(p *callSet) float64 {
	if !m.every {
		return p.sum
	}
	return p.estimate(p.sum, p.headSum)
}

func (m *recordBuilder) corrected(p *callSet) float64 {
	sum := p.sum - float64(p.timed-p.loose)*m.inside - float64(p.loose)*m.loose - p.inner*m.unit
	if !m.every {
		return sum
	}
	return p.estimate(sum, p.headSum-float64(p.heads)*m.inside-p.headInner*m.unit)
}

func (m *recordBuilder) variance(t *tally, p *callSet, estimate float64) float64 {
	if !m.every {
		return 0
	}
	return t.variance(p, estimate)
}

// functions sums the elements of the tree by function.
func (m *recordBuilder) functions() {
	all := make([]tally, len(m.t.Funcs))
	self, total := make([][2]float64, len(all)), make([][2]float64, len(all))
	counted := 0.0
	variance := make([][2]float64, len(all)) // of total and self time, not corrected
	m.f.walk(func(n *node) {
		all[n.fn].add(&n.tally)
		outer := n.callSet.without(n.nested)
		sum := m.raw(&outer)
		total[n.fn][0] += sum
		total[n.fn][1] += m.corrected(&outer)
		raw, corrected := m.raw(&n.callSet), m.corrected(&n.callSet)
		of := m.variance(&n.tally, &n.callSet, raw)
		variance[n.fn][0] += m.variance(&n.tally, &outer, sum)
		variance[n.fn][1] += of
		self[n.fn][0] += raw
		self[n.fn][1] += corrected
		if up := n.from; up != m.f.root && up.calls > 0 {
			variance[up.fn][1] += of
			self[up.fn][0] -= raw
			self[up.fn][1] -= corrected
		}
	})
	for i := range all {
		fn, t, also := &m.t.Funcs[i], &all[i], &m.f.funcs[i]
		t.calls += m.f.counts[i] + m.f.over[i]
		fn.Untimed = int64(m.f.over[i])
		fn.Calls, fn.Timed, fn.Panics, fn.Goexits = int64(t.calls), int64(t.timed), int64(t.panics), int64(t.goexits)
		fn.Open, fn.Goroutines = int64(min(also.active, t.calls)), int64(min(also.goroutines, t.calls))
		m.t.Calls += fn.Calls
		fn.Total, fn.Corrected = m.ns(total[i][0]), m.ns(total[i][1])
		fn.Self, fn.CorrectedSelf = m.ns(self[i][0]), m.ns(self[i][1])
		fn.Error, fn.SelfError = m.ns(math.Sqrt(variance[i][0])), m.ns(math.Sqrt(variance[i][1]))
		fn.Dominated = fn.Total > 0 && (fn.Corrected < 0.2*fn.Total || 2*t.loose > t.timed)
		fn.Min, fn.Max, fn.Mean = m.ns(t.min), m.ns(t.max), m.ns(t.mean)
		fn.Squares = t.squares * m.tick * m.tick
		fn.Hist = m.buckets(t.hist)
		fn.Loose = int64(t.loose)
		counted += float64(m.f.counts[i])
	}
	m.t.Added = m.ns(m.f.probes*m.unit) + counted*m.t.Probe.Light
}

// ns converts ticks to ns. A negative estimate is reported as zero.
func (m *recordBuilder) ns(ticks float64) float64 { return max(ticks*m.tick, 0) }

func (m *recordBuilder) buckets(hist map[[2]int]uint64) (out []record.TraceBucket) {
	for at, n := range hist {
		from, to := bucket(at[0], at[1])
		out = append(out, record.TraceBucket{From: from * m.tick, To: to * m.tick, N: int64(n)})
	}
	slices.SortFunc(out, func(a, b record.TraceBucket) int { return cmp.Compare(a.From, b.From) })
	return out
}

// tree adds the elements of the tree to the record.
func (m *recordBuilder) tree() {
	at := map[*node]int{m.f.root: -1}
	self := make(map[*node][2]float64)
	m.f.walk(func(n *node) {
		c := record.TraceCall{
			Func: n.fn, Parent: at[n.from], Calls: int64(n.calls), Timed: int64(n.timed),
			Total: m.ns(m.raw(&n.callSet)), Corrected: m.ns(m.corrected(&n.callSet)),
		}
		c.Error = m.ns(math.Sqrt(m.variance(&n.tally, &n.callSet, m.raw(&n.callSet))))
		if n.to != n {
			c.Back = 1
			for up := n.from; up != n.to; up = up.from {
				c.Back++
			}
		}
		at[n] = len(m.t.Tree)
		m.t.Tree = append(m.t.Tree, c)
		raw, corrected := m.raw(&n.callSet), m.corrected(&n.callSet)
		s := self[n.to]
		self[n.to] = [2]float64{s[0] + raw, s[1] + corrected}
		if up := n.from; up != m.f.root {
			s := self[up]
			self[up] = [2]float64{s[0] - raw, s[1] - corrected}
		}
	})
	for n, s := range self {
		c := &m.t.Tree[at[n]]
		c.Self, c.CorrectedSelf = m.ns(s[0]), m.ns(s[1])
	}
}

// path adds the execution path to the record.
func (m *recordBuilder) path() {
	var first uint64
	for i := uint64(0); i < m.d.word(0, hdrSteps); i++ {
		at := pathAt + i*stepBytes
		id := m.d.word(at, stepID)
		if id == 0 || id > uint64(len(m.t.Funcs)) {
			continue // the process ended before it was written
		}
		begin, end := m.d.word(at, stepBegin), m.d.word(at, stepEnd)
		if len(m.t.Path) == 0 {
			first = begin
		}
		s := record.TraceStep{Func: int(id) - 1, Goroutine: int64(m.d.word(at, stepGoid)), Begin: float64(int64(begin-first)) * m.tick, Length: -1}
		if end != 0 {
			s.Length = m.ns(float64(int64(end - begin)))
		}
		m.t.Path = append(m.t.Path, s)
	}
	m.t.PathMore = max(m.t.Calls-int64(len(m.t.Path)), 0)
}
