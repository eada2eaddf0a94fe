package queues

import (
	"runtime"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/queue"
)

// Wait is how one waits for room and for elements.
type Wait string

// Spin and Backoff are loops around Try methods; the others are what the queue
// itself does.
const (
	Spin     Wait = "spin"     // 127 times at once for each element, then let others run, and again
	Backoff  Wait = "backoff"  // queue.Backoff
	Own      Wait = "own"      // what the library has in it: a channel parks, Workiva yields
	Park     Wait = "park"     // queue.Blocking with Park
	Adaptive Wait = "adaptive" // with Adaptive
	Yield    Wait = "yield"    // with Yield
	SpinIn   Wait = "spinning" // with Spin
)

// blocking are the waits of queue.Blocking.
var blocking = map[Wait]queue.Wait{Park: queue.Park, Adaptive: queue.Adaptive, Yield: queue.Yield, SpinIn: queue.Spin}

// retries is how often one tries before others may run.
const retries = 128

// A patience is how one side of one worker waits.
type patience struct {
	w      *bench.Worker
	failed *bench.Counter
	spins  bool
	back   queue.Backoff
	fails  int
	before int64 // elements at the last wait
}

// newPatience counts what fails under the name of failed.
func newPatience(w *bench.Worker, s Setup, failed string) patience {
	return patience{w: w, failed: w.Counter(failed), spins: s.Wait == Spin, back: queue.NewBackoff(s.Capacity)}
}

// wait waits once, after a try that failed, when n elements have been handed over
// in all. It reports whether the window is over.
func (p *patience) wait(n int64) bool {
	p.failed.Inc()
	if !p.spins {
		p.back.Worked(int(n - p.before))
		p.before = n
		p.back.Wait()
		return p.over()
	}
	if n != p.before {
		p.before, p.fails = n, 0
	}
	if p.fails++; p.fails%retries == 0 {
		runtime.Gosched()
		return p.over()
	}
	return false
}

func (p *patience) over() bool {
	select {
	case <-p.w.Done():
		return true
	default:
		return false
	}
}
