// Package plan decides what is run: how many operations an iteration has, in
// which order the forks come, and when enough has been measured.
//
//	p := &plan.Plan{Config: cfg, Seed: seed, Cases: cases}
//	for _, c := range cases {
//		failure, err := p.Calibrate(ctx, run, c, firstNs) // finds N and the expected time
//	}
//	fmt.Println(p.Estimate()) // what --dry-run prints
//	stop, err := p.Measure(ctx, quit, run, isPrecise)
//
// It starts no process itself: a [Runner] does, so that the whole package is
// tested without one.
package plan
