package bench

import (
	"errors"
	"fmt"
	"time"
)

// A Part says what a benchmark of this package consists of: a [Role], or one of
// the options such as [Ops]. The interface is sealed.
type Part interface{ join(*config) }

// call is one of the functions that take parts, as a bit.
type call uint8

const (
	callGroup call = 1 << iota
	callRun
	callSample
	callShot
	callRate
)

func (c call) String() string {
	switch c {
	case callGroup:
		return "Group"
	case callRun:
		return "Run"
	case callSample:
		return "Sample"
	case callShot:
		return "SingleShot"
	case callRate:
		return "Rate"
	}
	return fmt.Sprintf("call %d", uint8(c))
}

// mode is what the score of a benchmark is.
type mode uint8

const (
	throughput mode = iota // op/s
	average                // ns/op: the time that a worker spends on one operation
	latency                // ns/op: the mean of the latencies, beside their percentiles
)

// config is what the parts of one call came to.
type config struct {
	call    call
	roles   []Role
	mode    mode
	ops     int64 // operations per Next
	bytes   int64 // per operation, 0: not said
	workers int   // of the one role of Run, Sample and Rate
	lock    bool  // likewise
	batch   Batch // of all roles that have none of their own
	grace   time.Duration
	sampled bool
	every   int64   // sampling step asked for, 0: to be found
	rate    float64 // of Rate, per second
	poisson bool

	given map[string]bool
	errs  []error
}

// defaultGrace is how long a worker may take to come back from an operation once
// the window has closed.
const defaultGrace = 5 * time.Second

func newConfig(c call, parts []Part) *config {
	cfg := &config{call: c, ops: 1, workers: 1, grace: defaultGrace, given: map[string]bool{}}
	switch c {
	case callRun, callShot:
		cfg.mode = average
	case callSample, callRate:
		cfg.mode, cfg.sampled = latency, true
	}
	for _, p := range parts {
		if p == nil {
			cfg.errorf("a part is nil")
			continue
		}
		p.join(cfg)
	}
	return cfg
}

func (c *config) errorf(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// option is a part that sets something.
type option struct {
	name string
	in   call // where it makes sense
	set  func(*config)
}

func (o option) join(c *config) {
	switch {
	case c.call&o.in == 0:
		c.errorf("%s has no meaning in %v", o.name, c.call)
	case c.given[o.name]:
		c.errorf("%s is given twice", o.name)
	default:
		c.given[o.name] = true
		o.set(c)
	}
}

const everywhere = callGroup | callRun | callSample | callShot | callRate

// Ops says that one Next stands for n operations, for a body that does many at a
// time; n is at least 1, the default. [Worker.SetOps] says it at run time.
func Ops(n int) Part {
	return option{"Ops", everywhere, func(c *config) {
		if c.ops = int64(n); n < 1 {
			c.errorf("Ops(%d): must be at least 1", n)
		}
	}}
}

// Bytes says that one operation processes n bytes, at least 1. The benchmark then
// reports MB/s, a MB being 1e6 bytes as in [testing.B.SetBytes].
func Bytes(n int64) Part {
	return option{"Bytes", everywhere, func(c *config) {
		if c.bytes = n; n < 1 {
			c.errorf("Bytes(%d): must be at least 1", n)
		}
	}}
}

// Average makes the score of each role the time that one of its workers spends
// on an operation, ns/op, in place of op/s of all of them. It is [Run]'s default.
func Average() Part {
	return option{"Average", callGroup | callRun, func(c *config) { c.setMode(average) }}
}

// Throughput makes the score the operations per second of all workers together,
// op/s. It is [Group]'s default.
func Throughput() Part {
	return option{"Throughput", callGroup | callRun, func(c *config) { c.setMode(throughput) }}
}

func (c *config) setMode(m mode) {
	if c.given["Average"] && c.given["Throughput"] {
		c.errorf("Average and Throughput exclude each other")
	}
	c.mode = m
}

// Sampled records latencies of operations besides the score, for each role by
// itself. See [Sample] for which operations.
func Sampled() Part {
	return option{"Sampled", callGroup | callRun, func(c *config) { c.sampled = true }}
}

// SampleEvery makes every k-th operation be sampled, on average, in place of the
// step that [Sample] finds by itself; 1 samples all.
func SampleEvery(k int) Part {
	return option{"SampleEvery", callGroup | callRun | callSample, func(c *config) {
		c.sampled, c.every = true, int64(k)
		if k < 1 {
			c.errorf("SampleEvery(%d): must be at least 1", k)
		}
	}}
}

// Workers sets the number of goroutines of [Run], [Sample] and [Rate], at least 1,
// the default. In a [Group] each [Role] has its own.
func Workers(n int) Part {
	return option{"Workers", callRun | callSample | callRate, func(c *config) {
		if c.workers = n; n < 1 {
			c.errorf("Workers(%d): must be at least 1", n)
		}
	}}
}

// LockThread gives each worker of [Run], [Sample] and [Rate] an operating system
// thread of its own. In a [Group] each [Role] has its own word for it.
func LockThread() Part {
	return option{"LockThread", callRun | callSample | callRate, func(c *config) { c.lock = true }}
}

// Grace is how long a worker may take to come back once the window has closed,
// and to come to its first Next before it opens, by default 5 s. What takes longer
// is taken to hang and fails the benchmark, so one whose single operation takes
// longer must say so; with a number of operations asked for, the window closes
// when none has been begun for that long. What Setup takes has no such limit.
func Grace(d time.Duration) Part {
	return option{"Grace", everywhere &^ callShot, func(c *config) {
		if c.grace = d; d <= 0 {
			c.errorf("Grace(%v): must be above 0", d)
		}
	}}
}

// Poisson makes the operations of [Rate] come as those of many independent users
// do, at random times with the asked mean rate. The times follow from the seed
// (see [Worker.Rand]) and differ from window to window.
func Poisson() Part {
	return option{"Poisson", callRate, func(c *config) { c.poisson = true }}
}

// A Batch prepares and clears away around every so many operations, outside of
// the measured time. As a part of a call it is that of all roles that have none
// of their own.
//
// It runs in the worker's goroutine. The worker's clock stands still meanwhile;
// the world does not, so other workers go on, and find this one missing. The
// reading of the clock costs some 50 ns per batch that remain in the score. What
// Setup and Teardown of a batch allocate is in B/op, unlike those of a role; and
// under [Rate] the schedule does not wait for them, so that they delay operations.
type Batch struct {
	Every    int                   // Nexts per batch, at least 1
	Setup    func(w *Worker) error // before the first operation of each; nil: nothing
	Teardown func(w *Worker) error // after the last operation of each, also of one that was cut off; nil: nothing
}

func (p Batch) join(c *config) {
	option{"Batch", everywhere &^ callShot, func(c *config) { c.batch = p; c.checkBatch("", p) }}.join(c)
}

func (c *config) checkBatch(role string, p Batch) {
	if p.Every < 1 {
		c.errorf("%sBatch: Every is %d, must be at least 1", role, p.Every)
	}
	if p.Setup == nil && p.Teardown == nil {
		c.errorf("%sBatch: has neither Setup nor Teardown", role)
	}
}

func (p Batch) given() bool { return p.Every != 0 || p.Setup != nil || p.Teardown != nil }

// err reports everything that is wrong with the parts, in one line.
func (c *config) err() error {
	if len(c.errs) == 0 {
		return nil
	}
	text := ""
	for i, e := range c.errs {
		if i > 0 {
			text += "; "
		}
		text += e.Error()
	}
	return errors.New(text)
}
