package mock

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Shapes of the distribution of delays.
const (
	constant    = "constant"
	uniform     = "uniform"
	exponential = "exponential"
	lognormal   = "lognormal"
	pareto      = "pareto"
	bimodal     = "bimodal"
)

// longest bounds delays: those of a heavy tail have no bound of their own.
const longest = time.Hour

// delays is the distribution of the delays of operations: service times, without the queue of mock.servers. The zero value means no
// delay.
type delays struct {
	shape string        // "" means constant
	delay time.Duration // the delay, the upper bound, the mean, the median, the least, or the usual one, by the shape
	sigma float64       // lognormal: standard deviation of the logarithm
	alpha float64       // Pareto: tail index
	slow  time.Duration // bimodal: the other delay …
	share float64       // … and how many have it, 0 to 1
	whole bool          // uniform over whole milliseconds, as YCSB draws them
	modes bool          // the four modes, and delay is 0
}

// next returns a random delay of one operation, and whether all other operations must wait for it.
func (l delays) next(rng *rand.Rand) (delay time.Duration, stall bool) {
	if l.modes {
		return fourModes(rng)
	}
	if l.delay == 0 {
		return 0, false
	}
	mean := float64(l.delay)
	switch l.shape {
	case uniform:
		if l.whole {
			return time.Duration(rng.Int64N(int64(l.delay/time.Millisecond))) * time.Millisecond, false
		}
		return time.Duration(rng.Int64N(int64(l.delay))), false
	case exponential:
		return bounded(-mean * math.Log(1-rng.Float64())), false
	case lognormal:
		return bounded(mean * math.Exp(l.sigma*normal(rng))), false
	case pareto:
		return bounded(mean * math.Pow(1-rng.Float64(), -1/l.alpha)), false
	case bimodal:
		if rng.Float64() < l.share {
			return l.slow, false
		}
	}
	return l.delay, false
}

func bounded(ns float64) time.Duration { return time.Duration(min(ns, float64(longest))) }

// normal returns a value of the standard normal distribution (Box and Muller, A note on the generation of random normal deviates,
// 1958).
func normal(rng *rand.Rand) float64 {
	return math.Sqrt(-2*math.Log(1-rng.Float64())) * math.Cos(2*math.Pi*rng.Float64())
}

// mean returns the mean delay in ns: +Inf for a tail without one, 0 for the four modes.
func (l delays) mean() float64 {
	d := float64(l.delay)
	switch l.shape {
	case uniform:
		return d / 2
	case lognormal:
		return d * math.Exp(l.sigma*l.sigma/2)
	case pareto:
		if l.alpha <= 1 {
			return math.Inf(1)
		}
		return d * l.alpha / (l.alpha - 1)
	case bimodal:
		return d*(1-l.share) + float64(l.slow)*l.share
	}
	return d
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
func (l delays) none() bool { return l.delay == 0 && !l.modes }

func (l delays) String() string {
	switch {
	case l.modes:
		return "stalls: 200 µs to 50 ms, and of all workers 50 to 200 ms"
	case l.none():
		return "no delay, a no-op"
	}
	switch l.shape {
	case uniform:
		return fmt.Sprintf("delay random from 0 to %v", l.delay)
	case exponential:
		return fmt.Sprintf("exponential delays, mean %v", l.delay)
	case lognormal:
		return fmt.Sprintf("lognormal delays, median %v, sigma %v, mean %v", l.delay, l.sigma, rounded(l.mean()))
	case pareto:
		if l.alpha <= 1 {
			return fmt.Sprintf("Pareto delays from %v, alpha %v, without a mean", l.delay, l.alpha)
		}
		return fmt.Sprintf("Pareto delays from %v, alpha %v, mean %v", l.delay, l.alpha, rounded(l.mean()))
	case bimodal:
		return fmt.Sprintf("delay %v, of %v %% %v", l.delay, 100*l.share, l.slow)
	}
	return fmt.Sprintf("delay %v", l.delay)
}

// rounded returns ns with three digits.
func rounded(ns float64) time.Duration {
	if !(ns < float64(math.MaxInt64)) {
		return math.MaxInt64
	}
	d := time.Duration(ns)
	step := time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return d.Round(step)
}
