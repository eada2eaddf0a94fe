package usage

import (
	"cmp"
	"runtime"
	"slices"
	"time"
)

// The order of the edges is that of their weight. What allocates or stops the
// world lies outside, so that the figures inside do not contain it; what is read
// last before the task and first behind it is the time.
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
	weigh(&u, t, nothing)
	tare := Tare{Real: u.Real, CPU: u.CPU, Threads: u.PerThread.Sum}

	u = Usage{Name: u.Name, Procs: u.Procs}
	weigh(&u, t, task)
	u.Tare = tare
	return u
}

func nothing() {}

func weigh(u *Usage, t *threads, task func()) {
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

	cpu.tell(u)
	h.tell(u)
	t.tell(u)
}

// cpuTimes are the CPU times of the process so far.
type cpuTimes struct {
	total     time.Duration
	user, sys time.Duration // by the tick
	fine      bool          // total is a clock of its own, not the sum
	err       error
}

func (c cpuTimes) since(before cpuTimes) cpuTimes {
	return cpuTimes{
		total: c.total - before.total, user: c.user - before.user, sys: c.sys - before.sys,
		fine: c.fine && before.fine, err: cmp.Or(before.err, c.err),
	}
}

// tell divides the total as the ticks say.
func (c cpuTimes) tell(u *Usage) {
	if c.err != nil {
		u.lack(c.err.Error(), FigureCPU, FigureUser, FigureSys)
		return
	}
	ticked := c.user + c.sys
	if !c.fine {
		c.total = ticked
	}
	u.CPU = c.total
	if ticked <= 0 && c.total > 0 {
		u.lack("the kernel had not yet counted any of the task's CPU time at its end", FigureUser, FigureSys)
		return
	}
	if ticked > 0 {
		u.User = time.Duration(float64(c.total) * float64(c.user) / float64(ticked))
		u.Sys = c.total - u.User
	}
}

// reading is the CPU time of a thread so far.
type reading struct {
	id  int
	cpu time.Duration
}

// attribute says what each thread did between two readings. A number that went to
// a new thread shows by a clock that went back.
func attribute(u *Usage, before, after []reading) {
	was := make(map[int]time.Duration, len(before))
	for _, r := range before {
		was[r.id] = r.cpu
	}
	for _, r := range after {
		t := Thread{ID: r.id, CPU: r.cpu, Born: true}
		if b, known := was[r.id]; known && b <= r.cpu {
			t.CPU, t.Born = r.cpu-b, false
			delete(was, r.id)
		}
		if t.CPU > 0 {
			u.Threads = append(u.Threads, t)
			u.PerThread.add(t.CPU)
		}
	}
	u.Died = len(was)
	slices.SortFunc(u.Threads, func(a, b Thread) int { return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.ID, b.ID)) })
	u.Unattributed = max(0, u.CPU-u.PerThread.Sum)
}
