// Package env says what this machine is and how noisy it is.
//
// What it is goes into the head of every record file:
//
//	m := env.Describe()
//	fmt.Println(m.CPU, m.Cores, m.ClockSource, m.Virtual())
//
// How much was taken away from it, by a hypervisor, is read before and after
// each fork. The reader keeps the file open and allocates nothing:
//
//	r, err := env.OpenCPU()
//	if err != nil {
//		return err // not available here: leave the value out, never write zero
//	}
//	defer r.Close()
//	before, err := r.Read()
//	// … run the fork …
//	after, err := r.Read()
//	stolen, share := env.Steal(before, after)
//
// What stands in the way of a good measurement is what "tare doctor" shows:
//
//	w := clock.Measure()
//	for _, f := range env.Examine(env.Config{ClockRead: w.Read, ClockResolution: w.Resolution}) {
//		fmt.Printf("%-4s  %-10s  %s → %s\n", f.Level, f.Name, f.Text, f.Advice)
//	}
//
// # How it is built
//
// Almost everything is read from files under /proc and /sys. All of it goes
// through a host, which has a root, so that the tests show the probes other
// machines (testdata/*.txtar: a quiet laptop, a noisy virtual machine, a
// container with a quota, arm64, garbage). A probe is one function from a host
// to a [Finding]. It never fails another one: what it cannot read it reports as
// not available, with the reason. On systems without /proc and /sys that is
// what most probes do; only files named for a system contain code for it.
package env
