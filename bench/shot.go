package bench

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/record"
)

// shot is the result of the one operation of a SingleShot.
type shot struct {
	result   *result
	err      error
	repeated int // the last round in which the repetition was logged
}

// SingleShot measures one cold operation: with empty caches, pools and branch predictors, unmapped memory, and
// every sync.Once not yet done. That is possible only once in a process. Under tare each fork runs the
// operation once. Under plain go test it runs once per process and benchmark name; later calls of the
// function, for -count or to fill -benchtime, report the same result again and log that.
//
//	func BenchmarkFirstQuery(b *testing.B) {
//		bench.SingleShot(b, func() { db.Query("select 1") })
//	}
//
// Its options are [Ops] and [Bytes]. A panic of op fails the benchmark.
func SingleShot(b *testing.B, op func(), options ...Option) {
	b.Helper()
	s := beginCall(b, callShot)
	defer process.end()
	c := newConfig(callShot, options)
	if op == nil {
		c.errorf("the operation is nil")
	}
	if err := c.err(); err != nil {
		b.Fatalf("bench: %v: %v", c.call, err)
	}
	if s.shot == nil {
		s.shot = &shot{err: fmt.Errorf("the operation did not return")}
		s.announce(c, defaultSeed)
		s.fire(b, c, op)
	} else if s.rounds > max(1, s.shot.repeated) && s.shot.err == nil {
		s.shot.repeated = s.rounds
		b.Logf("bench: SingleShot: the operation ran once in this process; reporting the same result again")
	}
	if err := s.shot.err; err != nil {
		b.Fatalf("bench: %v: %v", c.call, err)
	}
	s.shot.result.report(b, s)
}

// fire runs the operation. If it ends the goroutine, by b.FailNow, the shot's error says that it did not
// return.
func (s *benchmark) fire(b *testing.B, c *config, op func()) {
	var before, after runtime.MemStats
	x := score{from: 0, ops: c.ops}
	func() {
		defer func() {
			if r := recover(); r != nil {
				s.shot.err = fmt.Errorf("panic: %v%s", r, panicLocation())
			}
		}()
		runtime.ReadMemStats(&before)
		x.from = clock.Now()
		op()
		x.to = clock.Now()
		runtime.ReadMemStats(&after)
		loopEnded(b)
		s.shot.err = nil
	}()
	if s.shot.err != nil {
		return
	}
	x.ns = x.to - x.from
	x.nsPerOp = float64(x.ns) / float64(x.ops)
	x.rate = 1e9 / max(x.nsPerOp, 1)
	x.metrics = append(x.values(c), record.Values{
		{Unit: "B/op", Value: float64(after.TotalAlloc-before.TotalAlloc) / float64(x.ops)},
		{Unit: "allocs/op", Value: float64(after.Mallocs-before.Mallocs) / float64(x.ops)},
	}...)
	s.shot.result = &result{whole: x}
	s.iter++
	s.result = s.shot.result
	s.send(b, c)
}
