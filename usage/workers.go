package usage

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Worker is the work of one worker of a Pool.
type Worker struct {
	Thread int   // as the system numbers threads; 0 where that is not known
	Wall   Stats // of its tasks, from start to end, exact
	CPU    Stats // CPU time of its thread while they ran, exact; with [Cost].Inside for each

	mark uint64 // of its stacks
}

// Workers are the figures of a Pool.
type Workers struct {
	Each         []Worker
	Cost         Cost              // of measuring
	NotAvailable map[string]string // FigureCPU, and why, where threads have no clock
}

// Cost is what measuring adds to each task, or to each call of GoN. It is measured
// when the pool is made, and is not subtracted.
type Cost struct {
	Inside  time.Duration // CPU time that is measured as the task's
	Outside time.Duration // further time of the worker around it, without the queue
}

// CPU returns the CPU times of the workers that ran a task: their number, sum,
// minimum and maximum. It returns zeros where CPU times are not available.
func (w Workers) CPU() Stats { return w.sum(func(x Worker) Stats { return x.CPU }) }

// Wall is like CPU for the time from start to end of the tasks.
func (w Workers) Wall() Stats { return w.sum(func(x Worker) Stats { return x.Wall }) }

func (w Workers) sum(stats func(Worker) Stats) (out Stats) {
	for _, x := range w.Each {
		if s := stats(x); s.Count > 0 {
			out.add(s.Sum)
		}
	}
	return out
}

// String returns a table with a row for each worker and the sums of all workers.
func (w Workers) String() string {
	_, noCPU := w.NotAvailable[FigureCPU]
	head := []string{"worker", "tasks"}
	for _, what := range []string{"cpu", "wall"} {
		if what != "cpu" || !noCPU {
			head = append(head, what+" sum", "min", "avg", "max")
		}
	}
	rows := [][]string{head}
	for i, x := range w.Each {
		row := []string{fmt.Sprint(i + 1), fmt.Sprint(x.Wall.Count)}
		stats := []Stats{x.CPU, x.Wall}
		if noCPU {
			stats = stats[1:]
		}
		for _, s := range stats {
			if s.Count == 0 {
				row = append(row, "-", "-", "-", "-")
				continue
			}
			row = append(row, rounded(s.Sum), rounded(s.Min), rounded(s.Avg()), rounded(s.Max))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	b.WriteString(columns(rows, strings.Repeat("r", len(head))))
	if noCPU {
		fmt.Fprintf(&b, "cpu: not available: %s\n", w.NotAvailable[FigureCPU])
	} else {
		fmt.Fprintf(&b, "cpu of %s\n", w.CPU().line("worker"))
	}
	fmt.Fprintf(&b, "wall of %s\n", w.Wall().line("worker"))
	if noCPU {
		fmt.Fprintf(&b, "overhead: %s around each task", w.Cost.Outside)
	} else {
		fmt.Fprintf(&b, "overhead: %s of cpu in each task (included), %s around it", w.Cost.Inside, w.Cost.Outside)
	}
	return b.String()
}

// measureCost runs empty tasks as a worker does. Medians of short series are robust
// against other load on the machine.
func measureCost() Cost {
	const series, tasks = 9, 32
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	one := &Pool{workers: make([]Worker, 1), noCPU: noThreadCPU}
	one.idle.L = &one.mu
	var inside, whole []time.Duration
	for range series {
		one.workers[0] = Worker{}
		start := time.Now()
		for range tasks {
			one.run(0, 1, job{task: emptyTask, n: 1})
		}
		whole = append(whole, time.Since(start)/tasks)
		inside = append(inside, one.workers[0].CPU.Avg())
	}
	slices.Sort(inside)
	slices.Sort(whole)
	in := inside[series/2]
	return Cost{Inside: in, Outside: max(0, whole[series/2]-in)}
}
