// Package calibration finds how many operations fill an iteration, also where other processes take the processors.
//
//	s := calibration.New(50 * time.Millisecond)
//	for n, found := int64(1), false; !found; {
//		n, found = s.Next(n, calibration.Iterations(samples)) // of a fork of n operations
//	}
//	fmt.Println(s.Result().N)
//
// An iteration is to take the target time of its own: the wall time that the parent sees, without the time in which the
// process waited for a processor, and without the cost of an iteration that does not depend on N (a collection, the
// world being stopped). The benchmark's own timer is believed where nothing speaks against it, because it is exact; a
// benchmark that stops its timer takes longer than it says.
//
// The package starts no process. Time is in ns.
package calibration
