package sample

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestFollow: time that counts goes by halves to what was found before and after it, by looks
// that count, and twice only to what stayed.
func TestFollow(t *testing.T) {
	s := &fileContent{start: 5000}
	if err := s.decode(twoLooks); err != nil {
		t.Fatal(err)
	}
	one, two, three, moved := key{0, inRunning}, key{1, inWaiting + 1}, key{0, inSyscall}, key{2, inRunnable}
	for _, c := range []struct {
		name  string
		ran   []timerlog.Span
		alike bool
		want  map[key]found
		looks int64
	}{
		{"all", nil, false, map[key]found{one: {1, 1050, 0}, two: {2, 1100, 100}, three: {1, 1050, 0}, moved: {1, 50, 0}}, 2},
		{"alike", nil, true, map[key]found{one: {1, 1050, 0}, two: {2, 1100, 100}, three: {1, 1050, 0}, moved: {1, 50, 100}}, 2},
		{"window", []timerlog.Span{{Begin: 6040, End: 6060}, {Begin: 6090, End: 7000}}, false,
			map[key]found{two: {1, 30, 0}, moved: {1, 30, 0}}, 1},
		{"not the second", []timerlog.Span{{Begin: 6000, End: 6050}}, true, map[key]found{one: {1, 50, 0}, two: {1, 50, 0}, three: {1, 50, 0}}, 1},
		{"both, not between", []timerlog.Span{{Begin: 5990, End: 6010}, {Begin: 6090, End: 6101}}, true,
			map[key]found{one: {1, 20, 0}, two: {2, 30, 20}, three: {1, 20, 0}, moved: {1, 10, 20}}, 2},
		{"between", []timerlog.Span{{Begin: 6020, End: 6030}}, true, map[key]found{}, 0},
		{"elsewhere", []timerlog.Span{{Begin: 1, End: 2}}, true, map[key]found{}, 0},
	} {
		tl := &tally{ran: c.ran, found: map[key]*found{}, of: func(key) int64 { return 1 }, alike: func(a, b key) bool { return c.alike }}
		tl.follow(s)
		got := map[key]found{}
		for k, f := range tl.found {
			got[k] = *f
		}
		if !reflect.DeepEqual(got, c.want) || tl.samples != c.looks {
			t.Errorf("%s: %+v, %d looks; want %+v, %d", c.name, got, tl.samples, c.want, c.looks)
		}
	}
}

// TestFollowSums: what a goroutine was found in comes to all of the time that counts between
// the first look and the last, and only looks that count find anything. How often
// looks came has nothing to do with how much of the time counts.
func TestFollowSums(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 500 {
		s := &fileContent{}
		for i := range 2 + rng.IntN(20) {
			s.stacks = append(s.stacks, stack{})
			s.samples = append(s.samples, wallSample{at: int64(100 * i), changes: []change{{0, inRunning, 1, i}}}) // each finds it elsewhere
		}
		ran := []timerlog.Span{}
		for at := int64(0); ; {
			begin := at + rng.Int64N(150)
			end := begin + 1 + rng.Int64N(150)
			if end > s.samples[len(s.samples)-1].at {
				break
			}
			ran, at = append(ran, timerlog.Span{Begin: begin, End: end}), end
		}
		tl := &tally{ran: ran, found: map[key]*found{}, of: func(key) int64 { return 1 }, alike: func(a, b key) bool { return false }}
		tl.follow(s)
		var sum float64
		for k, f := range tl.found {
			if f.n != 1 || !tl.counts(s.samples[k.stack].at) {
				t.Fatalf("round %d: look %d of %v: %+v", round, k.stack, ran, f)
			}
			sum += f.time
		}
		var all int64
		for _, x := range ran {
			all += x.End - x.Begin
		}
		if tl.wall != all || tl.samples > 0 && math.Abs(sum-float64(all)) > 1e-6 || tl.gaps > 0 && tl.long != 100*tl.gaps {
			t.Fatalf("round %d: %v of %d ns, %d by the clock, in %d looks; %d gaps of %d", round, sum, all, tl.wall, tl.samples, tl.gaps, tl.long)
		}
	}
}

// TestTail: what is behind the last look belongs to it, unless it is longer than a gap may be
// and was to be, or there was no room for looks.
func TestTail(t *testing.T) {
	for _, c := range []struct {
		end, due int64
		full     bool
		want     int64 // ns in all
	}{
		{0, 0, false, 200}, {250, 0, false, 250}, {1000, 0, false, 400}, {250, 0, true, 200}, {150, 0, false, 200},
		{1000, 700, false, 700}, {600, 700, false, 600}, {1000, 210, false, 400}, {600, 700, true, 200},
	} {
		s := &fileContent{end: c.end, due: c.due, full: c.full, stacks: []stack{{}}, samples: []wallSample{{at: 100, changes: []change{{0, inRunning, 1, 0}}}, {at: 200}}}
		tl := &tally{found: map[key]*found{}, of: func(key) int64 { return 1 }}
		tl.follow(s)
		if f := tl.found[key{0, inRunning}]; f.time != float64(c.want) || tl.wall != c.want || tl.mean() != 100 {
			t.Errorf("%+v: %+v, %d ns, mean %v", c, f, tl.wall, tl.mean())
		}
	}
}

