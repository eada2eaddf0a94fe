package mock

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// delays is the distribution of the delays of operations. The zero value means no delay.
type delays struct {
	delay  time.Duration // of each
	random bool          // from 0 to delay instead
	stalls bool          // the four modes, and delay is 0
}

// next returns a random delay of one operation, and whether all other operations must wait for it.
func (l delays) next(rng *rand.Rand) (delay time.Duration, stall bool) {
	switch {
	case l.stalls:
		return fourModes(rng)
	case l.random && l.delay > 0:
		return time.Duration(rng.Int64N(int64(l.delay))), false
	}
	return l.delay, false
}

func fourModes(rng *rand.Rand) (delay time.Duration, stall bool) {
	switch n := rng.IntN(10_000); {
	case n < 9000:
		return between(rng, 200*time.Microsecond, time.Millisecond), false
	case n < 9900:
		return between(rng, time.Millisecond, 10*time.Millisecond), false
	case n < 9999:
		return between(rng, 10*time.Millisecond, 50*time.Millisecond), false
	}
	return between(rng, 50*time.Millisecond, 200*time.Millisecond), true
}

func between(rng *rand.Rand, from, to time.Duration) time.Duration {
	return from + time.Duration(rng.Int64N(int64(to-from)))
}

// none reports whether operations have no delay.
func (l delays) none() bool { return l.delay == 0 && !l.stalls }

func (l delays) String() string {
	switch {
	case l.stalls:
		return "stalls: 200 µs to 50 ms, and of all workers 50 to 200 ms"
	case l.none():
		return "no delay"
	case l.random:
		return fmt.Sprintf("delay random from 0 to %v", l.delay)
	}
	return fmt.Sprintf("delay %v", l.delay)
}

// delaysOf returns the delays that the properties set. It fails if they contradict each other or are unknown.
func delaysOf(p kv.Properties) (l delays, err error) {
	g := p.Getter()
	l.delay = g.Duration("mock.delay", 0)
	l.random = g.Bool("mock.random", false)
	l.stalls = g.OneOf("mock.mode", "", "stalls") == "stalls"
	if g.Has("basicdb.simulatedelay") {
		if g.Has("mock.delay") || g.Has("mock.random") {
			g.Fail("basicdb.simulatedelay", "mock.delay and mock.random have the same meaning; set one of them")
		}
		const day = 24 * 3600 * 1000
		l.delay = time.Duration(g.IntIn("basicdb.simulatedelay", 0, 0, day)) * time.Millisecond
		l.random = g.Bool("basicdb.randomizedelay", true)
	} else if l.random && l.delay == 0 {
		g.Fail("mock.random", "needs mock.delay, up to which delays are random")
	}
	if l.stalls && (l.delay != 0 || l.random) {
		g.Fail("mock.mode", "stalls have their own delays: give no other")
	}
	g.Known("mock.", Binding().Properties)
	g.Known("basicdb.", Binding().Properties)
	return l, g.Err()
}
