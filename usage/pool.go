package usage

import (
	"runtime"
	"sync"
	"time"
)

// Pool runs tasks on workers that keep an OS thread each, so that the CPU time of a
// thread is that of its worker. A Pool is safe for concurrent use. Tasks may start
// tasks, but must not call Wait, which waits for the calling task.
//
// A panic of a task ends the program, as in any goroutine. A task that ends its
// goroutine (runtime.Goexit) is counted, and its worker continues on another thread.
type Pool struct {
	mu      sync.Mutex
	ready   sync.Cond // a job was added, or the pool is closed
	idle    sync.Cond // no job is left
	jobs    []job     // those from next on are waiting
	next    int
	pending int // waiting or running
	closed  bool
	workers []Worker
	begun   sync.WaitGroup
	ended   sync.WaitGroup

	cost   Cost
	noCPU  string // why there are no CPU times
	failed error  // first error of reading a clock
}

// job is one task, or several that are counted together.
type job struct {
	task func()
	each func(i int)
	n    int
}

// NewPool returns a pool of n workers, or of GOMAXPROCS workers if n is less than 1,
// when each has its thread. Workers take tasks in the order of Go and run until
// Close.
func NewPool(n int) *Pool {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	p := &Pool{workers: make([]Worker, n), noCPU: noThreadCPU}
	p.ready.L, p.idle.L = &p.mu, &p.mu
	p.cost = measureCost()
	p.begun.Add(n)
	p.ended.Add(n)
	for i := range p.workers {
		p.workers[i].mark = newMark()
	}
	for i := range p.workers {
		go p.work(i, p.begun.Done)
	}
	p.begun.Wait()
	return p
}

// Go makes a worker run the task and does not wait. It panics if the pool is closed.
//
// Each task costs its worker about 1 µs beyond its own time: see [Cost]. For tasks
// shorter than about 50 µs use GoN.
func (p *Pool) Go(task func()) { p.add(job{task: task, n: 1}) }

// GoN makes one worker run task(0) to task(n-1), one after the other, and reads the
// clocks once for all of them. They count as n tasks, of which only the sum is exact:
// minimum and maximum use their mean. GoN does nothing if n is less than 1.
func (p *Pool) GoN(n int, task func(i int)) {
	if n >= 1 {
		p.add(job{each: task, n: n})
	}
}

func (p *Pool) add(j job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		panic("usage: Pool.Go: the pool is closed")
	}
	if len(p.jobs) == cap(p.jobs) && p.next > len(p.jobs)/2 { // reuse the room of jobs that are done
		n := copy(p.jobs, p.jobs[p.next:])
		clear(p.jobs[n:])
		p.jobs, p.next = p.jobs[:n], 0
	}
	p.jobs = append(p.jobs, j)
	p.pending++
	p.ready.Signal()
}

// Wait returns when all tasks have ended, also those that tasks have started.
func (p *Pool) Wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.pending > 0 {
		p.idle.Wait()
	}
}

// Close waits for the tasks and ends the workers. The figures stay available. A
// second Close does nothing.
func (p *Pool) Close() {
	p.Wait()
	p.mu.Lock()
	p.closed = true
	p.ready.Broadcast()
	p.mu.Unlock()
	p.ended.Wait()
}

// Reset sets the figures to zero. Tasks that are running are counted when they end.
func (p *Pool) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.workers {
		p.workers[i] = Worker{Thread: p.workers[i].Thread, mark: newMark()}
	}
}

// Workers returns the figures of the tasks that have ended since the last Reset.
func (p *Pool) Workers() Workers {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := Workers{Each: append([]Worker(nil), p.workers...), Cost: p.cost}
	switch {
	case p.failed != nil:
		w.NotAvailable = map[string]string{FigureCPU: p.failed.Error()}
	case p.noCPU != "":
		w.NotAvailable = map[string]string{FigureCPU: p.noCPU}
	}
	return w
}

// work is the goroutine of worker i. It keeps its thread until the pool is closed,
// because the clock of a thread is lost when the thread ends.
func (p *Pool) work(i int, begun func()) {
	runtime.LockOSThread()
	over := false
	defer func() {
		if !over { // a task has ended this goroutine and its thread
			go p.work(i, emptyTask)
			return
		}
		runtime.UnlockOSThread()
		p.ended.Done()
	}()
	p.mu.Lock()
	p.workers[i].Thread = threadID()
	p.mu.Unlock()
	begun()
	for {
		j, mark, ok := p.take(i)
		if !ok {
			over = true
			return
		}
		p.run(i, mark, j)
	}
}

// take returns the next job for worker i, and the worker's mark.
func (p *Pool) take(i int) (j job, mark uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.next == len(p.jobs) {
		if p.closed {
			return job{}, 0, false
		}
		p.ready.Wait()
	}
	j = p.jobs[p.next]
	p.jobs[p.next] = job{}
	p.next++
	if p.next == len(p.jobs) {
		p.jobs, p.next = p.jobs[:0], 0
	}
	return j, p.workers[i].mark, true
}

func (p *Pool) run(i int, mark uint64, j job) {
	cpu, err := threadCPU()
	defer p.ran(i, j.n, time.Now(), cpu, err) // however the task ends
	markWorker(mark, j)
}

// ran counts n tasks that have ended.
func (p *Pool) ran(i, n int, start time.Time, cpu time.Duration, err error) {
	wall := time.Since(start)
	end, endErr := threadCPU()
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &p.workers[i]
	w.Wall.addMany(wall, n)
	switch {
	case err == nil && endErr == nil:
		w.CPU.addMany(end-cpu, n)
	case err == nil:
		err = endErr
		fallthrough
	default:
		if p.noCPU == "" && p.failed == nil {
			p.failed = err
		}
	}
	if p.pending--; p.pending == 0 {
		p.idle.Broadcast()
	}
}
