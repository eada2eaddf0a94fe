// Package plan decides what is run: the operations of an iteration, the order of the forks, and when to stop.
//
//	p := &plan.Plan{Config: cfg, Seed: seed, Cases: cases}
//	for _, c := range cases {
//		failure, err := p.Calibrate(ctx, run, c) // finds N and the expected time
//	}
//	fmt.Println(p.Estimate()) // what --dry-run prints
//	stop, err := p.Measure(ctx, quit, run, isPrecise)
//
// It starts no process: a [Runner] does, so that tests simulate runs.
package plan
