package bench

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/record"
)

// shot is what became of the one operation of a SingleShot.
type shot struct {
	result *result
	err    error
	told   int // the last round that was told that it only repeats
}

// SingleShot measures one operation while it is cold: with empty caches, pools
// and branch predictors, with its memory not yet mapped, with its sync.Once not
// yet done. That is so once in a process. Under tare each fork fires one shot;
// under plain go test the operation runs exactly once in the process and with
// each benchmark name, and later calls of the function, for -count or because
// testing tries to fill -benchtime, report the same shot again and say so.
//
//	func BenchmarkFirstQuery(b *testing.B) {
//		bench.SingleShot(b, func() { db.Query("select 1") })
//	}
//
// [Ops] and [Bytes] are the parts that it takes. A panic of op fails the
// benchmark.
func SingleShot(b *testing.B, op func(), parts ...Part) {
	b.Helper()
	s := enter(b, callShot)
	defer this.end()
	c := newConfig(callShot, parts)
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
	} else if s.rounds > max(1, s.shot.told) && s.shot.err == nil {
		s.shot.told = s.rounds
		b.Logf("bench: SingleShot: the operation ran once in this process; this is that result again")
	}
	if err := s.shot.err; err != nil {
		b.Fatalf("bench: %v: %v", c.call, err)
	}
	s.shot.result.report(b, s)
}

// fire runs the operation. Where it ends the goroutine, by b.FailNow, the shot
// remains one that did not return.
func (s *subject) fire(b *testing.B, c *config, op func()) {
	var before, after runtime.MemStats
	x := score{from: 0, ops: c.ops}
	func() {
		defer func() {
			if r := recover(); r != nil {
				s.shot.err = fmt.Errorf("panic: %v%s", r, panicked())
			}
		}()
		runtime.ReadMemStats(&before)
		x.from = clock.Now()
		op()
		x.to = clock.Now()
		runtime.ReadMemStats(&after)
		s.shot.err = nil
	}()
	if s.shot.err != nil {
		return
	}
	x.ns = x.to - x.from
	x.each = float64(x.ns) / float64(x.ops)
	x.rate = 1e9 / max(x.each, 1)
	x.vs = append(x.values(c), record.Values{
		{Unit: "B/op", Value: float64(after.TotalAlloc-before.TotalAlloc) / float64(x.ops)},
		{Unit: "allocs/op", Value: float64(after.Mallocs-before.Mallocs) / float64(x.ops)},
	}...)
	s.shot.result = &result{whole: x}
	s.iter++
	s.result = s.shot.result
	s.tell(b, c)
}
