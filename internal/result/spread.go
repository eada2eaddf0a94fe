package result

import (
	"math"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// overBlocks replaces the intervals of a run that was spread over a time by those over its blocks: forks of one block
// saw the machine at one time. Figures that do not vary keep theirs.
func (c *caseData) overBlocks(r *Benchmark, config *record.Config, confidence float64) {
	if config.Spread <= 0 || r.Forks == 0 {
		return
	}
	r.Interval, r.Confidence = c.blockInterval(r.Role, r.Unit, r.Interval, r.Confidence, config, confidence)
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Interval, _ = c.blockInterval(r.Role, m.Unit, m.Interval, 0, config, confidence)
	}
}

func (c *caseData) blockInterval(role, unit string, have Interval, coverage float64, config *record.Config, confidence float64) (Interval, float64) {
	var xs []float64
	var blocks []int
	for i := range c.forks {
		if s := c.forks[i].role(role); s != nil {
			if u := s.unit(unit); u != nil {
				xs, blocks = append(xs, u.median), append(blocks, config.Block(c.forks[i].line.Round))
			}
		}
	}
	if len(xs) == 0 || have.Lo == have.Hi || math.IsNaN(float64(have.Median)) {
		return have, coverage
	}
	iv := stat.BlockInterval(xs, blocks, record.MinBlocks, confidence)
	return Interval{have.Median, Number(iv.Lo), Number(iv.Hi)}, iv.Confidence
}