// TestUnseen: how much is not covered where there was no room for more.
func TestUnseen(t *testing.T) {
	s := &fileContent{start: 100, end: 5000, full: true, samples: []wallSample{{at: 2000}}}
	for _, c := range []struct {
		ran  []timerlog.Span
		want int64
	}{{nil, 3000}, {[]timerlog.Span{{Begin: 1000, End: 2500}, {Begin: 3000, End: 3100}}, 600}} {
		if n := (&tally{ran: c.ran}).unseen(s); n != c.want {
			t.Errorf("%v: %d, want %d", c.ran, n, c.want)
		}
	}
}

// gapsOf are moments of looks as the half in the process chooses them, see tareSampleDue.
func gapsOf(rng *rand.Rand, interval, n int64) (at []int64) {
	const floor = 16
	for now := int64(0); n > 0; n-- {
		now += interval/floor + rng.Int64N(2*(interval-interval/floor))
		at = append(at, now)
	}
	return at
}

// TestDraws: of a program that does the same every so often, the share of a part is found, and
// about as far off as so many independent draws are, whether its period is that of the looks or not.
func TestDraws(t *testing.T) {
	const interval, n, duty = 10_000, 200, 0.3
	runs := testutil.Pick(200, 600)
	rng := rand.New(rand.NewPCG(1, 2)) // so that a rare case does not fail
	for _, period := range []float64{0.2, 0.5, 0.8, 1, 1.6, 2, 3} {
		var sum, squares, claimed float64
		for range runs {
			phase := rng.Float64()
			s := &fileContent{stacks: []stack{{}, {}}}
			for _, at := range gapsOf(rng, interval, n) {
				i := 1
				if _, f := math.Modf(float64(at)/(period*interval) + phase); f < duty {
					i = 0
				}
				s.samples = append(s.samples, wallSample{at: at, changes: []change{{0, inRunning, 1, i}}})
			}
			tl := &tally{found: map[key]*found{}, of: func(key) int64 { return 1 }, alike: func(a, b key) bool { return a == b }}
			tl.follow(s)
			p := tl.at(key{0, inRunning}).time / float64(tl.wall)
			sum, squares = sum+p, squares+(p-duty)*(p-duty)
			claimed += p * (1 - p) / tl.effectiveSamples()
		}
		if mean := sum / float64(runs); math.Abs(mean-duty) > 0.01 {
			t.Errorf("period %v: %v in the mean, want %v", period, mean, duty)
		}
		t.Logf("period %v: off by %.2f of what is said", period, math.Sqrt(squares/claimed))
		if ratio := math.Sqrt(squares / claimed); ratio > 1.25 { // 1.15 at the worst period, 1.6; known to ±3 % from 600 runs
			t.Errorf("period %v: off by %.2f of what is said", period, ratio)
		}
	}
}

// TestHits: samples of the CPU profiler, its rate, and what it has lost.
func TestHits(t *testing.T) {
	s := &fileContent{start: 100}
	if err := s.decode(written(7, 100, 0, 5, 1, 2, 1, 0, 0x1000, 2, 10, 2, 1, 5, 2, 2, 1, 0, 0x1000, 2, 20, 1, 2, 8, 7)); err != nil {
		t.Fatal(err)
	}
	if s.hz != 100 || s.lost != 7 || len(s.cpuSamples) != 2 {
		t.Fatalf("%+v", s)
	}
	tl := &tally{ran: []timerlog.Span{{Begin: 115, End: 200}}, found: map[key]*found{}}
	tl.countCPU(s, 0)
	if f := tl.found[key{1, inRunning}]; len(tl.found) != 1 || f == nil || f.n != 1 || f.time != 1e7 || tl.achieved != 0 {
		t.Errorf("%+v", tl.found)
	}
}

// TestHitsCoarse: samples that came less often than was asked stand for the CPU time that the
// program used until they were taken: not for that of its children, or at its end. Without
// knowing that, for all that is known.
func TestHitsCoarse(t *testing.T) {
	for _, c := range []struct {
		b      []byte
		values [2]int64
		every  float64
		cpu    int64
	}{
		{written(7, 1000, 50, 5, 1, 2, 1, 0, 0x1000, 2, 10, 2, 1, 2, 20, 1, 1, 9, 50+9_000_000), [2]int64{3, 9e6}, 3e6, 9e6},
		{written(7, 1000, 0, 5, 1, 2, 1, 0, 0x1000, 2, 10, 2, 1, 2, 20, 1, 1), [2]int64{3, 12e6}, 4e6, 12e6},
	} {
		s := &fileContent{start: 100}
		if err := s.decode(c.b); err != nil || s.hz != 1000 {
			t.Fatalf("%+v, %v", s, err)
		}
		res, err := buildResult(s, func(i int) []frame { return []frame{{name: "main.f"}} }, record.Sampled{Mode: record.SampledCPU, Interval: 1e6, CPU: 12e6}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := res.Profile.Sample[0].Value; v[0] != c.values[0] || v[1] != c.values[1] || res.How.Achieved != c.every || res.How.CPU != c.cpu {
			t.Errorf("%v, %+v; want %+v", v, res.How, c)
		}
	}
}
