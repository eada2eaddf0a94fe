package bench

import (
	"runtime"
	"time"

	"github.com/tarebench/tare/record"
)

// floorTime is how long empty bodies are measured where each has a processor, and
// floorTurn how long for each of those that have to share one: Go switches
// between them every 10 ms.
const (
	floorTime = 5 * time.Millisecond
	floorTurn = 10 * time.Millisecond
	floorMost = 200 * time.Millisecond
)

func floorLength(workers int) time.Duration {
	procs := runtime.GOMAXPROCS(0)
	if workers <= procs {
		return floorTime
	}
	return min(floorMost, floorTurn*time.Duration((workers+procs-1)/procs))
}

// weigh measures bodies that do nothing, as many of them in the same roles, once
// for a benchmark: below this no score can be. Those of Rate wait for their
// schedule all the time and are not weighed; what that adds is told as lateness.
func (s *subject) weigh(c *config, seed record.Seed) {
	if s.weighed || c.call == callRate {
		return
	}
	s.weighed = true
	var crews []*crew
	for _, r := range c.roles {
		crews = append(crews, &crew{cfg: &Role{Name: r.Name, Workers: r.Workers, LockThread: r.LockThread, Body: empty}, ops: 1})
	}
	win := newWindow(crews)
	win.grace, win.seed = defaultGrace, seed
	win.man()
	win.length = floorLength(len(win.workers))
	if o := win.run(nothing); o.err != nil {
		return // nothing can go wrong in there
	}
	s.floor[""] = scoreOf("", win.workers).each
	for _, x := range win.crews {
		if y := scoreOf("", x.workers); y.ops >= fewOperations { // else it had no turn to speak of
			s.floor[x.cfg.Name] = y.each
		}
	}
}

func empty(w *Worker) {
	for w.Next() {
	}
}

func nothing() {}

// latencySamples is how many operations of nothing are timed to find out what
// the timing itself takes: 0.3 ms.
const latencySamples = 4096

// weighLatency is the latency, in ns, of an operation that does nothing, as the
// sampler sees it: what it subtracts from others. It is the median.
func weighLatency() int64 {
	c := &crew{cfg: &Role{Workers: 1, Body: empty}, ops: 1, sampled: true, k: 1, tracks: []*tracks{newTracks()}}
	win := newWindow([]*crew{c})
	win.count, win.grace, win.seed = latencySamples, defaultGrace, defaultSeed
	win.man()
	win.run(nothing)
	return c.tracks[0].service.hist.ValueAtPercentile(50)
}
