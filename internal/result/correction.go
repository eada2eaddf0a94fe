package result

import "github.com/tarebench/tare/stat"

// correct adjusts p within each unit over the table and decides anew.
func (b *Builder) correct(rows []Comparison) {
	how := stat.BenjaminiHochberg
	if b.run != nil {
		switch b.run.Config.Correction {
		case Holm:
			how = stat.Holm
		case NoCorrection:
			return
		}
	}
	Correct(rows, how)
}

// Correct corrects the p values of each unit's rows as one family and judges
// the rows anew. A table that was judged by one correction can be judged again
// by another, as gates do.
func Correct(rows []Comparison, how func(ps []float64) []float64) {
	families := map[string][]int{}
	for i, r := range rows {
		if r.Verdict != string(stat.Identical) {
			families[r.Side+"\x00"+r.Unit] = append(families[r.Side+"\x00"+r.Unit], i)
		}
	}
	for _, family := range families {
		results := make([]stat.Comparison, len(family))
		for j, i := range family {
			results[j] = rows[i].result
		}
		for j, r := range stat.Adjust(results, how) {
			rows[family[j]].judge(r)
		}
	}
}

// geomeans summarise the main units. It takes two benchmarks to have a mean. Pairs that look renamed are left out.
func geomeans(rows []Comparison, confidence float64) []Geomean {
	ratios := map[string][]float64{}
	var units []string
	for _, r := range rows {
		if !r.Main || r.Renamed != nil {
			continue
		}
		if ratios[r.Unit] == nil {
			units = append(units, r.Unit)
		}
		ratios[r.Unit] = append(ratios[r.Unit], float64(r.Ratio))
	}
	var out []Geomean
	for _, u := range units {
		if len(ratios[u]) < 2 {
			continue
		}
		e := stat.GeoMeanInterval(ratios[u], 0, confidence, 0)
		out = append(out, Geomean{rows[0].Base, rows[0].Side, u, len(ratios[u]), Number(e.Value), Number(e.Lo), Number(e.Hi)})
	}
	return out
}

// Worse returns how much worse the new side is, as a ratio above 1, whichever
// direction of the unit is the better one, and the least that the interval
// allows.
func (c *Comparison) Worse() (ratio, least float64) {
	if c.result.Options.HigherIsBetter {
		return 1 / float64(c.Ratio), 1 / float64(c.Hi)
	}
	return float64(c.Ratio), float64(c.Lo)
}
