package fork

import "time"

// minDelayGap is the shortest time between two readings of the delay, in ns. A reading takes some 10 µs.
const minDelayGap = int64(time.Millisecond)

// usage is what the process had used when a result arrived.
type usage struct {
	cpu, delay           int64 // ns since the process's start; see cputime.Process
	cpuKnown, delayKnown bool
	batched              bool // another result was read at the same time
}

// since returns the CPU time and the delay between two results, as a sample has them: 0 means not known.
func (u usage) since(before usage) (cpu, delay int64) {
	if u.cpuKnown && before.cpuKnown {
		cpu = u.cpu - before.cpu
	}
	if u.delayKnown {
		delay = max(1, u.delay-before.delay)
	}
	return cpu, delay
}

// process is a [cputime.Process].
type process interface {
	CPU() (ns int64, ok bool)
	Delay() (ns int64, ok bool)
}

// A meter reads the CPU time of the process with each piece of its output, and its delay with each result. Its zero value
// knows nothing.
type meter struct {
	process process // nil: not watched
	now     usage
	delayAt int64 // time of the last reading of the delay, CLOCK_MONOTONIC ns
	results int   // results of the current piece of output
}

// read reads the CPU time. It is called when a piece of output was read.
func (m *meter) read() {
	m.results = 0
	if m.process != nil {
		m.now.cpu, m.now.cpuKnown = m.process.CPU()
	}
}

// add completes the results from index known on, which arrived at t. The delay is not read again within minDelayGap: the
// wait since the last reading then counts for the next result.
func (m *meter) add(results []benchResult, known int, t int64) {
	for i := known; i < len(results); i++ {
		if m.process != nil && t-m.delayAt >= minDelayGap {
			m.now.delay, m.now.delayKnown = m.process.Delay()
			m.delayAt = t
		}
		m.results++
		results[i].usage = m.now
		if m.results > 1 {
			results[i].batched, results[i-1].batched = true, true
		}
	}
}
