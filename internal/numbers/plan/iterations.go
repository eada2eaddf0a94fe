package plan

import (
	"math"
	"strconv"
	"time"

	"github.com/tarebench/tare/internal/numbers/calibration"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// A burst of load by other processes disturbs an iteration and not the whole fork, if iterations are shorter than the
// time between bursts. So the default of a few long iterations is split into more short ones, if the benchmark allows it.
// The measured time stays the same, and the minimum over a fork's iterations finds the undisturbed ones.

// shorter is the number of short iterations that take the place of a long one.
const shorter = 4

// When iterations stay long.
const (
	minShortOps    = 100                    // fewer operations would show the clock and the edges of an iteration
	minShortTime   = 6 * time.Millisecond   // a short iteration that measures less is too short
	maxFixedShare  = 0.5                    // of a short iteration for set-up or a stopped timer: a fork takes a third longer
	collectedBytes = 4 << 20                // Go's smallest heap at GOGC=100: so much is allocated from cycle to cycle
	leastCycles    = 3                      // collections of a short iteration that has any
	leastCollected = 0.5                    // cycles of a long iteration below which it has none
	maxRest        = 100 * time.Microsecond // wall time beside the timer that is nothing, whatever its share
)

// Reasons why the iterations of a case stay long: [record.Case].Long.
const (
	LongFew      = "few operations"
	LongBrief    = "little time measured"
	LongUntimed  = "set-up or a stopped timer"
	LongCollects = "few collections per iteration"
	LongUnknown  = "no time reported"
	LongRoles    = "goroutines with roles"
	LongParallel = "mode time"
	LongShared   = "a shared process"
)

// Calibrated is what calibration found of a benchmark, as far as it decides whether its iterations may be shorter.
type Calibrated struct {
	N       int64         // operations of a long iteration
	Time    time.Duration // that the benchmark measures in a long iteration; 0 if unknown
	Untimed time.Duration // the least that an iteration takes beside it, waiting for a processor excluded
	Bytes   float64       // that an operation allocates; 0 if unknown
	GOGC    int           // percent; negative: no collection
}

// Long returns why the iterations must stay long, "" if they may be shortened.
func (l Calibrated) Long() string {
	short := float64(l.Time) / shorter
	cycles := 0.0 // of a long iteration
	if l.GOGC >= 0 {
		cycles = l.Bytes * float64(l.N) / (collectedBytes * max(float64(l.GOGC), 1) / 100)
	}
	switch {
	case l.Time <= 0:
		return LongUnknown
	case l.N < shorter*minShortOps:
		return LongFew
	case l.Untimed > maxRest && float64(l.Untimed) > maxFixedShare*(float64(l.Untimed)+short):
		return LongUntimed
	case short < float64(minShortTime):
		return LongBrief
	case cycles >= leastCollected && cycles < shorter*leastCycles:
		return LongCollects
	}
	return ""
}

// shorten splits the iterations of a calibrated case, if Config.ShortIterations allows it and the benchmark does:
// each of Config.Iterations becomes four, with a quarter of the operations. The decision is in the case. samples are
// those of whole forks with the N that was found.
func (p *Plan) shorten(c *record.Case, samples []*record.Sample) {
	if c.Group != "" || !p.Config.ShortIterations || c.SingleShot {
		return
	}
	switch {
	case c.Mode != record.ModeN:
		c.Long = LongParallel
	case len(c.Roles) > 0:
		c.Long = LongRoles
	default:
		c.Long = p.calibrated(c, samples).Long()
	}
	if c.Long != "" {
		return
	}
	long := medianWall(samples)
	c.N = calibration.RoundN(float64(c.N) / shorter)
	c.Iterations = shorter * p.Config.Iterations
	c.Time = p.Config.Time / shorter
	less := float64(p.Config.Warmup) * (1 - 1.0/shorter) // of long iterations: those that are measured take as long
	c.Wall = max(1, c.Wall-int64(less*long))
}

// lengthAgain decides again whether the iterations of a case are short, after its N was replaced: the decision had rested on the
// wrong one. samples have from operations, which tell how long the new ones take.
func (p *Plan) lengthAgain(c *record.Case, from int64, samples []*record.Sample) {
	if c.Group != "" || !p.Config.ShortIterations || c.SingleShot || c.Mode != record.ModeN || len(c.Roles) > 0 || len(samples) == 0 {
		return
	}
	long := c.N
	if c.Iterations > 0 {
		long = calibration.RoundN(float64(c.N) * shorter)
	}
	l := p.calibrated(c, samples)
	l.Time, l.N = time.Duration(float64(l.Time)*float64(long)/float64(from)), long
	why := l.Long()
	switch {
	case why == "" && c.Iterations == 0:
		before := p.count(c)
		c.N, c.Long = calibration.RoundN(float64(long)/shorter), ""
		c.Iterations, c.Time = shorter*p.Config.Iterations, p.Config.Time/shorter
		c.Wall = max(1, int64(float64(c.Wall)*float64(p.count(c))/float64(before*shorter)))
	case why != "" && c.Iterations > 0:
		before := p.count(c)
		c.N, c.Long, c.Iterations, c.Time = long, why, 0, 0
		c.Wall = int64(float64(c.Wall) * float64(p.count(c)*shorter) / float64(before))
	case why != "":
		c.Long = why
	}
}

// calibrated reduces samples. The wait for processors is not the benchmark's, so it is taken from the wall time where it is
// known; the least over the iterations is the one that was disturbed least.
func (p *Plan) calibrated(c *record.Case, samples []*record.Sample) Calibrated {
	l := Calibrated{N: c.N, GOGC: gogc(p.Config.GOGC), Untimed: math.MaxInt64}
	var times, bytes []float64
	for _, s := range samples {
		if s.Ns > 0 {
			times = append(times, float64(s.Ns))
		}
		if !s.Batched {
			own := min(s.Wall, max(s.Wall-s.Delay, s.CPU))
			l.Untimed = min(l.Untimed, time.Duration(max(0, own-s.Ns)))
		}
		if b, ok := s.V.Get("B/op"); ok {
			bytes = append(bytes, b)
		}
	}
	if len(times) > 0 {
		l.Time = time.Duration(stat.Median(times))
	}
	if len(bytes) > 0 {
		l.Bytes = stat.Median(bytes)
	}
	return l
}

// gogc reads a setting of GOGC: the default if it is none.
func gogc(s string) int {
	if s == "off" {
		return -1
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 100
}

func medianWall(samples []*record.Sample) float64 {
	var walls []float64
	for _, s := range samples {
		walls = append(walls, float64(s.Wall))
	}
	if len(walls) == 0 {
		return 0
	}
	return stat.Median(walls)
}

// count returns the iterations of a fork of a case, warm-up included.
func (p *Plan) count(c *record.Case) int {
	if c.Iterations > 0 {
		return p.Config.Warmup + c.Iterations
	}
	return p.Count()
}
