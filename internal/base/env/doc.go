// Package env describes this machine and how noisy it is.
//
// The description goes into the run line of every record file:
//
//	m := env.Describe()
//	fmt.Println(m.CPU, m.Cores, m.ClockSource, m.Virtual())
//
// CPU times are read before and after each fork, for the time that a hypervisor stole. The reader keeps the
// file open and allocates nothing:
//
//	r, err := env.OpenCPU()
//	if err != nil {
//		return err // not available: omit the value, never write zero
//	}
//	defer r.Close()
//	before, err := r.Read()
//	// … run the fork …
//	after, err := r.Read()
//	stolen, share := env.Steal(before, after)
//
// "tare doctor" shows what stands in the way of a good measurement:
//
//	w := clock.Measure()
//	found, err := env.Examine(ctx, env.Config{ClockRead: w.Read, ClockResolution: w.Resolution})
//	for _, f := range found {
//		fmt.Printf("%-4s  %-10s  %s → %s\n", f.Level, f.Name, f.Text, f.Advice)
//	}
//
// # How it is built
//
// Almost everything is read from files under /proc and /sys, through a host. A host has a root, so that tests
// can present other machines (testdata/*.txtar: a quiet laptop, a noisy virtual machine, a container with a
// quota, arm64, garbage). A probe is a function from a host to a [Finding]. A probe that cannot read its files
// reports not available, with the reason; most do so on systems without /proc and /sys. Code for one system is
// only in files named for it.
package env
