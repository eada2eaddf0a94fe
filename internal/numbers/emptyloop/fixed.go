package emptyloop

// first returns what the first operation of an iteration takes beyond the others, or set-up with the timer on, ns: the
// least that the forks say in which it is more than half. It is 0 if a single one says so on a busy machine.
func (r Row) first() float64 {
	least, count := 0.0, 0
	for _, l := range r.Tried {
		others := r.Ns * float64(l.N-1)
		if l.Ns < 2*others {
			break
		}
		if f := l.Ns - others; count == 0 || f < least {
			least = f
		}
		count++
	}
	if count < 2 && r.Busy {
		return 0
	}
	return least
}

// fixed returns the part of an iteration that does not depend on N, in ns. It is 0 if it is too small to be reported.
//
// If iterations of n operations take a + b·n, the time of a calibration of n operations and the measured time of N give
// a = (calibrated − n·measured/N) / (1 − n/N). The least over all n counts.
func (r Row) fixed() float64 {
	switch {
	case r.Busy || r.N < 1:
		return 0
	case r.N == 1:
		return r.fixedOfOne()
	}
	least, count := 0.0, 0
	for _, l := range r.Tried {
		if 2*l.N > r.N {
			break
		}
		n := float64(l.N)
		if a := (l.Ns - n*r.Ns) / (1 - n/float64(r.N)); count == 0 || a < least {
			least = a
		}
		count++
	}
	if least < max(fixedShare, 2/float64(r.N+1))*r.Ns*float64(r.N) {
		return 0
	}
	return least
}

// fixedOfOne returns the same of iterations of one operation, by forks of more: the least counts.
func (r Row) fixedOfOne() float64 {
	if len(r.Tried) < 2 || r.Tried[0].N != 1 {
		return 0
	}
	one := min(r.Tried[0].Ns, r.Ns)
	least := one
	for _, l := range r.Tried[1:] {
		n := float64(l.N)
		least = min(least, (n*one-l.Ns)/(n-1))
	}
	if least < fixedOfOne*one {
		return 0
	}
	return least
}
