// Package calibration finds how many operations fill an iteration, also while other processes use the processors.
//
//	s := calibration.New(50 * time.Millisecond)
//	for n, found := int64(1), false; !found; {
//		n, found = s.Next(n, calibration.Iterations(samples)) // of a fork of n operations
//	}
//	fmt.Println(s.Result().N)
//
// The target is for an iteration's own time. That is the wall time that the parent sees, without the time in which the
// process waited for a processor, and without the cost of an iteration that does not depend on N (a collection, the
// world being stopped). The benchmark's timer is exact and is used unless the parent's time contradicts it. A benchmark
// that stops its timer takes longer than its timer shows.
//
// The package starts no process. Time is in ns.
package calibration
