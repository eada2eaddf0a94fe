package bench

import (
	"errors"
	"fmt"
	"time"
)

// An Option is an argument of a measuring function: a [Role], or a setting such as [Ops]. Only this package
// implements it.
type Option interface{ apply(*config) }

// call is one of the measuring functions, as a bit.
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

// mode is the kind of score of a benchmark.
type mode uint8

const (
	throughput mode = iota // op/s
	average                // ns/op: the time that a worker spends on one operation
	latency                // ns/op: the mean of the latencies, beside their percentiles
)

// config is the configuration by the options of one call.
type config struct {
	call    call
	roles   []Role
	mode    mode
	ops     int64 // operations per Next
	bytes   int64 // per operation, 0: not given
	workers int   // of the one role of Run, Sample and Rate
	lock    bool  // of the one role of Run, Sample and Rate: its workers lock their threads
	batch   Batch // of all roles that have none of their own
	grace   time.Duration
	sampled bool
	every   int64   // sampling step, 0: found by itself
	rate    float64 // of Rate, per second
	poisson bool

	given map[string]bool
	errs  []error
}

// defaultGrace is how long a worker may take to return after the window has closed.
const defaultGrace = 5 * time.Second

func newConfig(c call, options []Option) *config {
	cfg := &config{call: c, ops: 1, workers: 1, grace: defaultGrace, given: map[string]bool{}}
	switch c {
	case callRun, callShot:
		cfg.mode = average
	case callSample, callRate:
		cfg.mode, cfg.sampled = latency, true
	}
	for _, p := range options {
		if p == nil {
			cfg.errorf("a part is nil")
			continue
		}
		p.apply(cfg)
	}
	return cfg
}

func (c *config) errorf(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// option is a part that sets one option.
type option struct {
	name string
	in   call // calls that accept it
	set  func(*config)
}

func (o option) apply(c *config) {
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

// Ops sets the number of operations per Next, for a body that does many at a time; at least 1, the default.
// [Worker.SetOps] does so at run time.
func Ops(n int) Option {
	return option{"Ops", everywhere, func(c *config) {
		if c.ops = int64(n); n < 1 {
			c.errorf("Ops(%d): must be at least 1", n)
		}
	}}
}

// Bytes sets the bytes that one operation processes, at least 1. The benchmark then reports MB/s; a MB is 1e6
// bytes as in [testing.B.SetBytes].
func Bytes(n int64) Option {
	return option{"Bytes", everywhere, func(c *config) {
		if c.bytes = n; n < 1 {
			c.errorf("Bytes(%d): must be at least 1", n)
		}
	}}
}

// Average reports for each role the time that one worker spends on an operation, ns/op, in place of op/s. It
// is [Run]'s default.
func Average() Option {
	return option{"Average", callGroup | callRun, func(c *config) { c.setMode(average) }}
}

// Throughput reports the operations per second of all workers together, op/s. It is [Group]'s default.
func Throughput() Option {
	return option{"Throughput", callGroup | callRun, func(c *config) { c.setMode(throughput) }}
}

func (c *config) setMode(m mode) {
	if c.given["Average"] && c.given["Throughput"] {
		c.errorf("Average and Throughput exclude each other")
	}
	c.mode = m
}

// Sampled additionally records latencies of operations, for each role. See [Sample] for which operations.
func Sampled() Option {
	return option{"Sampled", callGroup | callRun, func(c *config) { c.sampled = true }}
}

// SampleEvery samples every k-th operation on average, in place of the step that [Sample] finds by itself; 1
// samples all.
func SampleEvery(k int) Option {
	return option{"SampleEvery", callGroup | callRun | callSample, func(c *config) {
		c.sampled, c.every = true, int64(k)
		if k < 1 {
			c.errorf("SampleEvery(%d): must be at least 1", k)
		}
	}}
}

// Workers sets the number of goroutines of [Run], [Sample] and [Rate]: at least 1, the default. In a [Group]
// use [Role.Workers].
func Workers(n int) Option {
	return option{"Workers", callRun | callSample | callRate, func(c *config) {
		if c.workers = n; n < 1 {
			c.errorf("Workers(%d): must be at least 1", n)
		}
	}}
}

// LockThread gives each worker of [Run], [Sample] and [Rate] its own operating system thread. In a [Group] use
// [Role.LockThread].
func LockThread() Option {
	return option{"LockThread", callRun | callSample | callRate, func(c *config) { c.lock = true }}
}

// Grace sets how long a worker may take to return after the window has closed, and to reach its first Next
// before it opens; 5 s by default. A worker that takes longer is considered hung and fails the benchmark, so
// set Grace if a single operation takes longer. With a fixed number of operations the window closes when none
// has begun for that long. Setup has no such limit.
func Grace(d time.Duration) Option {
	return option{"Grace", everywhere &^ callShot, func(c *config) {
		if c.grace = d; d <= 0 {
			c.errorf("Grace(%v): must be above 0", d)
		}
	}}
}

// Poisson makes the operations of [Rate] due at random times with the given mean rate, like those of many
// independent users. The times follow from the seed (see [Worker.Rand]) and differ from window to window.
func Poisson() Option {
	return option{"Poisson", callRate, func(c *config) { c.poisson = true }}
}

// A Batch runs Setup and Teardown around every so many operations, outside of the measured time. As a part of
// a call it applies to all roles without their own Batch.
//
// They run in the worker's goroutine. Their time is not counted, but other workers go on meanwhile without
// this one. Reading the clock adds about 50 ns per batch to the score. Allocations of a batch's Setup and
// Teardown are in B/op, unlike those of a role. Under [Rate] the schedule does not wait for them, so they
// delay operations.
type Batch struct {
	Every    int                   // Nexts per batch, at least 1
	Setup    func(w *Worker) error // before the first operation of each batch; may be nil
	Teardown func(w *Worker) error // after the last operation of each batch, also of an interrupted one; may be nil
}

func (p Batch) apply(c *config) {
	option{"Batch", everywhere &^ callShot, func(c *config) { c.batch = p; c.checkBatch("", p) }}.apply(c)
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

// err returns all errors in the options as one line.
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
