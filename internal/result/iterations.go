package result

// iterations returns the measured iterations of a unit, a list for each of its fork
// values (see beside), and how many a fork had at most. The lists are what the
// Builder keeps of them, and no copies.
func (c *caseData) iterations(role, main, unit string) (forks [][]float64, most int) {
	from := c.forks
	if len(valuesOf(from, role, unit)) == 0 {
		from, main = c.profiled, unit
	}
	for i := range from {
		s := from[i].role(role)
		if s == nil || s.unit(main) == nil {
			continue
		}
		var values []float64
		if u := s.unit(unit); u != nil {
			values, most = u.values, max(most, u.n)
		}
		forks = append(forks, values)
	}
	return forks, most
}

// iterate adds the iterations to the figures of one role.
func (c *caseData) iterate(r *Benchmark) {
	r.SingleShot = c.line.SingleShot
	r.Iterations, r.Iterated = c.iterations(r.Role, r.Unit, r.Unit)
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Iterations, _ = c.iterations(r.Role, r.Unit, m.Unit)
	}
}
