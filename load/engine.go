package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

// An engine drives one phase. Its coordinator is the goroutine that called Run:
// it alone adds workers, takes intervals and writes lines.
type engine struct {
	config Config
	target Target
	kinds  []string
	timing timing
	sink   Sink
	cost   float64 // of a clock reading, ns

	schedule *pace.Schedule // nil: closed loop
	share    pace.Part      // nil: all operations
	group    *pace.Group    // of the workers' pacers, in an open loop
	shards   []*shard
	start    int64
	deadline int64 // when sending ends; math.MaxInt64 if it ends by itself
	cpu      int64 // CPU time of the process at the start

	_       cacheline.Line
	next    atomic.Uint64 // closed loop without a share: operations claimed
	_       cacheline.Line
	slots   atomic.Int64 // when the last operation of a backlog was sent, of LateLimit
	dropped atomic.Int64
	errors  atomic.Int64 // failed operations
	_       cacheline.Line

	stopped    atomic.Bool // nothing more is sent
	pausing    atomic.Bool // operations pause: who sends needs a permit
	sealed     atomic.Bool // and what is not answered yet is given up
	stopping   chan struct{}
	backwards  atomic.Int64 // times that the clock went back
	running    atomic.Int64 // worker goroutines
	allExited  chan struct{}
	starting   atomic.Bool
	cannotGrow atomic.Bool // workers, because one could not be made

	_        cacheline.Line
	permits  permits
	parked   atomic.Int64  // operations that pause, or wait for a permit to go on
	standIns atomic.Int64  // workers that were added for those
	parking  chan struct{} // one is missing

	mu       sync.Mutex
	workers  []*worker
	failure  error             // why the run was stopped
	first    map[string]string // the first error of each class
	firstOf  map[failure]string
	warnings []record.Warn

	// Of the coordinator.
	accounts
	made, ordinary int      // workers that were begun, and without those for pauses
	ownShards      int      // shards of the ordinary workers, the first ones …
	more           []*shard // … and the others
	sentParked     int64    // operations that paused at the end of sending
	current, total tally    // latencies of the interval and of the phase
	iter           int
	last           int64 // end of the last interval
	lastCounts     counts
	sendEnd        int64 // when sending ended, 0 before
	progress       struct{ completed, at int64 }
	silences       watch
	givenUp        int64       // when operations in flight were cancelled, 0 before
	lastLine       record.Load // of the last interval
	cutOff         bool        // because the run was stopped
	sentAt         int64       // when that was noticed …
	sent           counts      // … and what there was then
	alarm          *time.Timer
	workCtx        context.Context // of the workers
	cancelWork     context.CancelFunc
}

// newEngine allocates an engine and starts nothing.
func newEngine(t Target, c Config, sink Sink, tm timing) (*engine, error) {
	e := &engine{
		config: c, target: t, timing: tm, sink: sink,
		stopping: make(chan struct{}), allExited: make(chan struct{}, 1), parking: make(chan struct{}, 1), first: make(map[string]string),
	}
	if e.kinds = t.Kinds(); len(e.kinds) == 0 {
		return nil, errors.New("the target has no kinds of operations")
	}
	if c.Share != nil {
		e.share = c.Share.ops
		if err := e.share.Begin(); err != nil {
			return nil, err
		}
	}
	e.slots.Store(math.MinInt64)
	recorded := 1
	if !c.Schedule.closed() {
		recorded = times
		if err := e.schedules(); err != nil {
			return nil, err
		}
	}
	e.ownShards = min(c.most(), shardsFor(len(e.kinds)))
	for range e.ownShards {
		e.shards = append(e.shards, newShard(len(e.kinds), recorded, c.Slowest, c.most() > e.ownShards))
	}
	e.alarm = time.NewTimer(time.Hour)
	e.current, e.total = make(tally, len(e.kinds)), make(tally, len(e.kinds))
	return e, nil
}

// schedules makes the schedule, and copies of it for the accounts.
func (e *engine) schedules() error {
	c := e.config.Schedule.pace(e.config.Seed)
	c.Ops, c.For, c.Mine = e.config.Operations, e.config.Duration, e.share
	for _, s := range []**pace.Schedule{&e.schedule, &e.accounts.due, &e.oldest.schedule, &e.waiting.schedule} {
		var err error
		if *s, err = pace.New(c); err != nil {
			return err
		}
	}
	var err error
	e.group, err = pace.NewGroup(e.timing.mode, e.stopping)
	return err
}

// Claiming from a contended counter costs 30 ns and more, so workers of a closed loop
// claim blocks of operations. Blocks grow while one takes less than blockTime, so that
// slow operations are claimed one by one.
const (
	mostBlock = 64
	blockTime = int64(100 * time.Microsecond)
)

// claim claims n operations of a closed loop, or the rest of them: those of this load generator
// from k, which is one, up to end.
func (e *engine) claim(n uint64) (k, end uint64) {
	if e.share != nil {
		k, end = e.share.Claim(n, e.config.Operations)
		return e.config.First + k, e.config.First + end
	}
	end = e.next.Add(n)
	k = end - n
	if ops := e.config.Operations; ops > 0 {
		k, end = min(k, ops), min(end, ops)
	}
	return e.config.First + k, e.config.First + end
}

// begin makes the first workers and starts them. Until they run, the context of
// operations ends with that of the run, because making a worker may take long.
func (e *engine) begin(ctx context.Context) error {
	unwatch := context.AfterFunc(ctx, e.cancelWork)
	var err error
	for n := 0; n < e.config.Workers && err == nil; n++ {
		var w *worker
		if w, err = e.newWorker(n, e.shards[n%e.ownShards]); err == nil {
			w.hasPermit = true
			e.addWorker(w)
		}
	}
	at := int64(0)
	if e.config.Ready != nil && err == nil {
		at, err = e.config.Ready(ctx)
	}
	if !unwatch() {
		err = errors.Join(context.Cause(ctx), err)
	}
	if err != nil {
		for _, w := range e.startedWorkers() {
			err = errors.Join(err, w.target.Close())
		}
		return err
	}
	e.cost = e.timing.cost()
	e.cpu = cpuTime()
	now := e.clock()
	switch e.start = now; {
	case at != 0:
		e.start = at
	case e.schedule != nil:
		e.start += int64(time.Millisecond) // so that the workers start in time
	}
	e.deadline, e.last = math.MaxInt64, e.start
	e.silences.at, e.silences.next = e.start, e.start+watchPeriod
	if d := e.config.Duration; d > 0 {
		e.deadline = e.start + int64(d)
	}
	e.running.Store(int64(e.config.Workers))
	e.made, e.ordinary = e.config.Workers, e.config.Workers
	for _, w := range e.startedWorkers() {
		go w.run()
	}
	return nil
}

// clock returns the coordinator's time.
func (e *engine) clock() int64 { return clock.Now() }

// stop ends sending. The first reason is kept.
func (e *engine) stop(why error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.stopped.Load() {
		e.failure = why
		e.stopped.Store(true)
		close(e.stopping)
	}
}

// countFailure counts a failed operation.
func (e *engine) countFailure() {
	if n := e.errors.Add(1); n == e.config.MaxErrors {
		e.stop(fmt.Errorf("%w: %d", ErrMaxErrors, n))
	}
}

func (e *engine) warn(ws ...record.Warn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.warnings = append(e.warnings, ws...)
}
