package usage

import (
	"cmp"
	"runtime"
	"slices"
	"time"
)

// measure reads the clocks in the order of their disturbance. What allocates or stops
// the world is outermost, so that the figures inside do not contain it. Real time is
// read last before the task and first after it.
//
//	heap ( threads ( cpu ( real ( task ) real ) cpu ) threads ) heap
func (c Config) measure(task func()) (u Usage) {
	measuring.Lock()
	defer measuring.Unlock() // also if the task panics
	if c.Collect {
		runtime.GC()
	}
	u.Name, u.Procs = c.Name, runtime.GOMAXPROCS(0)
	t := openThreads()
	defer t.close()
	measureTask(&u, t, emptyTask)
	tare := Overhead{Real: u.Real, CPU: u.CPU, Threads: u.PerThread.Sum}

	u = Usage{Name: u.Name, Procs: u.Procs}
	measureTask(&u, t, task)
	u.Overhead = tare
	return u
}

func emptyTask() {}

func measureTask(u *Usage, t *threads, task func()) {
	h := newHeap()
	h.begin()
	t.begin()
	cpu := readCPU()
	start := time.Now()
	task()
	u.Real = time.Since(start)
	cpu = readCPU().since(cpu)
	t.end()
	h.end()

	cpu.report(u)
	h.report(u)
	t.report(u)
}

// cpuTimes are the CPU times of the process so far.
type cpuTimes struct {
	total     time.Duration
	user, sys time.Duration // sampled at the timer tick
	fine      bool          // total comes from a separate clock and is not user + sys
	err       error
}

func (c cpuTimes) since(before cpuTimes) cpuTimes {
	return cpuTimes{
		total: c.total - before.total, user: c.user - before.user, sys: c.sys - before.sys,
		fine: c.fine && before.fine, err: cmp.Or(before.err, c.err),
	}
}

// report divides the total in proportion to the kernel's samples.
func (c cpuTimes) report(u *Usage) {
	if c.err != nil {
		u.markUnavailable(c.err.Error(), FigureCPU, FigureUser, FigureSys)
		return
	}
	ticked := c.user + c.sys
	if !c.fine {
		c.total = ticked
	}
	u.CPU = c.total
	if ticked <= 0 && c.total > 0 {
		u.markUnavailable("the kernel's timer tick had not sampled the task before its end", FigureUser, FigureSys)
		return
	}
	if ticked > 0 {
		u.User = time.Duration(float64(c.total) * float64(c.user) / float64(ticked))
		u.Sys = c.total - u.User
	}
}

// reading is the CPU time and the run delay of a thread so far.
type reading struct {
	id        int
	cpu       time.Duration
	user, sys time.Duration // as the kernel divides it, in steps
	waited    time.Duration
}

// attribute computes the CPU time of each thread between two readings. If the clock
// of a thread number decreased, a new thread has this number.
func attribute(u *Usage, before, after []reading) {
	was := make(map[int]reading, len(before))
	for _, r := range before {
		was[r.id] = r
	}
	for _, r := range after {
		t := Thread{ID: r.id, CPU: r.cpu, Born: true}
		waited, user, sys := r.waited, r.user, r.sys
		if b, known := was[r.id]; known && b.cpu <= r.cpu {
			t.CPU, t.Born = r.cpu-b.cpu, false
			waited, user, sys = max(waited-b.waited, 0), max(user-b.user, 0), max(sys-b.sys, 0)
			delete(was, r.id)
		}
		u.Waited += waited
		if t.CPU > 0 {
			u.split(&t, user, sys)
			u.Threads = append(u.Threads, t)
			u.PerThread.add(t.CPU)
		}
	}
	u.Died = len(was)
	slices.SortFunc(u.Threads, func(a, b Thread) int { return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.ID, b.ID)) })
	u.Unattributed = max(0, u.CPU-u.PerThread.Sum)
}

// split divides the CPU time of a thread in the ratio of what the kernel has counted, if it has counted a step.
func (u *Usage) split(t *Thread, user, sys time.Duration) {
	if user+sys <= 0 {
		return
	}
	t.User = time.Duration(float64(t.CPU) * (float64(user) / float64(user+sys)))
	t.Sys = t.CPU - t.User
	u.UserPerThread.add(t.User)
	u.SysPerThread.add(t.Sys)
}

// dropThreadSplit removes what is not available.
func (u *Usage) dropThreadSplit() {
	u.UserPerThread, u.SysPerThread = Stats{}, Stats{}
	for i := range u.Threads {
		u.Threads[i].User, u.Threads[i].Sys = 0, 0
	}
}
