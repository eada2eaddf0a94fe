package programrun

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/clock/cputime"
)

// Intervals at which the run delay of a program's threads is read. They are short at first, because the delay after the
// last reading is not known.
const (
	firstWaits = time.Millisecond
	mostWaits  = 50 * time.Millisecond
)

// waits reads, while a program runs, how long its threads waited for a processor.
type waits struct {
	stop  chan struct{}
	delay chan int64 // one value, ns
}

func watchWaits(pid int) *waits {
	w := &waits{stop: make(chan struct{}), delay: make(chan int64, 1)}
	go w.run(cputime.Open(pid))
	return w
}

func (w *waits) run(p *cputime.Process) {
	defer p.Close()
	var most int64
	for every := firstWaits; ; every = min(2*every, mostWaits) {
		ns, _ := p.Delay() // a lower bound, if threads have ended
		most = max(most, ns)
		select {
		case <-w.stop:
			w.delay <- most
			return
		case <-time.After(every):
		}
	}
}

// share ends the watch. It returns the run delay as a share, from 0 to 1, of the time in which the program was runnable,
// rounded to hundredths. cpu is its CPU time. The share is 0 if it is not known.
func (w *waits) share(cpu time.Duration) float64 {
	close(w.stop)
	return waitedOf(time.Duration(<-w.delay), cpu)
}

func waitedOf(delay, cpu time.Duration) float64 {
	if delay <= 0 || cpu < 0 {
		return 0
	}
	return math.Round(100*float64(delay)/float64(delay+cpu)) / 100
}
