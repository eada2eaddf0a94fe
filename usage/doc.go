// Package usage measures what a piece of a program uses, over all the threads that
// work for it: real, user and system time, memory allocated, what the garbage
// collector took, and how the work was spread over threads or workers.
//
//	u := usage.MeasureNamed("parallelSort", func() { parallelSort(xs) })
//	fmt.Println(u)
//
// prints
//
//	Results for parallelSort
//	real  0m0.863s
//	user  0m9.200s
//	sys   0m0.000s
//	mem   344.0B
//
// and %+v prints all figures, each with what it is and how fine, and the threads.
// Two measurements are held against each other with [Compare]:
//
//	fmt.Println(usage.Compare(seq, par)) // speed-up, extra CPU, efficiency, cores busy
//
// A program that measures several tasks hands the results to a [Listener]:
//
//	c := usage.Config{Listener: usage.NewPrinter(os.Stdout)}
//	c.Name = "sequentialSort"
//	c.Measure(func() { slices.Sort(xs) })
//
// # Who did the work
//
// The scheduler of Go moves goroutines between threads, so that the figures of a
// thread are not those of a task: they say how many processors worked, and how
// evenly. For figures that belong to a worker, run the tasks on a [Pool], whose
// workers keep their threads:
//
//	p := usage.NewPool(6)
//	defer p.Close()
//	for _, t := range tasks {
//		p.Go(t)
//	}
//	p.Wait()
//	fmt.Println(p.Workers()) // of each worker: tasks, and sum, min, avg, max of wall and CPU time
//
// # What is exact and what is not
//
// Real time and CPU time are read in nanoseconds; the edges of a measurement add
// a few microseconds to them. How CPU time divides into user and system time is
// sampled by most kernels at their timer tick, every 1 to 10 ms: of a task of a few
// ticks the division means little, while the sum stays good. Bytes and objects are
// counts of the runtime, those of all goroutines that run meanwhile, because there
// is no counter per goroutine. The CPU time of the garbage collector is an estimate
// of the runtime, which it renews only when a collection ends.
//
// One run is one draw: none of these figures has an interval. For a claim, use
// tare bench, or tare time for whole programs.
//
// # One at a time
//
// Two measurements at the same time would each count the other's work. So the
// package has one lock, its only global: a measurement waits until no other runs.
// A task must therefore not measure itself: it would wait for itself for ever.
//
// # Other systems
//
// Figures per thread and per worker are read on Linux only. What a system does not
// tell is named, with the reason, in [Usage.NotAvailable], and is never printed as 0.
package usage
