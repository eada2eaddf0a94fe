// Package usage measures a task of a program over all its threads: real, user and
// system time, memory allocated, the work of the garbage collector, and the
// distribution of CPU time over threads or workers.
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
// and %+v prints all figures, with meaning and resolution, and the threads.
// [Compare] compares two measurements:
//
//	fmt.Println(usage.Compare(seq, par)) // speed-up, extra CPU, efficiency, cores busy
//
// A program that measures several tasks hands the results to a [Listener]:
//
//	c := usage.Config{Listener: usage.NewPrinter(os.Stdout)}
//	c.Name = "sequentialSort"
//	c.Measure(func() { slices.Sort(xs) })
//
// # Threads and workers
//
// Go's scheduler moves goroutines between threads. So the figures of a thread are not
// those of a goroutine; they show how many processors worked, and how evenly. For
// figures of a worker, run the tasks on a [Pool], whose workers keep their threads:
//
//	p := usage.NewPool(6)
//	defer p.Close()
//	for _, t := range tasks {
//		p.Go(t)
//	}
//	p.Wait()
//	fmt.Println(p.Workers()) // of each worker: tasks, and sum, min, avg, max of wall and CPU time
//	fmt.Println(p.Allocated()) // of each worker: bytes allocated, estimated, with an interval
//
// # Precision
//
// Real time and CPU time are read in nanoseconds; reading them adds a few
// microseconds. Most kernels divide CPU time into user and system time by samples at
// their timer tick, every 1 to 10 ms: for a task of a few ticks the division is
// unreliable, while the sum is precise. That of a thread is known in steps of 10 ms only.
// Bytes and objects are counts of the runtime. They include all goroutines that run
// meanwhile, because there is no counter for a goroutine; [Pool.Allocated] estimates
// those of workers by the runtime's samples. The CPU time of the garbage collector is an estimate of the runtime,
// which it updates only when a collection ends.
//
// A single run has no interval. To prove a difference, use tare bench, or tare time
// for whole programs.
//
// # One measurement at a time
//
// Two measurements at the same time would each count the other's work. So the
// package has one lock, its only global: a measurement waits until no other runs. A
// task must not measure itself, because it would wait forever.
//
// # Other systems
//
// Figures for threads and workers are available on Linux only. [Usage.NotAvailable]
// names all figures that are not available, with the reason. They are never printed
// as 0.
package usage
