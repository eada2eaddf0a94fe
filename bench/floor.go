package bench

import (
	"runtime"
	"time"

	"github.com/tarebench/tare/record"
)

// floorTime is how long empty bodies are measured if each has a processor. floorTurn is the time per body if
// they share processors: Go switches between them every 10 ms.
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

// measureFloor measures empty bodies in the same roles, once per benchmark: the least time per operation that
// can be measured. It skips Rate, whose workers wait for their schedule and report lateness instead.
func (s *benchmark) measureFloor(c *config, seed record.Seed) {
	if s.floorMeasured || c.call == callRate {
		return
	}
	s.floorMeasured = true
	var roleGroups []*roleGroup
	for _, r := range c.roles {
		roleGroups = append(roleGroups, &roleGroup{cfg: &Role{Name: r.Name, Workers: r.Workers, LockThread: r.LockThread, Body: emptyBody}, ops: 1})
	}
	win := newWindow(roleGroups)
	win.grace, win.seed = defaultGrace, seed
	win.addWorkers()
	win.length = floorLength(len(win.workers))
	if o := win.run(doNothing, doNothing); o.err != nil {
		return // cannot happen with empty bodies
	}
	s.floor[""] = scoreOf("", win.workers).nsPerOp
	for _, x := range win.roleGroups {
		if y := scoreOf("", x.workers); y.ops >= sampleAllUpTo { // else it hardly had a processor
			s.floor[x.cfg.Name] = y.nsPerOp
		}
	}
}

// emptyBody is a loop over Next at a good place. A loop across two cache lines takes twice as long. This one has 17 bytes on
// amd64, where functions begin at multiples of 32: two stores before it move it from 19 … 36 to 41 … 58.
func emptyBody(w *Worker) {
	w.lead = [2]int64{1, 2}
	for w.Next() {
	}
}

func doNothing() {}

// latencySamples is how many empty operations are timed to measure the overhead of timing. It takes 0.3 ms.
const latencySamples = 4096

// latencyOverhead returns the median latency of an empty operation in ns, which the sampler subtracts from
// others.
func latencyOverhead() int64 {
	c := &roleGroup{cfg: &Role{Workers: 1, Body: emptyBody}, ops: 1, sampled: true, k: 1, hists: []*latencySet{newLatencySet()}}
	win := newWindow([]*roleGroup{c})
	win.count, win.grace, win.seed = latencySamples, defaultGrace, defaultSeed
	win.addWorkers()
	win.run(doNothing, doNothing)
	return c.hists[0].service.hist.ValueAtPercentile(50)
}
