package bisectrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// meter measures one metric of the benchmark on the sides of a sequence. Forks that an earlier run measured come first.
type meter struct {
	seq     *benchrun.Sequence
	metric  string
	ready   map[int][]outcome // by side
	again   map[int]bool      // other processes used the processors during the side's last fork
	values  map[int][]float64 // all that were returned
	skipped map[int]string
}

func newMeter(seq *benchrun.Sequence, metric string) *meter {
	return &meter{seq: seq, metric: metric, ready: map[int][]outcome{}, again: map[int]bool{}, values: map[int][]float64{}, skipped: map[int]string{}}
}

// fork returns the value of the next fork of a side, the median of its iterations. why is not empty if the side cannot
// be measured. A fork from which others took the processors is repeated once.
func (m *meter) fork(ctx context.Context, i int) (value float64, why string, err error) {
	for {
		o, err := m.next(ctx, i)
		if err != nil {
			return 0, "", err
		}
		if o.failed != "" {
			m.skipped[i] = o.failed
			return 0, o.failed, nil
		}
		if o.disturbed && !m.again[i] {
			m.again[i] = true
			continue
		}
		m.again[i] = false
		x, why := valueOf(o.samples, m.metric)
		if why != "" {
			m.skipped[i] = why
			return 0, why, nil
		}
		m.values[i] = append(m.values[i], x)
		return x, "", nil
	}
}

func (m *meter) next(ctx context.Context, i int) (outcome, error) {
	if ready := m.ready[i]; len(ready) > 0 {
		m.ready[i] = ready[1:]
		return ready[0], nil
	}
	out, why, err := m.seq.Fork(ctx, i)
	switch {
	case err != nil:
		return outcome{}, err
	case why != nil:
		return outcome{failed: why.Error()}, nil
	}
	return outcome{samples: out.Samples, disturbed: out.Fork.Starved}, nil
}

// steady reports whether forks of a side have one value: two are measured, and kept for the search.
func (m *meter) steady(ctx context.Context, i int) (bool, error) {
	var xs []float64
	var kept []outcome
	for range 2 {
		o, err := m.next(ctx, i)
		if err != nil {
			return false, err
		}
		kept = append(kept, o)
		if x, why := valueOf(o.samples, m.metric); o.failed == "" && why == "" {
			xs = append(xs, x)
		}
	}
	m.ready[i] = append(kept, m.ready[i]...)
	return len(xs) == 2 && xs[0] == xs[1], nil
}

// valueOf returns the median of a metric over measured iterations, or why there is none.
func valueOf(samples []*record.Sample, metric string) (x float64, why string) {
	var xs []float64
	var known []string
	for _, s := range samples {
		if s.Phase != record.PhaseMeasure && s.Phase != "" || s.Role != "" {
			continue
		}
		for _, v := range s.V {
			if v.Unit == metric {
				xs = append(xs, v.Value)
			} else if !slices.Contains(known, v.Unit) {
				known = append(known, v.Unit)
			}
		}
	}
	if len(xs) == 0 {
		return 0, fmt.Sprintf("the benchmark does not report %s; it reports %s", metric, strings.Join(known, ", "))
	}
	return stat.Median(xs), ""
}
