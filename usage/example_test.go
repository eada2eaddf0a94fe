package usage_test

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/tarebench/tare/usage"
)

func ExampleMeasure() {
	xs := []int{3, 1, 2}
	u := usage.Measure(func() { slices.Sort(xs) })
	fmt.Println(u.Real > 0, u.Real < time.Minute)
	// Output: true true
}

// A listener hears of every result of a program.
func ExampleListener() {
	c := usage.Config{Listener: usage.ListenerFunc(func(u usage.Usage) {
		fmt.Println(u.Name, u.Real > 0)
	})}
	for _, name := range []string{"first", "second"} {
		c.Name = name
		c.Measure(func() { time.Sleep(time.Millisecond) })
	}
	// Output:
	// first true
	// second true
}

func ExampleNewPrinter() {
	listener := usage.NewPrinter(os.Stdout)
	listener.Result(usage.Usage{
		Name: "sequentialSort2",
		Real: 6841 * time.Millisecond, CPU: 6840 * time.Millisecond, User: 6840 * time.Millisecond,
		Bytes: 344,
	})
	// Output:
	// Results for sequentialSort2
	// real  0m6.841s
	// user  0m6.840s
	// sys   0m0.000s
	// mem   344.0B
}

func ExampleCompare() {
	seq := usage.Usage{Name: "sequentialSort", Real: 6841 * time.Millisecond, CPU: 6840 * time.Millisecond, Bytes: 344, Procs: 12}
	par := usage.Usage{Name: "parallelSort", Real: 863 * time.Millisecond, CPU: 9210 * time.Millisecond, Bytes: 1 << 30, Procs: 12}
	fmt.Println(usage.Compare(seq, par))
	// Output:
	// parallelSort is 7.93x faster than sequentialSort for 1.35x the CPU
	// cores busy       1.00 → 10.7    parallel efficiency 66 % of 12
	// allocation rate  50.3B/s → 1.2GiB/s
	// one run each, no interval
}

func ExamplePool() {
	p := usage.NewPool(2)
	defer p.Close()
	for range 10 {
		p.Go(func() { time.Sleep(time.Millisecond) })
	}
	p.Wait()
	tasks := 0
	for _, w := range p.Workers().Each {
		tasks += w.Wall.Count
	}
	fmt.Println(tasks)
	// Output: 10
}
